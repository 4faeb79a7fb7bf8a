import { InternalError, type Task } from '../../protocol/index.js';

/** What is known when a stream ends too early. */
export interface StreamEndedDetails {
  /** The task that the stream was about; known before any event where it is a subscription. */
  readonly taskId?: string;
  /** The task as the stream left it. */
  readonly task?: Task<Uint8Array>;
  /** How many attempts to take it up again failed in a row. */
  readonly attempts?: number;
  /** What broke the stream, or the last attempt; absent where the server closed it without a word. */
  readonly cause?: unknown;
}

/**
 * A stream ended before its task did: the server closed it, the connection broke, or it fell silent, and as many attempts to
 * take it up again failed as the policy allows. The task itself may well go on: `subscribeToTask` and `waitForTask` find
 * out. Made on this side.
 *
 * @publicApi
 */
export class StreamEndedError extends InternalError {
  override readonly name: string = 'StreamEndedError';
  /** The task that the stream was about, if it was named. */
  readonly taskId: string | undefined;
  /** The task as the stream left it, if it came to one. */
  readonly task: Task<Uint8Array> | undefined;
  /** How many attempts to take the stream up again failed in a row; 0 where none was made. */
  readonly attempts: number;

  constructor(reason: string, { taskId, task, attempts = 0, cause }: StreamEndedDetails = {}) {
    super(describe(reason, taskId, task, attempts), {
      ...(cause !== undefined && { cause }),
      ...(taskId !== undefined && { metadata: { taskId } }),
    });
    this.taskId = taskId;
    this.task = task;
    this.attempts = attempts;
  }
}

function describe(
  reason: string,
  taskId: string | undefined,
  task: Task<Uint8Array> | undefined,
  attempts: number,
): string {
  const of = taskId === undefined ? 'before it named a task' : `of task ${taskId}`;
  const state = task ? `, last seen in ${task.status.state}` : '';
  const tried =
    attempts > 0
      ? ` (${attempts} failed ${attempts === 1 ? 'attempt' : 'attempts'} to take it up again)`
      : '';
  return `The stream ${of} ended early${state}: ${reason}${tried}`;
}

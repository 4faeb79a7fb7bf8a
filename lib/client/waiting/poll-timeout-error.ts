import { InternalError, type Task } from '../../protocol/index.js';

/**
 * The time to wait for a task passed. The task goes on: `waitForTask` can take it up again. Made on this side.
 *
 * @publicApi
 */
export class PollTimeoutError extends InternalError {
  override readonly name: string = 'PollTimeoutError';

  constructor(
    /** The milliseconds that were waited. */
    readonly timeout: number,
    /** The task as it was last seen; absent if it was never seen. */
    readonly lastTask?: Task<Uint8Array>,
    /** What went wrong the last time that the task was asked for, if something did. */
    cause?: unknown,
  ) {
    const seen = lastTask ? `task ${lastTask.id} is in ${lastTask.status.state}` : 'no task was seen';
    super(`Waited ${timeout} ms: ${seen}`, {
      ...(cause !== undefined && { cause }),
      ...(lastTask && { metadata: { taskId: lastTask.id } }),
    });
  }
}

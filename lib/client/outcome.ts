import type { Message, SendMessageResponse, Task, TaskState } from '../protocol/index.js';

const KINDS = {
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_REJECTED: 'rejected',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
  TASK_STATE_AUTH_REQUIRED: 'auth-required',
} as const satisfies Partial<Record<TaskState, string>>;

/** How a task ended, or what it waits for. */
export type TaskOutcomeKind = (typeof KINDS)[keyof typeof KINDS];

/**
 * What came of a message: the agent's direct answer, or a task that ended or waits for its client. Never a task that is
 * still at work. Told apart by `kind`.
 *
 * @publicApi
 */
export type Outcome =
  | { readonly kind: 'message'; readonly message: Message<Uint8Array>; readonly task?: undefined }
  | { readonly kind: TaskOutcomeKind; readonly task: Task<Uint8Array>; readonly message?: undefined };

/** What a task or direct message amounts to; `undefined` for a task that is still at work. */
export function outcomeOf({ task, message }: SendMessageResponse<Uint8Array>): Outcome | undefined {
  if (message) return { kind: 'message', message };
  const kind = (KINDS as Partial<Record<TaskState, TaskOutcomeKind>>)[task.status.state];
  return kind && { kind, task };
}

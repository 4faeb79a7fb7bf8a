/** The states of a task (§4.1.3). */
export const TaskState = {
  Unspecified: 'TASK_STATE_UNSPECIFIED',
  /** Accepted, nothing done yet. */
  Submitted: 'TASK_STATE_SUBMITTED',
  /** The agent is at it. */
  Working: 'TASK_STATE_WORKING',
  /** Terminal: done. */
  Completed: 'TASK_STATE_COMPLETED',
  /** Terminal: ended with an error. */
  Failed: 'TASK_STATE_FAILED',
  /** Terminal: stopped on request. */
  Canceled: 'TASK_STATE_CANCELED',
  /** Interrupted: waits for a message of the user. */
  InputRequired: 'TASK_STATE_INPUT_REQUIRED',
  /** Terminal: the agent will not do it. */
  Rejected: 'TASK_STATE_REJECTED',
  /** Interrupted: waits for an authorization, usually given out of band (§7.6). */
  AuthRequired: 'TASK_STATE_AUTH_REQUIRED',
} as const;
export type TaskState = (typeof TaskState)[keyof typeof TaskState];

const TERMINAL: ReadonlySet<TaskState> = new Set([
  TaskState.Completed,
  TaskState.Failed,
  TaskState.Canceled,
  TaskState.Rejected,
]);

/** Whether a task in this state will never change again. */
export function isTerminal(state: TaskState): boolean {
  return TERMINAL.has(state);
}

/** Whether a task in this state waits for its client. */
export function isInterrupted(state: TaskState): boolean {
  return state === TaskState.InputRequired || state === TaskState.AuthRequired;
}

/** Whether the agent is at work on a task in this state, or about to be. */
export function isActive(state: TaskState): boolean {
  return state === TaskState.Submitted || state === TaskState.Working;
}

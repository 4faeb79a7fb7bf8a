import type { TaskState } from '../protocol/index.js';

/** What the command line exits with. `docs/command-line.md` shows the same table. */
export const EXIT = {
  /** The task completed, the agent answered with a message, or the call did what it should. */
  done: 0,
  /** The agent answered with an error, or with something that is no answer. */
  agentError: 1,
  /** The command line itself makes no sense. */
  usage: 2,
  failed: 3,
  rejected: 4,
  canceled: 5,
  inputRequired: 6,
  authRequired: 7,
  /** The time has passed, or the agent answered with a task that is still at work. */
  notInTime: 8,
  /** The agent could not be reached, or the connection broke. */
  connection: 9,
  /** The agent wants to know who is calling, or does not permit it. */
  refused: 10,
  /** By Ctrl-C. */
  interrupted: 130,
  /** Who read the output, such as `head`, has left: as a program that SIGPIPE ends. */
  outputClosed: 141,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_STATE: Readonly<Partial<Record<TaskState, ExitCode>>> = {
  TASK_STATE_COMPLETED: EXIT.done,
  TASK_STATE_FAILED: EXIT.failed,
  TASK_STATE_REJECTED: EXIT.rejected,
  TASK_STATE_CANCELED: EXIT.canceled,
  TASK_STATE_INPUT_REQUIRED: EXIT.inputRequired,
  TASK_STATE_AUTH_REQUIRED: EXIT.authRequired,
};

/** What came of a message, as an exit code; a direct message is an answer like a completed task. */
export function exitCodeOfState(state: TaskState | undefined): ExitCode {
  return state === undefined ? EXIT.done : (BY_STATE[state] ?? EXIT.notInTime);
}

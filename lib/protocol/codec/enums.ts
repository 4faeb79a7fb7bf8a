import { TaskState } from '../task-state.js';
import { Role } from '../types/index.js';

/** The task states in the order of their numbers in the proto. */
export const TASK_STATES = [
  TaskState.Unspecified,
  TaskState.Submitted,
  TaskState.Working,
  TaskState.Completed,
  TaskState.Failed,
  TaskState.Canceled,
  TaskState.InputRequired,
  TaskState.Rejected,
  TaskState.AuthRequired,
] as const;

/** The roles in the order of their numbers in the proto. */
export const ROLES = [Role.Unspecified, Role.User, Role.Agent] as const;

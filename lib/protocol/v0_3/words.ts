import { TaskState } from '../task-state.js';
import { Role } from '../types/index.js';
import type { Role03, TaskState03 } from './types.js';

/** Words of 0.3 by the name that 1.0 has for them. */
const STATE_WORDS = {
  [TaskState.Unspecified]: 'unknown',
  [TaskState.Submitted]: 'submitted',
  [TaskState.Working]: 'working',
  [TaskState.Completed]: 'completed',
  [TaskState.Failed]: 'failed',
  [TaskState.Canceled]: 'canceled',
  [TaskState.InputRequired]: 'input-required',
  [TaskState.Rejected]: 'rejected',
  [TaskState.AuthRequired]: 'auth-required',
} as const satisfies Record<TaskState, TaskState03>;

const STATES = invert(STATE_WORDS);

/** The proto of 0.3 spells this one with two L. */
const CANCELLED = 'TASK_STATE_CANCELLED';

export const STATES_03 = Object.keys(STATES) as [TaskState03, ...TaskState03[]];
export const ROLES_03: [Role03, ...Role03[]] = ['user', 'agent'];

export function stateTo03(state: TaskState): TaskState03 {
  return STATE_WORDS[state];
}

export function stateFrom03(state: TaskState03): TaskState {
  return STATES[state];
}

/** `agent` for whatever is not the user: a message of 0.3 comes from one of the two. */
export function roleTo03(role: Role): Role03 {
  return role === Role.User ? 'user' : 'agent';
}

export function roleFrom03(role: Role03): Role {
  return role === 'user' ? Role.User : Role.Agent;
}

/** A state as the proto of 0.3 names it. */
export function stateName(state: TaskState03): string {
  return state === 'canceled' ? CANCELLED : STATES[state];
}

/** The word for a name of either proto: of 0.3, or of 1.0, which differs in one. */
export function stateOfName(name: unknown): TaskState03 | undefined {
  if (name === CANCELLED) return 'canceled';
  return Object.hasOwn(STATE_WORDS, String(name)) ? STATE_WORDS[name as TaskState] : undefined;
}

export function roleName(role: Role03): string {
  return roleFrom03(role);
}

export function roleOfName(name: unknown): Role03 | undefined {
  if (name === Role.User) return 'user';
  return name === Role.Agent ? 'agent' : undefined;
}

function invert<K extends string, V extends string>(words: Record<K, V>): Record<V, K> {
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [word, name])) as Record<V, K>;
}

import type { Task } from '../protocol/index.js';

/** The task with at most the newest `length` messages of its history; all of them if it is `undefined` (§3.2.4). */
export function withHistoryLength(task: Task, length: number | undefined): Task {
  if (length === undefined || task.history === undefined || task.history.length <= length) return task;
  const { history, ...rest } = task;
  if (length === 0) return rest;
  const { metadata, ...head } = rest;
  return { ...head, history: history.slice(-length), ...(metadata && { metadata }) };
}

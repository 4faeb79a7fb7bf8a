import { isInterrupted, isTerminal, type Task, type TaskState } from '../protocol/index.js';
import { within } from './deferred.js';
import type { Follower } from './follower.js';
import type { TaskEngine } from './task-engine.js';
import type { TaskRecord } from './task-record.js';
import type { Scope } from './task-scope.js';

/** How often the store is asked too: the bus may not reach the process that drives the task. */
const LOOK_AGAIN = 2_000;

/** Whether a blocking send returns at a state (§3.2.2). */
export function isPaused(state: TaskState): boolean {
  return isTerminal(state) || isInterrupted(state);
}

/** The task once its turn has paused, wherever it is driven; at once if it has. */
export async function pauseOf(
  engine: TaskEngine,
  id: string,
  scope: Scope,
  isOver = ({ task }: TaskRecord): boolean => isPaused(task.status.state),
): Promise<Task> {
  const follower = engine.feeds.follow(id);
  try {
    const record = await engine.load(id, scope);
    if (isOver(record)) return record.task;
    follower.start(record.task, record.seq);
    return await nextPause(engine, follower, id, scope);
  } finally {
    follower.close();
  }
}

/**
 * The task at its next terminal or interrupted state behind the position of a follower.
 *
 * @throws UnavailableError if the process is shut down meanwhile
 */
export async function nextPause(
  engine: TaskEngine,
  follower: Follower,
  id: string,
  scope: Scope,
): Promise<Task> {
  const events = follower[Symbol.asyncIterator]();
  let next = events.next();
  for (;;) {
    const result = await within(LOOK_AGAIN, next);
    const status = result?.done ? undefined : result?.value.statusUpdate?.status;
    if (status ? isPaused(status.state) : result?.done !== false) {
      const { task, run } = await engine.load(id, scope);
      if (status ?? (isPaused(task.status.state) && !run)) return task;
      engine.assertAccepting();
      // The follower fell too far behind: there is nothing to wait for but the store.
      if (result?.done) return pauseOf(engine, id, scope);
    }
    if (result) next = events.next();
  }
}

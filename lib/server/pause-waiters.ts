import { isInterrupted, isTerminal, type Task } from '../protocol/index.js';
import type { TaskChange } from './task-changes.js';

/** Who waits for a pause; a `Deferred` is one. */
export interface PauseListener {
  resolve(answer: { task: Task }): void;
  reject(reason: Error): void;
}

/** Those who wait until a task next reaches a terminal or interrupted state. */
export class PauseWaiters {
  #waiting: { readonly after: number; readonly listener: PauseListener }[] = [];

  /** Adds one for whom only the changes behind the first `after` count. */
  add(after: number, listener: PauseListener): void {
    this.#waiting.push({ after, listener });
  }

  /** Settles those who waited for one of the changes, which stand behind `before` others. */
  stored(changes: readonly TaskChange[], before: number, snapshot: () => Task): void {
    if (this.#waiting.length === 0) return;
    const last = changes.findLastIndex(isPause);
    if (last === -1) return;
    const ready = this.#waiting.filter(({ after }) => after <= before + last);
    this.#waiting = this.#waiting.filter(({ after }) => after > before + last);
    for (const { listener } of ready) listener.resolve({ task: snapshot() });
  }

  /** Tells everybody that there will be no pause. */
  fail(reason: Error): void {
    for (const { listener } of this.#waiting.splice(0)) listener.reject(reason);
  }
}

function isPause(change: TaskChange): boolean {
  if (!('statusUpdate' in change)) return false;
  const { state } = change.statusUpdate.status;
  return isTerminal(state) || isInterrupted(state);
}

import type { TaskScope } from './task-scope.js';
import { TaskStore } from './task-store.js';
import { tooManyTurns } from './turn-errors.js';
import { countsLeases } from './worker-lease.js';

/**
 * The bound of turns of one owner where several processes share a store. Turns of an owner begin one after another in each
 * process, so that the store counts each before the next.
 */
export class OwnerLimit {
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(
    private readonly store: TaskStore,
    private readonly limit: number | undefined,
  ) {}

  /**
   * Begins a turn, if there is room for one more.
   *
   * @throws ResourceExhaustedError if as many turns of the owner run or wait already, in whatever process
   */
  admit<T>(scope: TaskScope, begin: () => T | Promise<T>): T | Promise<T> {
    const { limit } = this;
    if (limit === undefined || !countsLeases(this.store)) return begin();
    return this.#inTurn(JSON.stringify([scope.tenant, scope.owner]), async () => {
      if ((await this.#count(scope, limit)) >= limit) throw tooManyTurns();
      return begin();
    });
  }

  #count(scope: TaskScope, limit: number): Promise<number> {
    const { store } = this;
    // A store told by its methods alone need not have this one.
    return 'countTurns' in store
      ? store.countTurns(scope, limit)
      : TaskStore.prototype.countTurns.call(store, scope, limit);
  }

  /** Calls of one key, each after the one before has ended, well or not. */
  async #inTurn<T>(key: string, call: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(call);
    const over = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, over);
    void over.then(() => {
      if (this.#last.get(key) === over) this.#last.delete(key);
    });
    return turn;
  }
}

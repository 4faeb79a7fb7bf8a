import type { TaskStore } from '../server/task-store.js';
import { WrappedTaskStore, type TaskStoreCall } from './wrapped-task-store.js';

/** Says whether a call fails: `true` for a plain error, or the error itself. */
export type FailureRule = (call: TaskStoreCall) => boolean | Error;

/**
 * A store that fails when told to, before the other store is asked.
 *
 * ```ts
 * const store = new FailingTaskStore(new InMemoryTaskStore(), ({ method, count }) => method === 'put' && count === 2);
 * store.failWhen(() => new StoreUnavailableError());
 * store.failWhen(() => false); // it is well again
 * ```
 *
 * @publicApi
 */
export class FailingTaskStore extends WrappedTaskStore {
  #rule: FailureRule;

  constructor(inner: TaskStore, rule: FailureRule = () => false) {
    super(inner);
    this.#rule = rule;
  }

  /** Replaces the rule from the next call on. */
  failWhen(rule: FailureRule): void {
    this.#rule = rule;
  }

  protected override async around<T>(call: TaskStoreCall, run: () => Promise<T>): Promise<T> {
    const failure = this.#rule(call);
    if (failure === true) throw new Error(`The task store failed: ${call.method} number ${call.count}`);
    if (failure) throw failure;
    return run();
  }
}

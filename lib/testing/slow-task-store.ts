import type { TaskStore } from '../server/task-store.js';
import { WrappedTaskStore, type TaskStoreCall } from './wrapped-task-store.js';

/**
 * A store that is far away: every call takes `delay` milliseconds more, half of it before the other store is asked
 * and half before its answer arrives, so that both a late write and a stale read can happen.
 *
 * @publicApi
 */
export class SlowTaskStore extends WrappedTaskStore {
  /** `delay` as a function is asked for each call. */
  constructor(
    inner: TaskStore,
    private readonly delay: number | ((call: TaskStoreCall) => number),
  ) {
    super(inner);
  }

  protected override async around<T>(call: TaskStoreCall, run: () => Promise<T>): Promise<T> {
    const delay = typeof this.delay === 'number' ? this.delay : this.delay(call);
    await sleep(delay / 2);
    const answer = await run();
    await sleep(delay / 2);
    return answer;
  }
}

/** On the global timer, which fake timers can move. */
function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

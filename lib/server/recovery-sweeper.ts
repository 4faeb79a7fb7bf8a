import type { TaskRecord } from './task-record.js';
import type { WorkerLease } from './worker-lease.js';

/** What a sweeper takes tasks from. */
export interface LostTasks {
  /** How many may be taken at once. */
  readonly room: number;
  /** Takes over tasks whose worker is gone. */
  take(limit: number): Promise<readonly TaskRecord[]>;
  recover(record: TaskRecord): Promise<void>;
}

/** Tasks taken over with one call of the store. */
const BATCH = 100;

/** Looks for tasks whose worker is gone, at start and then again and again, and has them recovered. */
export class RecoverySweeper {
  #timer: NodeJS.Timeout | undefined;
  #sweep: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    private readonly lease: WorkerLease,
    private readonly tasks: LostTasks,
    /** Milliseconds between two sweeps. */
    private readonly interval: number,
  ) {}

  /** Sweeps soon, and from then on again and again. */
  start(): void {
    this.#schedule(0);
  }

  /** Sweeps now, since somebody met a task that waits for it; nothing happens before {@link start}. */
  wake(): void {
    if (this.#timer && !this.#sweep) this.#schedule(0);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#sweep;
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#sweep = this.#run().finally(() => {
        this.#sweep = undefined;
        // Not all replicas at the same time.
        this.#schedule(this.interval * (0.75 + Math.random() / 2));
      });
    }, delay);
    this.#timer.unref();
  }

  /** A store that is away is asked again the next time; the lease tells of it. */
  async #run(): Promise<void> {
    try {
      await this.lease.hold();
      for (;;) {
        const limit = Math.min(BATCH, this.tasks.room);
        if (limit <= 0 || this.#isStopped) return;
        const taken = await this.tasks.take(limit);
        await Promise.all(taken.map((record) => this.tasks.recover(record)));
        if (taken.length < limit) return;
      }
    } catch {
      return;
    }
  }
}

import type { Logger } from '@nestjs/common';
import { UnavailableError } from '../protocol/index.js';
import { within } from './deferred.js';
import type { TaskRun, TurnTerms } from './task-record.js';
import type { TaskStore } from './task-store.js';
import { saidWithCause } from './thrown-value.js';

/** The lease of a worker whose store does not count leases: turns then end with their process. */
const FOR_EVER = Number.MAX_SAFE_INTEGER;
/** How long a request waits for a lease that has run out. */
const PATIENCE = 1_000;

/** What a lease is about. */
export interface LeaseTerms {
  readonly worker: string;
  /** How long one renewal lasts, in milliseconds; it is renewed after a third of that. */
  readonly duration: number;
}

/**
 * Says in the store that this process is alive, for as long as it is: it holds the tasks that it drives for so long, and one
 * renewal serves all of them. A store that is away is tried again until it is back.
 */
export class WorkerLease {
  #until: number;
  #renewal: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #hasEnded = false;

  constructor(
    private readonly store: TaskStore,
    private readonly terms: LeaseTerms,
    private readonly logger: Logger,
    /** Called after a renewal that came too late: in between others could take tasks over. */
    private readonly onLapse: () => void,
  ) {
    this.#until = countsLeases(store) ? 0 : FOR_EVER;
  }

  /** Milliseconds since 1970 until which the worker holds its tasks. */
  get until(): number {
    return this.#until;
  }

  /** A run of the worker, for a record. */
  runOf(terms: TurnTerms | undefined): TaskRun {
    return { worker: this.terms.worker, leaseUntil: this.#until, ...(terms && { terms }) };
  }

  get isHeld(): boolean {
    return this.#until > Date.now();
  }

  /**
   * Resolves once tasks can be held: no run may be stored before.
   *
   * @throws UnavailableError if the store is away
   */
  async hold(): Promise<void> {
    if (this.isHeld) return;
    if (!this.#hasEnded) await within(PATIENCE, this.renew());
    if (this.#until <= Date.now()) throw new UnavailableError('The task store is not available right now');
  }

  /** Renews the lease, now and from now on. It never rejects. */
  renew(): Promise<void> {
    if (this.#until === FOR_EVER || this.#hasEnded) return Promise.resolve();
    return (this.#renewal ??= this.#renewNow().finally(() => {
      this.#renewal = undefined;
    }));
  }

  /** Lets go of everything: what is still held is free at once. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    if (this.#renewal) await within(PATIENCE, this.#renewal);
    if (this.#until === FOR_EVER || this.#until === 0) return;
    this.#until = 0;
    await this.store.endLease(this.terms.worker).catch((error: unknown) => {
      this.logger.debug(
        `The lease of this worker was not ended, it runs out by itself: ${saidWithCause(error)}`,
      );
    });
  }

  async #renewNow(): Promise<void> {
    clearTimeout(this.#timer);
    const { worker, duration } = this.terms;
    const started = Date.now();
    try {
      const before = await this.store.renewLease(worker, started + duration);
      const isFirst = this.#until === 0;
      this.#until = before === FOR_EVER ? FOR_EVER : started + duration;
      this.#recovered();
      if (!isFirst && before <= started) this.onLapse();
    } catch (error) {
      this.#failed(error);
    }
    this.#renewAgain(this.#isFailing ? duration / 15 : duration / 3);
  }

  #renewAgain(delay: number): void {
    if (this.#hasEnded || this.#until === FOR_EVER) return;
    this.#timer = setTimeout(() => void this.renew(), delay);
    this.#timer.unref();
  }

  /** A store that is away says so once, and once more when it is back. */
  #failed(error: unknown): void {
    if (!this.#isFailing)
      this.logger.warn(`The lease of this worker cannot be renewed: ${saidWithCause(error)}`);
    this.#isFailing = true;
  }

  #recovered(): void {
    if (this.#isFailing) this.logger.log('The lease of this worker is renewed again');
    this.#isFailing = false;
  }
}

/** Whether tasks outlive this process in the store. One that is told by its methods alone may not have those for leases. */
export function countsLeases(store: TaskStore): boolean {
  return store.durable && typeof (store as Partial<TaskStore>).renewLease === 'function';
}

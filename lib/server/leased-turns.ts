import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import type { TurnRequest } from './default-request-context.js';
import type { LiveTask } from './live-task.js';
import { RecoverySweeper, type LostTasks } from './recovery-sweeper.js';
import { StaleRunError } from './store-errors.js';
import type { EngineParts } from './task-engine.js';
import { StoredTurns } from './stored-turns.js';
import type { TaskRecord, TaskRun, TurnTerms } from './task-record.js';
import { TaskRecovery } from './task-recovery.js';
import { systemScope } from './task-scope.js';
import type { Turn } from './turn.js';
import type { TurnAdmission } from './turn-admission.js';
import { countsLeases, WorkerLease } from './worker-lease.js';

/** Turns that are looked up in the store at the same time. */
const CHECKED_AT_ONCE = 50;
/** Milliseconds until those that could not be looked up are looked up again. */
const CHECK_AGAIN = 1_000;

/** What an engine does with its turns. */
export interface TurnRunner {
  readonly worker: string;
  openTurns(): readonly Turn[];
  /** A task that changes from outside of any turn. */
  liveTask(record: TaskRecord): LiveTask;
  open(record: TaskRecord, leave: () => void): Turn;
  run(turn: Turn, request: TurnRequest): void;
}

/** Holds the turns of this process under its lease, and recovers those that it or another process has lost. */
export class LeasedTurns {
  readonly #lease: WorkerLease;
  /** Turns that begin from what the store has. */
  readonly stored: StoredTurns;
  readonly #recovery: TaskRecovery;
  readonly #sweeper: RecoverySweeper;
  #isStopped = false;

  constructor(
    private readonly parts: EngineParts,
    logger: Logger,
    private readonly admission: TurnAdmission,
    private readonly runner: TurnRunner,
  ) {
    const { store, options } = parts;
    const lease = { worker: runner.worker, duration: options.leaseDuration };
    this.#lease = new WorkerLease(store, lease, logger, () => void this.#checkTurns());
    this.stored = new StoredTurns(parts, this.#lease, admission, runner, logger, (begun) => {
      this.#recovery.unsure(begun, (record) => this.stored.beginAgain(record));
    });
    this.#recovery = new TaskRecovery(
      {
        store,
        options,
        liveTask: (record) => runner.liveTask(record),
        retry: (record, request) => this.stored.retry(record, request),
      },
      logger,
    );
    this.#sweeper = new RecoverySweeper(this.#lease, this.#lostTasks(), options.sweepInterval);
  }

  /** Begins to hold tasks, and to look for those that others have lost. */
  start(): void {
    if (!countsLeases(this.parts.store)) return;
    void this.#lease.renew();
    if (this.parts.options.role === 'api') return;
    this.#sweeper.start();
    this.stored.start();
  }

  /**
   * Resolves once turns can begin.
   *
   * @throws UnavailableError if the store is away
   */
  hold(): Promise<void> | undefined {
    return this.#lease.isHeld ? undefined : this.#lease.hold();
  }

  /** A run of this process, for a record. */
  run(terms: TurnTerms | undefined): TaskRun {
    return this.#lease.runOf(terms);
  }

  /** Decides what becomes of a task that is held here and has no turn any more, once the store is there. */
  recover(live: LiveTask, reason: string): void {
    this.#recovery.recoverLost(live, reason);
  }

  /** Lets go of a task whose claim got no answer, should it have been stored. */
  giveUp(claimed: TaskRecord): void {
    this.#recovery.unsure(claimed, (record) => this.runner.liveTask(record).release());
  }

  /** Somebody met a task whose process is gone. */
  wake(): void {
    this.#sweeper.wake();
  }

  /** Takes over nothing any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#recovery.stop();
    void this.stored.stop();
    await this.#sweeper.stop();
  }

  /** Leaves what is still held to others, at once. */
  async end(): Promise<void> {
    await Promise.all([this.#lease.end(), this.stored.stop()]);
  }

  #lostTasks(): LostTasks {
    const { admission, parts, runner } = this;
    return {
      get room() {
        if (parts.options.recovery === 'fail' && !parts.dispatcher) return Infinity;
        // One at least: it waits, and is then the next to run.
        return Math.max(admission.room, admission.waiting > 0 ? 0 : 1);
      },
      take: (limit) => parts.store.takeExpired(parts.agent, runner.worker, limit),
      recover: (record) => this.#recovery.recover(record),
    };
  }

  /** The lease had run out: gives up the turns that others have taken over, also those that write nothing. */
  async #checkTurns(): Promise<void> {
    const { agent, store } = this.parts;
    const unchecked = this.runner.openTurns().filter(({ live }) => live.isStored);
    while (unchecked.length > 0 && !this.#isStopped) {
      const some = unchecked.splice(0, CHECKED_AT_ONCE);
      const check = async ({ live }: Turn): Promise<void> => {
        const record = await store.get(live.id, systemScope(agent));
        if (record && record.epoch > live.epoch) live.lose(new StaleRunError(live.id));
      };
      const results = await Promise.allSettled(some.map(check));
      const failed = some.filter((_, index) => results[index]?.status === 'rejected');
      unchecked.push(...failed);
      if (failed.length > 0) await delay(CHECK_AGAIN, undefined, { ref: false });
    }
  }
}

import type { Logger } from '@nestjs/common';
import { UnavailableError } from '../protocol/index.js';
import type { ResolvedEngineOptions } from './engine-options.js';
import type { QueuedTurn, StopWork, TaskDispatcher, TurnJob } from './task-dispatcher.js';
import type { TaskRecord, TaskRun, TurnTerms } from './task-record.js';
import type { TaskStore } from './task-store.js';
import { saidBy } from './thrown-value.js';

/** How many names queued turns have as their worker, one after another. */
const SLOTS = 4;
/** Turns that are kept to be queued again, and milliseconds until they are. */
const UNSENT = 1_000;
const SEND_AGAIN = 1_000;

/**
 * Turns that wait for a process to run them.
 *
 * The record of one says so by `attempt: 0`. Its worker is none that lives, but the name of a span of time, which has a
 * lease in the store until that span is over: then the turn counts as left, and sweepers take it. So a turn
 * whose job was lost is found, without a look at those that are in good hands.
 */
export class TurnQueue {
  #stop: StopWork | undefined;
  /** Turns that could not be queued yet, by task and epoch. */
  readonly #unsent = new Map<string, QueuedTurn>();
  #timer: NodeJS.Timeout | undefined;
  /** The span that was written to the store last. */
  #span = -1;
  /** Turns that are about to be queued. */
  #entering = 0;

  constructor(
    private readonly dispatcher: TaskDispatcher,
    private readonly store: TaskStore,
    private readonly options: ResolvedEngineOptions,
    private readonly logger: Logger,
  ) {}

  /**
   * Stores a turn that waits from now on, by `put` with its run.
   *
   * @throws UnavailableError if too many wait, those that come at the same moment included
   */
  async enter<T>(agent: string, terms: TurnTerms, put: (run: TaskRun) => Promise<T>): Promise<T> {
    this.#entering += 1;
    try {
      const waiting = await this.dispatcher.waiting(agent).catch(() => 0);
      if (waiting + this.#entering > this.options.limits.waitingTurns) {
        throw new UnavailableError('The agent is busy; try again later');
      }
      return await put(await this.again(terms));
    } finally {
      this.#entering -= 1;
    }
  }

  /** The run of a turn that waits from now on. */
  async again(terms: TurnTerms): Promise<TaskRun> {
    const { requeueAfter } = this.options;
    const span = Math.floor(Date.now() / requeueAfter);
    const worker = `queued-${requeueAfter}-${span % SLOTS}`;
    const leaseUntil = (span + 2) * requeueAfter;
    if (span > this.#span) {
      await this.store.renewLease(worker, leaseUntil);
      this.#span = span;
    }
    return { worker, leaseUntil, terms, attempt: 0 };
  }

  /** Hands a turn that is stored to whoever runs it; `false` if it has to wait. It never rejects: the store has it anyway. */
  async dispatch({ agent, id, epoch, run, task }: TaskRecord): Promise<boolean> {
    const message = task.history?.findLast(({ messageId }) => messageId === run?.terms?.messageId);
    if (!run?.terms || !message) return false;
    return this.#send({ agent, taskId: id, epoch, message, call: run.terms.call });
  }

  /** Takes jobs from now on. */
  start(agent: string, run: (job: TurnJob) => Promise<void>): void {
    this.#stop ??= this.dispatcher.work(agent, run);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#stop?.();
  }

  async #send(turn: QueuedTurn): Promise<boolean> {
    const key = `${turn.taskId} ${turn.epoch}`;
    try {
      await this.dispatcher.dispatch(turn);
      this.#unsent.delete(key);
      return true;
    } catch (error) {
      if (this.#unsent.size === 0) this.logger.warn(`Turns cannot be queued for now: ${saidBy(error)}`);
      // Of more the store knows.
      if (this.#unsent.size < UNSENT) this.#unsent.set(key, turn);
      this.#timer ??= setInterval(() => void this.#sendAgain(), SEND_AGAIN).unref();
      return false;
    }
  }

  async #sendAgain(): Promise<void> {
    for (const turn of [...this.#unsent.values()]) {
      // It is away still.
      if (!(await this.#send(turn))) return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

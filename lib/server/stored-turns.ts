import type { Logger } from '@nestjs/common';
import type { TurnRequest } from './default-request-context.js';
import type { TurnRunner } from './leased-turns.js';
import { StaleRunError, StoreUnavailableError, TaskVersionConflictError } from './store-errors.js';
import type { TurnJob } from './task-dispatcher.js';
import type { EngineParts } from './task-engine.js';
import { isQueued, type TaskRecord, type TaskRun, type TurnTerms } from './task-record.js';
import { systemScope } from './task-scope.js';
import { saidBy } from './thrown-value.js';
import type { Turn } from './turn.js';
import type { TurnAdmission } from './turn-admission.js';
import { TurnQueue } from './turn-queue.js';
import { requestOf } from './turn-terms.js';
import { countsLeases, type WorkerLease } from './worker-lease.js';

/** Turns that begin from what the store has: another attempt at a message, or the first at one that waited in a queue. */
export class StoredTurns {
  readonly #queue: TurnQueue | undefined;
  #isStopped = false;

  constructor(
    private readonly parts: EngineParts,
    private readonly lease: WorkerLease,
    private readonly admission: TurnAdmission,
    private readonly runner: TurnRunner,
    private readonly logger: Logger,
    /** Told of a turn that the store may have as begun, without an answer. */
    private readonly onUnsure: (begun: TaskRecord) => void,
  ) {
    this.#queue = this.#makeQueue();
  }

  /** Whether turns wait in a queue for a process that runs them. */
  get queues(): boolean {
    return this.#queue !== undefined;
  }

  /** Takes turns out of the queue from now on. */
  start(): void {
    this.#queue?.start(this.parts.agent, (job) => this.#runQueued(job));
  }

  /** Takes none any more; resolves when those that were taken are over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#queue?.stop();
  }

  /**
   * Stores a turn that waits, by `put` with its run.
   *
   * @throws UnavailableError if too many wait
   */
  async enqueue(terms: TurnTerms, put: (run: TaskRun) => Promise<TaskRecord>): Promise<TaskRecord> {
    if (!this.#queue) throw new Error('No turns wait where there is no dispatcher');
    return this.#queue.enter(this.parts.agent, terms, put);
  }

  /** Hands a turn that waits to whoever runs it. */
  async dispatch(record: TaskRecord): Promise<void> {
    await this.#queue?.dispatch(record);
  }

  /**
   * Runs a turn on a task that was taken over. One that waited, or that nobody runs here, is queued again, so that no more run
   * at a time than workers take; where there is no queue for the moment it runs all the same.
   */
  async retry(record: TaskRecord, request: TurnRequest): Promise<void> {
    const { run, version, epoch } = record;
    const runsHere = this.parts.options.role !== 'api';
    if (!this.#queue || !run?.terms || (runsHere && !isQueued(run))) {
      await this.#begin(record, request);
      return;
    }
    const queued = await this.#queue.again(run.terms);
    const again: TaskRecord = { ...record, version: version + 1, epoch: epoch + 1, run: queued };
    await this.parts.store.put(again, []);
    const isSent = await this.#queue.dispatch(again);
    if (!isSent && runsHere) await this.#begin(again, request);
  }

  /** Runs the same attempt of a turn that is stored as begun, but was not. */
  async beginAgain(record: TaskRecord): Promise<void> {
    const request = requestOf(record);
    if (request) await this.#begin(record, { ...request, attempt: record.run?.attempt ?? 1 });
  }

  #makeQueue(): TurnQueue | undefined {
    const { dispatcher, store, options } = this.parts;
    if (!dispatcher) return undefined;
    if (countsLeases(store)) return new TurnQueue(dispatcher, store, options, this.logger);
    throw new Error(
      'The option "dispatcher" needs a task store that outlives its processes, such as SqlTaskStore',
    );
  }

  /** Runs a turn that waited, unless somebody has begun it; resolves when the turn is over. */
  async #runQueued(job: TurnJob): Promise<void> {
    const { taskId } = job;
    try {
      await this.lease.hold();
      const turn = await this.#beginQueued(job);
      await turn?.closed.promise;
    } catch (error) {
      this.logger.warn(
        `Task ${taskId}: its turn could not begin and is found in the store later: ${saidBy(error)}`,
      );
    }
  }

  /** Begins a turn that waits still. With a higher epoch than its job it was found in the store meanwhile. */
  async #beginQueued({ taskId, epoch }: TurnJob): Promise<Turn | undefined> {
    const { agent, store } = this.parts;
    for (;;) {
      const record = await store.get(taskId, systemScope(agent));
      const request = record && record.epoch >= epoch && isQueued(record.run) && requestOf(record);
      if (!record || !request || this.#isStopped) return undefined;
      try {
        return await this.#begin(record, { ...request, attempt: 1 });
      } catch (error) {
        // Somebody has begun it, or has found it and is about to queue it again.
        if (!(error instanceof TaskVersionConflictError || error instanceof StaleRunError)) throw error;
      }
    }
  }

  /** Stored as begun before the agent runs, so that nobody else begins it too. */
  async #begin(record: TaskRecord, request: TurnRequest): Promise<Turn> {
    const { version, epoch, run } = record;
    const again: TaskRecord = {
      ...record,
      version: version + 1,
      epoch: epoch + 1,
      run: { ...this.lease.runOf(run?.terms), attempt: request.attempt ?? 1 },
    };
    await this.parts.store.put(again, []).catch((error: unknown) => {
      if (error instanceof StoreUnavailableError) this.onUnsure(again);
      throw error;
    });
    let leave: (() => void) | undefined;
    const turn = this.runner.open(again, () => leave?.());
    void this.admission.enterLater(record.owner, turn.signal).then((entered) => {
      leave = entered;
      if (entered && turn.open) this.runner.run(turn, request);
      else {
        entered?.();
        turn.executed.resolve();
      }
    });
    return turn;
  }
}

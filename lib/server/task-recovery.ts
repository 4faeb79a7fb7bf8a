import type { Logger } from '@nestjs/common';
import { isTerminal, TaskState } from '../protocol/index.js';
import { agentMessage } from './agent-content.js';
import type { ResolvedEngineOptions } from './engine-options.js';
import type { LiveTask } from './live-task.js';
import { StaleRunError } from './store-errors.js';
import { statusChange } from './task-changes.js';
import { isAtWork, isQueued, type TaskRecord } from './task-record.js';
import { systemScope } from './task-scope.js';
import type { TaskStore } from './task-store.js';
import { requestOf } from './turn-terms.js';
import type { TurnRequest } from './default-request-context.js';

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;

/** What recovery needs of the engine. */
export interface RecoveringEngine {
  readonly store: TaskStore;
  readonly options: ResolvedEngineOptions;
  /** A task that changes from outside of any turn. */
  liveTask(record: TaskRecord): LiveTask;
  /** Begins another turn on a task that is held here. */
  retry(record: TaskRecord, request: TurnRequest): Promise<void>;
}

/**
 * Decides what becomes of tasks whose turn was lost, with its process or with the store: by the option `recovery` they fail
 * or are tried again. The record's run is that of this worker by then, so that nobody else decides too.
 */
export class TaskRecovery {
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopped = false;

  constructor(
    private readonly engine: RecoveringEngine,
    private readonly logger: Logger,
  ) {}

  /** Recovers a task that was taken over from another worker. It never rejects. */
  async recover(record: TaskRecord): Promise<void> {
    const { id, agent, epoch } = record;
    const reason = 'The agent was interrupted';
    try {
      await this.#decide(record, reason);
    } catch {
      this.#again(() => this.#recoverStored({ id, agent, epoch, reason }), FIRST_DELAY);
    }
  }

  /** Recovers a task that is held here and has no turn any more, as soon as the store takes it. */
  recoverLost({ id, scope: { agent }, epoch }: LiveTask, reason = 'The agent was interrupted'): void {
    this.#try(() => this.#recoverStored({ id, agent, epoch, reason }), FIRST_DELAY);
  }

  /** A put that would have claimed a task for this worker got no answer: if it was written, `then` sees to the task. */
  unsure({ id, agent, epoch, run }: TaskRecord, then: (record: TaskRecord) => Promise<unknown>): void {
    this.#try(async () => {
      const record = await this.engine.store.get(id, systemScope(agent));
      if (record?.epoch === epoch && record.run?.worker === run?.worker) await then(record);
    }, FIRST_DELAY);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Does it now, or as soon as the store takes it. */
  #try(recover: () => Promise<void>, delay: number): void {
    void recover().catch(() => {
      this.#again(recover, delay);
    });
  }

  async #recoverStored({ id, agent, epoch, reason }: LostTurn): Promise<void> {
    const record = await this.engine.store.get(id, systemScope(agent));
    // Somebody else has taken it over, or it has ended.
    if (record?.epoch === epoch) await this.#decide(record, reason);
  }

  async #decide(record: TaskRecord, reason: string): Promise<void> {
    const { task, run } = record;
    const { state } = task.status;
    if (isTerminal(state) || this.#stopped) return;
    // Nobody was at work on it: it goes on waiting.
    if (!isAtWork(run, state)) {
      await this.engine.liveTask(record).release();
      return;
    }
    const request = requestOf(record);
    if (isQueued(run) && request) return this.engine.retry(record, { ...request, attempt: 1 });
    const { recovery, recoveryAttempts } = this.engine.options;
    if (recovery === 'fail') return this.#fail(record, reason);
    const { attempt = 1 } = run ?? {};
    if (attempt >= recoveryAttempts) return this.#fail(record, `${reason} in ${attempt} attempts`);
    if (!request) return this.#fail(record, reason);
    this.logger.warn(`Task ${record.id}: ${reason}; trying again`);
    await this.engine.retry(record, { ...request, attempt: attempt + 1 });
  }

  async #fail(record: TaskRecord, reason: string): Promise<void> {
    const ids = { taskId: record.id, contextId: record.task.contextId ?? '' };
    const message = agentMessage(reason, ids, Infinity);
    try {
      await this.engine.liveTask(record).change(statusChange(ids, TaskState.Failed, message), true);
    } catch (error) {
      if (error instanceof StaleRunError) return;
      throw error;
    }
    this.logger.warn(`Task ${record.id}: failed. ${reason}`);
  }

  #again(recover: () => Promise<void>, delay: number): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#try(recover, Math.min(delay * 2, LONGEST_DELAY));
    }, delay);
    timer.unref();
    this.#timers.add(timer);
  }
}

interface LostTurn {
  readonly id: string;
  readonly agent: string;
  readonly epoch: number;
  readonly reason: string;
}

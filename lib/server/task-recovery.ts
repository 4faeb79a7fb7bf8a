import type { Logger } from '@nestjs/common';
import { isTerminal, TaskState } from '../protocol/index.js';
import { agentMessage } from './agent-content.js';
import type { LiveTask } from './live-task.js';
import { statusChange } from './task-changes.js';
import type { TaskRecord } from './task-record.js';
import { systemScope } from './task-scope.js';
import type { TaskStore } from './task-store.js';

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;

/** Marks tasks as failed whose turn was lost with the store, as soon as the store is back. */
export class TaskRecovery {
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopped = false;

  constructor(
    private readonly store: TaskStore,
    private readonly liveTask: (record: TaskRecord) => LiveTask,
    private readonly logger: Logger,
  ) {}

  /** Tries until the store takes it, or somebody else has taken the task over. */
  failLater(live: LiveTask, delay = FIRST_DELAY): void {
    void this.#fail(live).catch(() => {
      this.#again(live, delay);
    });
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async #fail({ id, scope, epoch }: LiveTask): Promise<void> {
    const record = await this.store.get(id, systemScope(scope.agent));
    if (record?.epoch !== epoch || isTerminal(record.task.status.state)) return;
    const ids = { taskId: id, contextId: record.task.contextId ?? '' };
    const message = agentMessage('The agent could not store its work', ids, Infinity);
    await this.liveTask(record).change(statusChange(ids, TaskState.Failed, message), true);
    this.logger.warn(`Task ${id}: failed, its work could not be stored`);
  }

  #again(live: LiveTask, delay: number): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.failLater(live, Math.min(delay * 2, LONGEST_DELAY));
    }, delay);
    timer.unref();
    this.#timers.add(timer);
  }
}

import type { TaskEvent } from '../protocol/index.js';
import { AgentTasks } from './agent-tasks.js';
import { getOrMake } from './get-or-make.js';
import { MessageClaims } from './message-claims.js';
import type { StoredTask } from './stored-task.js';
import type { IndexPage } from './task-index.js';
import type { TaskKey, Unsubscribe } from './task-event-bus.js';
import type { TaskRecord } from './task-record.js';
import type { Scope, TaskScope } from './task-scope.js';
import {
  TaskStore,
  type HeldMessage,
  type MessageClaim,
  type TaskPage,
  type TaskQuery,
} from './task-store.js';

/**
 * How {@link InMemoryTaskStore} keeps tasks.
 *
 * @publicApi
 */
export interface InMemoryTaskStoreOptions {
  /**
   * How many finished tasks of an agent are kept: past it the one that finished first is removed. Tasks that run
   * or wait are always kept. `Infinity` keeps everything. Default 10,000.
   */
  finishedTasks?: number;
}

/**
 * The default store: in memory, bounded, gone when the process ends.
 *
 * A put costs its changes and a listing its page, however large the tasks and however many there are.
 *
 * @publicApi
 */
export class InMemoryTaskStore extends TaskStore {
  override readonly claimsMessages = true;
  readonly #claims = new MessageClaims();
  readonly #agents = new Map<string, AgentTasks>();
  readonly #finishedTasks: number;
  readonly #removalListeners = new Set<(key: TaskKey) => void>();

  /** @throws RangeError if an option is out of range */
  constructor({ finishedTasks = 10_000 }: InMemoryTaskStoreOptions = {}) {
    super();
    if (!(finishedTasks >= 0)) {
      throw new RangeError(`finishedTasks: must be 0 or more, or Infinity; found ${finishedTasks}`);
    }
    this.#finishedTasks = finishedTasks;
  }

  override async get(id: string, scope: Scope): Promise<TaskRecord | undefined> {
    return this.#agents.get(scope.agent)?.find(id, scope)?.toRecord();
  }

  override async put(record: TaskRecord, changes: readonly TaskEvent[]): Promise<void> {
    const agent = getOrMake(this.#agents, record.agent, () => new AgentTasks());
    agent.put(record, changes);
    while (agent.finished > this.#finishedTasks) this.#tellRemoved(agent.dropFirst());
  }

  override async list(query: TaskQuery, scope: Scope): Promise<TaskPage> {
    const { tasks, total, more } = this.#agents.get(scope.agent)?.page(query, scope) ?? NOTHING;
    return { records: tasks.map((task) => task.toRecord(query.includeArtifacts ?? false)), total, more };
  }

  override async remove(id: string, scope: Scope): Promise<void> {
    const agent = this.#agents.get(scope.agent);
    const stored = agent?.find(id, scope);
    if (!agent || !stored) return;
    agent.drop(stored);
    this.#tellRemoved(stored);
  }

  override async claimMessage(
    scope: TaskScope,
    messageId: string,
    claim: MessageClaim,
    until: number,
  ): Promise<HeldMessage | undefined> {
    return this.#claims.take(claimKey(scope, messageId), claim, until);
  }

  override async releaseMessage(scope: TaskScope, messageId: string, taskId: string): Promise<void> {
    this.#claims.release(claimKey(scope, messageId), taskId);
  }

  override onRemoval(listener: (key: TaskKey) => void): Unsubscribe {
    this.#removalListeners.add(listener);
    return () => this.#removalListeners.delete(listener);
  }

  #tellRemoved(stored: StoredTask | undefined): void {
    if (!stored) return;
    for (const tell of this.#removalListeners) tell({ agent: stored.home.scope.agent, id: stored.id });
  }
}

const NOTHING: IndexPage<StoredTask> = { tasks: [], total: 0, more: false };

function claimKey({ agent, tenant, owner }: TaskScope, messageId: string): string {
  return JSON.stringify([agent, tenant ?? null, owner ?? null, messageId]);
}

import { isTerminal, type TaskEvent } from '../protocol/index.js';
import { FinishOrder } from './finish-order.js';
import { getOrMake } from './get-or-make.js';
import { MessageClaims } from './message-claims.js';
import { StaleRunError, TaskVersionConflictError } from './store-errors.js';
import { StoredTask, type ScopedTasks } from './stored-task.js';
import { TaskIndex } from './task-index.js';
import type { TaskKey, Unsubscribe } from './task-event-bus.js';
import type { TaskRecord } from './task-record.js';
import { isInScope, type Scope, type TaskScope } from './task-scope.js';
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

/** The tasks of one agent. */
class AgentTasks {
  readonly byId = new Map<string, StoredTask>();
  readonly everybody = new TaskIndex<StoredTask>();
  readonly finished = new FinishOrder<StoredTask>();
  readonly scopes = new Map<string, ScopedTasks>();
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
    return this.#find(id, scope)?.toRecord();
  }

  override async put(record: TaskRecord, changes: readonly TaskEvent[]): Promise<void> {
    const agent = getOrMake(this.#agents, record.agent, () => new AgentTasks());
    const stored = agent.byId.get(record.id);
    if (stored) this.#update(agent, stored, record, changes);
    else this.#create(agent, record, changes);
    while (agent.finished.size > this.#finishedTasks) {
      const first = agent.finished.takeFirst();
      if (first) this.#drop(agent, first);
    }
  }

  override async list(query: TaskQuery, scope: Scope): Promise<TaskPage> {
    const agent = this.#agents.get(scope.agent);
    const index = 'system' in scope ? agent?.everybody : agent?.scopes.get(keyOf(scope))?.index;
    if (!index) return { records: [], total: 0, more: false };
    const { tasks, total, more } = index.page(query);
    return { records: tasks.map((task) => task.toRecord(query.includeArtifacts ?? false)), total, more };
  }

  override async remove(id: string, scope: Scope): Promise<void> {
    const agent = this.#agents.get(scope.agent);
    const stored = this.#find(id, scope);
    if (agent && stored) this.#drop(agent, stored);
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

  #find(id: string, scope: Scope): StoredTask | undefined {
    const stored = this.#agents.get(scope.agent)?.byId.get(id);
    return stored && isInScope(stored.home.scope, scope) ? stored : undefined;
  }

  #create(agent: AgentTasks, record: TaskRecord, changes: readonly TaskEvent[]): void {
    // A later version of a task that is not here was removed, and must not come back.
    if (record.version !== 1) throw new TaskVersionConflictError(record.id, record.version - 1, 0);
    const home = getOrMake(agent.scopes, keyOf(record), () => ({
      scope: scopeOf(record),
      index: new TaskIndex<StoredTask>(),
    }));
    const stored = new StoredTask(home, record, changes);
    agent.byId.set(stored.id, stored);
    this.#enter(agent, stored);
  }

  #update(agent: AgentTasks, stored: StoredTask, record: TaskRecord, changes: readonly TaskEvent[]): void {
    if (record.epoch < stored.epoch) throw new StaleRunError(record.id);
    if (record.version !== stored.version + 1 || !isInScope(record, stored.home.scope)) {
      throw new TaskVersionConflictError(record.id, record.version - 1, stored.version);
    }
    stored.write(record, changes);
    if (stored.isSettled) return;
    this.#leave(agent, stored);
    stored.settle();
    this.#enter(agent, stored);
  }

  #drop(agent: AgentTasks, stored: StoredTask): void {
    this.#leave(agent, stored);
    agent.byId.delete(stored.id);
    const { scope, index } = stored.home;
    if (index.size === 0) agent.scopes.delete(keyOf(scope));
    for (const tell of this.#removalListeners) tell({ agent: scope.agent, id: stored.id });
  }

  #enter(agent: AgentTasks, stored: StoredTask): void {
    agent.everybody.add(stored);
    stored.home.index.add(stored);
    if (isTerminal(stored.state)) agent.finished.add(stored);
  }

  #leave(agent: AgentTasks, stored: StoredTask): void {
    agent.everybody.remove(stored);
    stored.home.index.remove(stored);
    if (isTerminal(stored.state)) agent.finished.delete(stored);
  }
}

function keyOf({ tenant, owner }: TaskScope): string {
  return JSON.stringify([tenant ?? null, owner ?? null]);
}

function claimKey({ agent, tenant, owner }: TaskScope, messageId: string): string {
  return JSON.stringify([agent, tenant ?? null, owner ?? null, messageId]);
}

function scopeOf({ agent, tenant, owner }: TaskScope): TaskScope {
  return { agent, ...(tenant !== undefined && { tenant }), ...(owner !== undefined && { owner }) };
}

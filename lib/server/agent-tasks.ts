import { isTerminal, type TaskEvent } from '../protocol/index.js';
import { FinishOrder } from './finish-order.js';
import { getOrMake } from './get-or-make.js';
import { StaleRunError, TaskVersionConflictError } from './store-errors.js';
import { StoredTask, type ScopedTasks } from './stored-task.js';
import { TaskIndex, type IndexPage } from './task-index.js';
import type { TaskRecord } from './task-record.js';
import { isInScope, type Scope, type TaskScope } from './task-scope.js';
import type { TaskQuery } from './task-store.js';

/** Tasks that may wait for their place in the indexes. A listing files them first, and must not take long for that. */
const UNFILED = 256;

/** The tasks of one agent in memory: by id, in the order of listings, and in the order in which they finished. */
export class AgentTasks {
  readonly #byId = new Map<string, StoredTask>();
  readonly #everybody = new TaskIndex<StoredTask>();
  readonly #scopes = new Map<string, ScopedTasks>();
  readonly #finished = new FinishOrder<StoredTask>();
  /** Stand in no index: most tasks change several times at once, and are filed once for that. */
  readonly #unfiled = new Set<StoredTask>();

  /** How many of them are finished. */
  get finished(): number {
    return this.#finished.size;
  }

  find(id: string, scope: Scope): StoredTask | undefined {
    const stored = this.#byId.get(id);
    return stored && isInScope(stored.home.scope, scope) ? stored : undefined;
  }

  /** @throws TaskVersionConflictError, StaleRunError */
  put(record: TaskRecord, changes: readonly TaskEvent[]): void {
    const stored = this.#byId.get(record.id);
    if (stored) this.#update(stored, record, changes);
    else this.#create(record, changes);
  }

  page(query: TaskQuery, scope: Scope): IndexPage<StoredTask> {
    this.#fileAll();
    const index = 'system' in scope ? this.#everybody : this.#scopes.get(keyOf(scope))?.index;
    return index?.page(query) ?? { tasks: [], total: 0, more: false };
  }

  drop(stored: StoredTask): void {
    this.#leave(stored);
    this.#unfiled.delete(stored);
    this.#byId.delete(stored.id);
    const { home } = stored;
    home.size -= 1;
    if (home.size === 0) this.#scopes.delete(keyOf(home.scope));
  }

  /** Drops the one that finished first. */
  dropFirst(): StoredTask | undefined {
    const first = this.#finished.takeFirst();
    if (first) this.drop(first);
    return first;
  }

  #create(record: TaskRecord, changes: readonly TaskEvent[]): void {
    // A later version of a task that is not here was removed, and must not come back.
    if (record.version !== 1) throw new TaskVersionConflictError(record.id, record.version - 1, 0);
    const home = getOrMake(this.#scopes, keyOf(record), () => homeOf(record));
    const stored = new StoredTask(home, record, changes);
    home.size += 1;
    this.#byId.set(stored.id, stored);
    this.#enter(stored);
  }

  #update(stored: StoredTask, record: TaskRecord, changes: readonly TaskEvent[]): void {
    if (record.epoch < stored.epoch) throw new StaleRunError(record.id);
    if (record.version !== stored.version + 1 || !isInScope(record, stored.home.scope)) {
      throw new TaskVersionConflictError(record.id, record.version - 1, stored.version);
    }
    stored.write(record, changes);
    if (stored.isSettled) return;
    this.#leave(stored);
    stored.settle();
    this.#enter(stored);
  }

  #enter(stored: StoredTask): void {
    this.#unfiled.add(stored);
    if (this.#unfiled.size > UNFILED) this.#fileAll();
    if (isTerminal(stored.state)) this.#finished.add(stored);
  }

  #leave(stored: StoredTask): void {
    if (!this.#unfiled.has(stored)) {
      this.#everybody.remove(stored);
      stored.home.index.remove(stored);
    }
    if (isTerminal(stored.state)) this.#finished.delete(stored);
  }

  #fileAll(): void {
    for (const stored of this.#unfiled) {
      this.#everybody.add(stored);
      stored.home.index.add(stored);
    }
    this.#unfiled.clear();
  }
}

function homeOf({ agent, tenant, owner }: TaskScope): ScopedTasks {
  const scope = { agent, ...(tenant !== undefined && { tenant }), ...(owner !== undefined && { owner }) };
  return { scope, index: new TaskIndex(), size: 0 };
}

function keyOf({ tenant, owner }: TaskScope): string {
  return JSON.stringify([tenant ?? null, owner ?? null]);
}

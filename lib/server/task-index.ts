import type { TaskState } from '../protocol/index.js';
import { getOrMake } from './get-or-make.js';
import { RecencyIndex } from './recency-index.js';
import type { TaskCursor, TaskQuery } from './task-store.js';

/** What an index must know of a task; none of it may change while the task is in the index. */
export interface IndexedTask extends TaskCursor {
  readonly contextId: string | undefined;
  readonly state: TaskState;
}

/** One page of tasks, as {@link TaskStore.list} describes it. */
export interface IndexPage<T> {
  readonly tasks: readonly T[];
  readonly total: number;
  readonly more: boolean;
}

type Filters = Pick<TaskQuery, 'contextId' | 'status'>;

/** Up to this many tasks a look at each is fast enough, and most scopes and contexts stay below it. */
const SCAN = 64;

/**
 * The tasks of one scope, ordered for every filter of a listing (§3.1.4).
 *
 * The indexes by state and by context are made when there are too many tasks to look at each, so that the many
 * small scopes and contexts cost next to nothing. A context of one task is that task.
 */
export class TaskIndex<T extends IndexedTask> {
  readonly #all = new RecencyIndex<T>();
  #states: Map<TaskState, RecencyIndex<T>> | undefined;
  #contexts: Map<string, T | TaskIndex<T>> | undefined;

  /** `byContext`: whether there may be more than one context. */
  constructor(private readonly byContext = true) {}

  get size(): number {
    return this.#all.size;
  }

  add(task: T): void {
    this.#all.add(task);
    if (this.#states) this.#file(task, this.#states);
    else if (this.size > SCAN) this.#split();
  }

  remove(task: T): void {
    this.#all.remove(task);
    this.#states?.get(task.state)?.remove(task);
    if (task.contextId === undefined || !this.#contexts) return;
    const context = this.#contexts.get(task.contextId);
    if (context instanceof TaskIndex) context.remove(task);
    if (context instanceof TaskIndex ? context.size === 0 : context === task) {
      this.#contexts.delete(task.contextId);
    }
  }

  page(query: TaskQuery): IndexPage<T> {
    const { after, limit, statusTimestampAfter: since } = query;
    const matching = this.#select(query);
    const found = matching.page(limit + 1, after);
    const recent = since === undefined ? found : found.filter(({ timestamp }) => timestamp >= since);
    return {
      tasks: recent.slice(0, limit),
      total: since === undefined ? matching.size : matching.countSince(since),
      more: recent.length > limit,
    };
  }

  #select(filters: Filters): RecencyIndex<T> {
    const { contextId, status } = filters;
    if (contextId !== undefined && this.#contexts) {
      const context = this.#contexts.get(contextId);
      if (context instanceof TaskIndex) return context.#select({ status });
      return matching(context ? [context] : [], filters);
    }
    if (contextId === undefined && status === undefined) return this.#all;
    if (contextId === undefined && status !== undefined && this.#states) {
      return this.#states.get(status) ?? new RecencyIndex();
    }
    return matching(this.#all.page(this.size), filters);
  }

  #split(): void {
    this.#states = new Map();
    if (this.byContext) this.#contexts = new Map();
    for (const task of this.#all.page(this.size)) this.#file(task, this.#states);
  }

  /** Adds a task to the indexes by state and by context. */
  #file(task: T, states: Map<TaskState, RecencyIndex<T>>): void {
    getOrMake(states, task.state, () => new RecencyIndex()).add(task);
    if (task.contextId === undefined || !this.#contexts) return;
    const context = this.#contexts.get(task.contextId);
    if (context instanceof TaskIndex) {
      context.add(task);
      return;
    }
    this.#contexts.set(task.contextId, context ? contextOf(context, task) : task);
  }
}

function contextOf<T extends IndexedTask>(...tasks: T[]): TaskIndex<T> {
  const context = new TaskIndex<T>(false);
  for (const task of tasks) context.add(task);
  return context;
}

/** An index of those few tasks that match. */
function matching<T extends IndexedTask>(
  tasks: readonly T[],
  { contextId, status }: Filters,
): RecencyIndex<T> {
  const index = new RecencyIndex<T>();
  for (const task of tasks) {
    if (contextId !== undefined && task.contextId !== contextId) continue;
    if (status === undefined || task.state === status) index.add(task);
  }
  return index;
}

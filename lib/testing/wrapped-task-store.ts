import { type TaskEvent } from '../protocol/index.js';
import {
  TaskStore,
  type HeldMessage,
  type MessageClaim,
  type TaskPage,
  type TaskQuery,
} from '../server/task-store.js';
import type { TaskKey, Unsubscribe } from '../server/task-event-bus.js';
import type { TaskRecord } from '../server/task-record.js';
import type { Scope, TaskScope } from '../server/task-scope.js';

/**
 * One call of a task store.
 *
 * @publicApi
 */
export interface TaskStoreCall {
  readonly method:
    | 'get'
    | 'put'
    | 'list'
    | 'remove'
    | 'events'
    | 'renewLease'
    | 'endLease'
    | 'takeExpired'
    | 'claimMessage'
    | 'releaseMessage';
  /** Which call of this method it is, from 1. */
  readonly count: number;
  /** The task; absent where the call is about no single one. */
  readonly taskId?: string;
}

/**
 * A store that does something around every call of another one: the base of stores for tests.
 *
 * @publicApi
 */
export abstract class WrappedTaskStore extends TaskStore {
  readonly #counts = new Map<TaskStoreCall['method'], number>();

  override readonly durable: boolean;
  override readonly keepsEvents: boolean;
  override readonly claimsMessages: boolean;

  constructor(protected readonly inner: TaskStore) {
    super();
    this.durable = inner.durable;
    this.keepsEvents = inner.keepsEvents;
    this.claimsMessages = inner.claimsMessages;
  }

  /** Makes the call by `run`, or does not. */
  protected abstract around<T>(call: TaskStoreCall, run: () => Promise<T>): Promise<T>;

  override get(id: string, scope: Scope): Promise<TaskRecord | undefined> {
    return this.around(this.#call('get', id), () => this.inner.get(id, scope));
  }

  override put(record: TaskRecord, changes: readonly TaskEvent[]): Promise<void> {
    return this.around(this.#call('put', record.id), () => this.inner.put(record, changes));
  }

  override list(query: TaskQuery, scope: Scope): Promise<TaskPage> {
    return this.around(this.#call('list'), () => this.inner.list(query, scope));
  }

  override remove(id: string, scope: Scope): Promise<void> {
    return this.around(this.#call('remove', id), () => this.inner.remove(id, scope));
  }

  override events(
    id: string,
    scope: Scope,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly TaskEvent[] | undefined> {
    return this.around(this.#call('events', id), () => this.inner.events(id, scope, page));
  }

  override renewLease(worker: string, leaseUntil: number): Promise<number> {
    return this.around(this.#call('renewLease'), () => this.inner.renewLease(worker, leaseUntil));
  }

  override endLease(worker: string): Promise<void> {
    return this.around(this.#call('endLease'), () => this.inner.endLease(worker));
  }

  override takeExpired(agent: string, worker: string, limit: number): Promise<readonly TaskRecord[]> {
    return this.around(this.#call('takeExpired'), () => this.inner.takeExpired(agent, worker, limit));
  }

  override claimMessage(
    scope: TaskScope,
    messageId: string,
    claim: MessageClaim,
    until: number,
  ): Promise<HeldMessage | undefined> {
    return this.around(this.#call('claimMessage', claim.taskId), () =>
      this.inner.claimMessage(scope, messageId, claim, until),
    );
  }

  override releaseMessage(scope: TaskScope, messageId: string, taskId: string): Promise<void> {
    return this.around(this.#call('releaseMessage', taskId), () =>
      this.inner.releaseMessage(scope, messageId, taskId),
    );
  }

  override onRemoval(listener: (key: TaskKey) => void): Unsubscribe {
    return this.inner.onRemoval(listener);
  }

  #call(method: TaskStoreCall['method'], taskId?: string): TaskStoreCall {
    const count = (this.#counts.get(method) ?? 0) + 1;
    this.#counts.set(method, count);
    return taskId === undefined ? { method, count } : { method, count, taskId };
  }
}

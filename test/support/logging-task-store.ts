import {
  InMemoryTaskStore,
  isInScope,
  systemScope,
  TaskStore,
  type HeldMessage,
  type MessageClaim,
  type Scope,
  type TaskEvent,
  type TaskKey,
  type TaskPage,
  type TaskQuery,
  type TaskRecord,
  type TaskScope,
  type Unsubscribe,
} from 'nest-a2a';

/**
 * A store that stands for a database: it outlives the applications that use it, keeps the events of tasks and counts the
 * leases of workers.
 */
export class LoggingTaskStore extends TaskStore {
  override readonly durable = true;
  override readonly keepsEvents = true;
  override readonly claimsMessages = true;
  readonly #tasks = new InMemoryTaskStore({ finishedTasks: Infinity });
  readonly #events = new Map<string, { scope: TaskScope; events: TaskEvent[] }>();
  /** The tasks that somebody drives, by agent and id. */
  readonly #driven = new Map<string, TaskKey>();
  readonly leases = new Map<string, number>();

  override async get(id: string, scope: Scope): Promise<TaskRecord | undefined> {
    const record = await this.#tasks.get(id, scope);
    return record && this.#withLease(record);
  }

  override async put(record: TaskRecord, changes: readonly TaskEvent[]): Promise<void> {
    await this.#tasks.put(record, changes);
    const { agent, id, run } = record;
    const key = `${agent} ${id}`;
    const log = this.#events.get(key) ?? { scope: record, events: [] };
    log.events.push(...changes);
    this.#events.set(key, log);
    if (run) this.#driven.set(key, { agent, id });
    else this.#driven.delete(key);
  }

  override async list(query: TaskQuery, scope: Scope): Promise<TaskPage> {
    const page = await this.#tasks.list(query, scope);
    return { ...page, records: page.records.map((record) => this.#withLease(record)) };
  }

  override async remove(id: string, scope: Scope): Promise<void> {
    await this.#tasks.remove(id, scope);
    const key = `${scope.agent} ${id}`;
    if (await this.#tasks.get(id, systemScope(scope.agent))) return;
    this.#events.delete(key);
    this.#driven.delete(key);
  }

  override async events(
    id: string,
    scope: Scope,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<readonly TaskEvent[] | undefined> {
    const log = this.#events.get(`${scope.agent} ${id}`);
    if (!log || !isInScope(log.scope, scope)) return undefined;
    return structuredClone(log.events.filter(({ seq }) => seq > after).slice(0, limit));
  }

  override async renewLease(worker: string, leaseUntil: number): Promise<number> {
    const before = this.leases.get(worker) ?? 0;
    this.leases.set(worker, leaseUntil);
    return before;
  }

  override async endLease(worker: string): Promise<void> {
    this.leases.delete(worker);
  }

  override async takeExpired(agent: string, worker: string, limit: number): Promise<readonly TaskRecord[]> {
    const taken: TaskRecord[] = [];
    for (const key of [...this.#driven.values()]) {
      if (taken.length === limit) break;
      const record = key.agent === agent ? await this.get(key.id, systemScope(agent)) : undefined;
      if (!record?.run || record.run.worker === worker || record.run.leaseUntil > Date.now()) continue;
      const { version, epoch, run } = record;
      const next = { ...record, version: version + 1, epoch: epoch + 1, run: { ...run, worker } };
      const isMine = await this.put(next, []).then(
        () => true,
        () => false,
      );
      if (isMine) taken.push(this.#withLease(next));
    }
    return taken;
  }

  override async claimMessage(
    scope: TaskScope,
    messageId: string,
    claim: MessageClaim,
    until: number,
  ): Promise<HeldMessage | undefined> {
    const held = await this.#tasks.claimMessage(scope, messageId, claim, until);
    return held && { ...held, leaseUntil: this.leases.get(held.worker) ?? 0 };
  }

  override releaseMessage(scope: TaskScope, messageId: string, taskId: string): Promise<void> {
    return this.#tasks.releaseMessage(scope, messageId, taskId);
  }

  override onRemoval(listener: (key: TaskKey) => void): Unsubscribe {
    return this.#tasks.onRemoval(listener);
  }

  #withLease(record: TaskRecord): TaskRecord {
    const { run } = record;
    return run ? { ...record, run: { ...run, leaseUntil: this.leases.get(run.worker) ?? 0 } } : record;
  }
}

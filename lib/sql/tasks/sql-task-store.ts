import { Inject, Injectable, Optional } from '@nestjs/common';
import type { TaskEvent } from '../../protocol/index.js';
import { StaleRunError, TaskVersionConflictError } from '../../server/store-errors.js';
import type { TaskKey, Unsubscribe } from '../../server/task-event-bus.js';
import type { TaskRecord } from '../../server/task-record.js';
import type { Scope, TaskScope } from '../../server/task-scope.js';
import {
  TaskStore,
  type HeldMessage,
  type MessageClaim,
  type TaskPage,
  type TaskQuery,
} from '../../server/task-store.js';
import { A2ADatabase } from '../a2a-database.js';
import { statement } from '../database/driver.js';
import { SqliteDriver } from '../database/sqlite-driver.js';
import type { EventKind } from '../schema/tables.js';
import { storedKey } from '../stored-text.js';
import { Cleanup } from './cleanup.js';
import { MessageClaims } from './message-claims.js';
import { PostgresWriter } from './postgres-writer.js';
import { PutQueue } from './put-queue.js';
import { putRow } from './put-row.js';
import { parseEvents, recordColumns, toRecord, type RecordRow } from './record-row.js';
import { SqliteWriter } from './sqlite-writer.js';
import { TaskFilter } from './task-filter.js';
import { TaskLeases } from './task-leases.js';
import { TaskListing } from './task-listing.js';
import { TaskRemoval } from './task-removal.js';
import { SQL_TASK_STORE_OPTIONS, taskStoreSettings, type SqlTaskStoreOptions } from './task-store-options.js';

/**
 * Tasks in an {@link A2ADatabase}: they survive the process, and several processes may share them.
 *
 * The events of a task are the truth, and each put adds its own: a change costs the same however much there is already.
 *
 * @publicApi
 */
@Injectable()
export class SqlTaskStore extends TaskStore {
  override readonly durable = true;
  override readonly keepsEvents = true;
  override readonly claimsMessages = true;
  readonly #queue: PutQueue;
  readonly #leases: TaskLeases;
  readonly #claims: MessageClaims;
  readonly #listing: TaskListing;
  readonly #removal: TaskRemoval;
  readonly #cleanup: Cleanup;

  /** @throws SqlOptionsError if an option is out of range */
  constructor(
    /** @internal */
    readonly database: A2ADatabase,
    @Optional() @Inject(SQL_TASK_STORE_OPTIONS) options: SqlTaskStoreOptions = {},
  ) {
    super();
    const settings = taskStoreSettings(options);
    const { driver, names } = database;
    const writer =
      driver instanceof SqliteDriver ? new SqliteWriter(driver, names) : new PostgresWriter(driver, names);
    this.#queue = new PutQueue(writer);
    this.#leases = new TaskLeases(database);
    this.#claims = new MessageClaims(database);
    this.#listing = new TaskListing(database, settings.countLimit);
    this.#removal = new TaskRemoval(database);
    this.#cleanup = new Cleanup(database, this.#removal, settings.retention);
  }

  override async get(id: string, scope: Scope): Promise<TaskRecord | undefined> {
    const task = TaskFilter.task(id, scope);
    const sql = `select ${recordColumns(this.database)} from ${this.#tasks} t where ${task.toString()}`;
    const [row] = await this.database.run(statement<RecordRow>(sql, task.values));
    return row && toRecord(row, scope.agent, this.database);
  }

  override async put(record: TaskRecord, changes: readonly TaskEvent[]): Promise<void> {
    if (await this.#queue.add(putRow(record, changes))) return;
    const { agent, id, version } = record;
    const sql = `select version, epoch from ${this.#tasks} where agent = $1 and id = $2`;
    const keys = [storedKey(agent), storedKey(id)];
    const [found] = await this.database.run(statement<{ version: number; epoch: number }>(sql, keys));
    if (found && found.epoch > record.epoch) throw new StaleRunError(id);
    if (!found && version === 1)
      throw new TypeError(`Task ${id}: the first event of a new task must be the task`);
    throw new TaskVersionConflictError(id, version - 1, found?.version ?? 0);
  }

  override list(query: TaskQuery, scope: Scope): Promise<TaskPage> {
    return this.#listing.page(query, scope);
  }

  override async remove(id: string, scope: Scope): Promise<void> {
    await this.#removal.remove(TaskFilter.task(id, scope));
  }

  override async events(
    id: string,
    scope: Scope,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<readonly TaskEvent[] | undefined> {
    const task = TaskFilter.task(id, scope);
    const [from, most] = [task.value(after), task.value(limit)];
    // The rows of each kind are in order, and what is asked for is in the first of both.
    const first = (kind: EventKind) => `
      (select string_agg(k.events, ',') from (
        select e.events from ${this.database.names.table('a2a_task_events')} e
        where e.task = t.no and e.kind = '${kind}' and e.last_seq > ${from} order by e.last_seq limit ${most}) k)`;
    const sql = `select ${first('task')} as task, ${first('artifact')} as artifact
      from ${this.#tasks} t where ${task.toString()}`;
    const [found] = await this.database.run(statement<Record<EventKind, string | null>>(sql, task.values));
    if (!found) return undefined;
    const lists = [found.task, found.artifact].filter((list) => list !== null).join(',');
    return parseEvents(lists)
      .filter(({ seq }) => seq > after)
      .slice(0, limit);
  }

  override renewLease(worker: string, leaseUntil: number): Promise<number> {
    return this.#leases.renew(worker, leaseUntil);
  }

  override endLease(worker: string): Promise<void> {
    return this.#leases.end(worker);
  }

  override takeExpired(agent: string, worker: string, limit: number): Promise<readonly TaskRecord[]> {
    return this.#leases.takeExpired(agent, worker, limit);
  }

  override countTurns(scope: TaskScope, limit: number): Promise<number> {
    return this.#listing.countTurns(scope, limit);
  }

  override claimMessage(
    scope: TaskScope,
    messageId: string,
    claim: MessageClaim,
    until: number,
  ): Promise<HeldMessage | undefined> {
    return this.#claims.claim(scope, messageId, claim, until);
  }

  override releaseMessage(scope: TaskScope, messageId: string, taskId: string): Promise<void> {
    return this.#claims.release(scope, messageId, taskId);
  }

  /** Removes at once what `retention` says is old, which otherwise happens now and then. */
  removeOld(): Promise<void> {
    return this.#cleanup.run();
  }

  override onRemoval(listener: (key: TaskKey) => void): Unsubscribe {
    return this.#removal.listen(listener);
  }

  get #tasks(): string {
    return this.database.names.table('a2a_tasks');
  }
}

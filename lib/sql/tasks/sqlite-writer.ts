import type { SqliteDriver } from '../database/sqlite-driver.js';
import type { SchemaNames } from '../schema/schema-names.js';
import type { PutRow } from './put-row.js';
import type { PutWriter } from './put-writer.js';
import { COMPANIONS } from './task-companion.js';

/** Puts in SQLite: few small statements for each, which are prepared and cost little. */
export class SqliteWriter implements PutWriter {
  // The statements of a transaction run at once, so there is never another one.
  readonly lanes = 1;
  // A commit takes as long as a hundred rows, and comes at once: without it each piece would have its own.
  readonly patience = 5;
  readonly #insert: string;
  readonly #update: string;
  readonly #addEvents: string;
  readonly #companions: readonly string[];

  constructor(
    private readonly driver: SqliteDriver,
    names: SchemaNames,
  ) {
    const tasks = names.table('a2a_tasks');
    this.#insert = `
      insert into ${tasks} (agent, id, scope, tenant, owner, context, state, status_at, version, seq, epoch, worker, terms,
        attempt, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      on conflict (agent, id) do nothing returning no`;
    this.#update = `
      update ${tasks} set version = $4, seq = $5, epoch = $6, worker = $7, terms = $8, attempt = $9,
        state = coalesce($10, state), status_at = coalesce($11, status_at),
        context = case when $12 then $13 else context end
      where agent = $1 and id = $2 and scope = $3 and version = $4 - 1 and epoch <= $6 returning no`;
    this.#addEvents = `
      insert into ${names.table('a2a_task_events')} (task, kind, last_seq, events) values ($1, $2, $3, $4)`;
    this.#companions = COMPANIONS.flatMap(({ onPut }) =>
      onPut ? [`with written (agent, id, seq, shown) as (values ($1, $2, $3, $4)) ${onPut(names)}`] : [],
    );
  }

  async write(rows: readonly PutRow[]): Promise<ReadonlySet<PutRow>> {
    return this.driver.transactionNow(() => new Set(rows.filter((row) => this.#write(row))));
  }

  #write(row: PutRow): boolean {
    const no = row.version === 1 ? this.#create(row) : this.#change(row);
    if (no === undefined) return false;
    for (const { kind, lastSeq, events } of row.events) {
      this.driver.runNow(this.#addEvents, [no, kind, lastSeq, events]);
    }
    for (const sql of this.#companions) this.driver.runNow(sql, [row.agent, row.id, row.seq, row.shown]);
    return true;
  }

  #create(row: PutRow): number | undefined {
    const { agent, id, scope, tenant, owner, whole, state, statusAt } = row;
    const { version, seq, epoch, worker, terms, attempt } = row;
    if (whole === null) return undefined;
    const task = [agent, id, scope, tenant, owner, whole.context, state, statusAt];
    const values = [...task, version, seq, epoch, worker, terms, attempt, Date.now()];
    return this.driver.runNow<{ no: number }>(this.#insert, values)[0]?.no;
  }

  #change(row: PutRow): number | undefined {
    const { agent, id, scope, version, seq, epoch, worker, terms, attempt, state, statusAt, whole } = row;
    const values = [agent, id, scope, version, seq, epoch, worker, terms, attempt, state, statusAt];
    const context = [whole === null ? 0 : 1, whole?.context ?? null];
    return this.driver.runNow<{ no: number }>(this.#update, [...values, ...context])[0]?.no;
  }
}

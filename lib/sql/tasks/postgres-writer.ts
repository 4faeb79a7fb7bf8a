import { statement, type SqlDriver } from '../database/driver.js';
import type { SchemaNames } from '../schema/schema-names.js';
import type { PutRow } from './put-row.js';
import type { PutWriter } from './put-writer.js';
import { COMPANIONS } from './task-companion.js';

/** The columns of a put, as the statement takes them: a list of each. */
const PUT_COLUMNS = {
  agent: 'text',
  id: 'text',
  scope: 'text',
  tenant: 'text',
  owner: 'text',
  is_whole: 'boolean',
  context: 'text',
  state: 'text',
  status_at: 'bigint',
  version: 'integer',
  seq: 'integer',
  shown: 'integer',
  epoch: 'integer',
  worker: 'text',
  terms: 'text',
  attempt: 'integer',
} as const;

const EVENT_COLUMNS = {
  agent: 'text',
  id: 'text',
  kind: 'text',
  last_seq: 'integer',
  events: 'text',
} as const;

/**
 * Puts in PostgreSQL: one statement for all of them, which is its own transaction, so that the many puts of a busy
 * server cost one way there and back.
 */
export class PostgresWriter implements PutWriter {
  // While one transaction waits for somebody's lock, the other goes on.
  readonly lanes = 2;
  // On the way there and back enough comes together.
  readonly patience = 0;
  readonly #sql: string;

  constructor(
    private readonly driver: SqlDriver,
    names: SchemaNames,
  ) {
    const tasks = names.table('a2a_tasks');
    const createdAt = Object.keys(PUT_COLUMNS).length + Object.keys(EVENT_COLUMNS).length + 1;
    const companions = COMPANIONS.flatMap(({ onPut }, at) =>
      onPut ? [`, companion_${at} as (${onPut(names)})`] : [],
    );
    this.#sql = `
      with put as (select * from ${unnest(PUT_COLUMNS, 1)} as put (${Object.keys(PUT_COLUMNS).join(', ')})),
      changed as (
        update ${tasks} t set version = put.version, seq = put.seq, epoch = put.epoch, worker = put.worker,
          terms = put.terms, attempt = put.attempt, state = coalesce(put.state, t.state),
          status_at = coalesce(put.status_at, t.status_at),
          context = case when put.is_whole then put.context else t.context end
        from put
        where t.agent = put.agent and t.id = put.id and t.scope = put.scope and put.version > 1
          and t.version = put.version - 1 and t.epoch <= put.epoch
        returning t.no, t.agent, t.id, t.seq
      ),
      created as (
        insert into ${tasks} (agent, id, scope, tenant, owner, context, state, status_at, version, seq, epoch, worker,
          terms, attempt, created_at)
        select agent, id, scope, tenant, owner, context, state, status_at, version, seq, epoch, worker, terms, attempt,
          $${createdAt} from put where version = 1 and is_whole
        on conflict (agent, id) do nothing
        returning no, agent, id, seq
      ),
      written as (
        select w.no, w.agent, w.id, w.seq, put.shown
        from (select * from changed union all select * from created) w
        join put on put.agent = w.agent and put.id = w.id
      ),
      logged as (
        insert into ${names.table('a2a_task_events')} (task, kind, last_seq, events)
        select written.no, event.kind, event.last_seq, event.events
        from ${unnest(EVENT_COLUMNS, Object.keys(PUT_COLUMNS).length + 1)} as event (${Object.keys(EVENT_COLUMNS).join(', ')})
        join written on written.agent = event.agent and written.id = event.id
      )${companions.join('')}
      select agent, id from written`;
  }

  async write(rows: readonly PutRow[]): Promise<ReadonlySet<PutRow>> {
    const events = rows.flatMap(({ agent, id, events }) => events.map((row) => ({ agent, id, ...row })));
    const written = await this.driver.run(
      statement<{ agent: string; id: string }>(this.#sql, [
        rows.map(({ agent }) => agent),
        rows.map(({ id }) => id),
        rows.map(({ scope }) => scope),
        rows.map(({ tenant }) => tenant),
        rows.map(({ owner }) => owner),
        rows.map(({ whole }) => whole !== null),
        rows.map(({ whole }) => whole?.context ?? null),
        rows.map(({ state }) => state),
        rows.map(({ statusAt }) => statusAt),
        rows.map(({ version }) => version),
        rows.map(({ seq }) => seq),
        rows.map(({ shown }) => shown),
        rows.map(({ epoch }) => epoch),
        rows.map(({ worker }) => worker),
        rows.map(({ terms }) => terms),
        rows.map(({ attempt }) => attempt),
        events.map(({ agent }) => agent),
        events.map(({ id }) => id),
        events.map(({ kind }) => kind),
        events.map(({ lastSeq }) => lastSeq),
        events.map(({ events }) => events),
        Date.now(),
      ]),
    );
    const keys = new Set(written.map(({ agent, id }) => `${agent}\n${id}`));
    return new Set(rows.filter(({ agent, id }) => keys.has(`${agent}\n${id}`)));
  }
}

function unnest(columns: Readonly<Record<string, string>>, first: number): string {
  return `unnest(${Object.values(columns)
    .map((type, at) => `$${first + at}::${type}[]`)
    .join(', ')})`;
}

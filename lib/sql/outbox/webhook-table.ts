import { newId } from '../../server/new-id.js';
import type { Scope } from '../../server/task-scope.js';
import { tooManyConfigs } from '../../push/push-config-rules.js';
import type { PushConfigPage, PushConfigRecord } from '../../push/push-notification-config-store.js';
import type { A2ADatabase } from '../a2a-database.js';
import { ask, statement } from '../database/driver.js';
import type { Long } from '../schema/tables.js';
import { storedKey } from '../stored-text.js';
import { scopeKey } from '../tasks/put-row.js';
import { TaskFilter } from '../tasks/task-filter.js';
import { toRecord, type WebhookRow } from './webhook-row.js';

/** Orphans that are older were there when somebody looked before. */
const LOOKING_BACK = 2 * 24 * 3_600_000;

/** The webhooks of tasks. */
export class WebhookTable {
  constructor(private readonly database: A2ADatabase) {}

  async put(record: PushConfigRecord, limit: number): Promise<void> {
    const { database } = this;
    const { taskId, id } = record.config;
    const keys = [storedKey(record.agent), storedKey(taskId), storedKey(id)];
    const values = [...keys, scopeKey(record), JSON.stringify(record)];
    const [webhooks, tasks] = [this.#webhooks, database.names.table('a2a_tasks')];
    const uid = newId();
    await database.transaction(function* () {
      // Webhooks of one task that are made at once are counted one after another, and there may be no task yet to hold on to.
      if (database.kind === 'postgres') {
        const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
        yield statement(lock, [JSON.stringify(['a2a_webhooks', ...keys.slice(0, 2)])]);
      }
      const replace = `update ${webhooks} set scope = $4, config = $5 where agent = $1 and task = $2 and id = $3 returning uid`;
      if ((yield* ask(statement(replace, values))).length > 0) return;
      const count = `select count(*) as n from ${webhooks} where agent = $1 and task = $2`;
      const [found] = yield* ask(statement<{ n: Long }>(count, keys.slice(0, 2)));
      if (Number(found?.n) >= limit) throw tooManyConfigs(taskId, limit);
      const seq = `coalesce((select t.seq from ${tasks} t where t.agent = $1 and t.id = $2), 0)`;
      yield statement(
        `insert into ${webhooks} (agent, task, id, scope, config, uid, created_at, delivered_seq, target_seq)
         values ($1, $2, $3, $4, $5, $6, $7, ${seq}, ${seq})`,
        [...values, uid, database.now()],
      );
    });
  }

  async get(taskId: string, id: string, scope: Scope): Promise<PushConfigRecord | undefined> {
    const filter = webhooksOf(taskId, scope).equal('id', storedKey(id));
    const sql = `select t.config from ${this.#webhooks} t where ${filter.toString()}`;
    const [row] = await this.database.run(statement<WebhookRow>(sql, filter.values));
    return row && toRecord(row);
  }

  async page(
    taskId: string,
    scope: Scope,
    { after, limit }: { readonly after?: string; readonly limit: number },
  ): Promise<PushConfigPage> {
    const filter = webhooksOf(taskId, scope);
    if (after !== undefined) filter.where(`t.id > ${filter.value(storedKey(after))}`);
    const sql = `select t.config from ${this.#webhooks} t where ${filter.toString()} order by t.id
      limit ${filter.value(limit + 1)}`;
    const rows = await this.database.run(statement<WebhookRow>(sql, filter.values));
    return { configs: rows.slice(0, limit).map(toRecord), hasMore: rows.length > limit };
  }

  async remove(taskId: string, id: string | undefined, scope: Scope): Promise<void> {
    const filter = webhooksOf(taskId, scope);
    if (id !== undefined) filter.equal('id', storedKey(id));
    const sql = `delete from ${this.#webhooks} as t where ${filter.toString()}`;
    await this.database.run(statement(sql, filter.values));
  }

  /** Removes webhooks made before a time whose task was never stored: the process has died in between. */
  async removeOrphans(agent: string, time: number): Promise<void> {
    const tasks = this.database.names.table('a2a_tasks');
    const sql = `delete from ${this.#webhooks} as h where h.agent = $1 and h.created_at < $2 and h.created_at > $3
      and not exists (select 1 from ${tasks} t where t.agent = h.agent and t.id = h.task)`;
    await this.database.run(statement(sql, [storedKey(agent), time, time - LOOKING_BACK]));
  }

  get #webhooks(): string {
    return this.database.names.table('a2a_webhooks');
  }
}

/** The webhooks of a task inside a scope. */
function webhooksOf(taskId: string, scope: Scope): TaskFilter {
  return TaskFilter.inside(scope).equal('task', storedKey(taskId));
}

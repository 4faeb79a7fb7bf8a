import type { ClaimedWebhook, ClaimRequest } from '../../push/outbox/push-outbox.js';
import type { A2ADatabase } from '../a2a-database.js';
import { statement, type SqlStatement } from '../database/driver.js';
import { storedKey } from '../stored-text.js';
import { TaskLeases } from '../tasks/task-leases.js';
import { toClaim, webhookColumns, type WebhookRow } from './webhook-row.js';

/** Within so much time after a webhook was made, its task may change unseen by it. No statement takes so long. */
const UNSETTLED = 60_000;

/** Which worker delivers to which webhook. A claim holds as long as its worker has a lease. */
export class WebhookClaims {
  readonly #leases: TaskLeases;

  constructor(private readonly database: A2ADatabase) {
    this.#leases = new TaskLeases(database);
  }

  async renew(agent: string, worker: string, lease: number): Promise<ClaimedWebhook[]> {
    await this.#leases.renew(worker, Date.now() + lease);
    const sql = `select ${webhookColumns()} from ${this.#webhooks} where agent = $1 and worker = $2`;
    const rows = await this.database.run(statement<WebhookRow>(sql, [storedKey(agent), storedKey(worker)]));
    return rows.map(toClaim);
  }

  release(worker: string): Promise<void> {
    return this.#leases.end(worker);
  }

  async claim(agent: string, worker: string, { limit, taskIds }: ClaimRequest): Promise<ClaimedWebhook[]> {
    const { database } = this;
    if (database.kind === 'postgres' && taskIds === undefined) await database.run(this.#settle(agent));
    const values = [storedKey(agent), storedKey(worker), database.now(), limit];
    const tasks = taskIds?.map(storedKey);
    if (tasks) values.push(database.kind === 'postgres' ? (tasks as never) : JSON.stringify(tasks));
    const rows = await database.run(statement<WebhookRow>(this.#claim(tasks !== undefined), values));
    return rows.map(toClaim);
  }

  get #webhooks(): string {
    return this.database.names.table('a2a_webhooks');
  }

  #claim(isOfTasks: boolean): string {
    const { names } = this.database;
    const isPostgres = names.kind === 'postgres';
    const workers = names.table('a2a_workers');
    const ofTasks = isPostgres ? 'h.task = any($5::text[])' : 'h.task in (select value from json_each($5))';
    // By their names: PostgreSQL looks at a webhook again that another worker has just claimed, but not at the workers.
    return `
      with gone as ${isPostgres ? 'materialized' : ''} (
        select distinct g.worker from ${this.#webhooks} g
        where g.agent = $1 and g.worker is not null
          and not exists (select 1 from ${workers} w where w.worker = g.worker and w.lease_until > $3)
      ),
      free as ${isPostgres ? 'materialized' : ''} (
        select h.uid from ${this.#webhooks} h
        where h.agent = $1 and h.waiting_since is not null
          and (h.worker is null or h.worker in (select worker from gone)) ${isOfTasks ? `and ${ofTasks}` : ''}
        order by h.waiting_since limit $4 ${isPostgres ? 'for update of h skip locked' : ''}
      )
      update ${this.#webhooks} set worker = $2 where uid in (select uid from free)
      returning ${webhookColumns()}`;
  }

  /**
   * A put may begin before a webhook is there and change the task after: neither sees the other. PostgreSQL alone has such
   * transactions.
   */
  #settle(agent: string): SqlStatement {
    const { names } = this.database;
    const sql = `
      with behind as materialized (
        select h.uid, t.seq from ${this.#webhooks} h
        join ${names.table('a2a_tasks')} t on t.agent = h.agent and t.id = h.task
        where h.agent = $1 and h.created_at > $2 and h.target_seq < t.seq and exists (
          select 1 from ${names.table('a2a_task_events')} e where e.task = t.no and e.last_seq > h.target_seq
            and (e.kind = 'artifact' or e.kind = 'task' and e.events like '%"statusUpdate":%')
        ) for update of h skip locked
      )
      update ${this.#webhooks} as h set target_seq = behind.seq, waiting_since = coalesce(h.waiting_since, $3)
      from behind where h.uid = behind.uid`;
    const now = this.database.now();
    return statement(sql, [storedKey(agent), now - UNSETTLED, now]);
  }
}

import type { FailedDelivery } from '../../push/outbox/dead-letter.js';
import type { ClaimedWebhook } from '../../push/outbox/push-outbox.js';
import type { A2ADatabase } from '../a2a-database.js';
import { ask, statement, type SqlStatement } from '../database/driver.js';
import { storedKey, storedText } from '../stored-text.js';
import { toClaim, webhookColumns, type WebhookRow } from './webhook-row.js';

/** Moves webhooks on through the events of their tasks. */
export class WebhookProgress {
  constructor(private readonly database: A2ADatabase) {}

  async advance(
    worker: string,
    claim: ClaimedWebhook,
    seq: number,
    failed?: FailedDelivery,
  ): Promise<ClaimedWebhook | undefined> {
    const { database } = this;
    const keys = [claim.uid, storedKey(worker)];
    if (!failed && claim.resend === undefined) return stillHeld(await database.run(this.#move(keys, seq)));
    const [hold, letter, settle] = [
      this.#hold(keys, seq),
      failed ? this.#keep(claim, seq, failed) : this.#drop(claim, seq),
      this.#settle(keys),
    ];
    return database.transaction(function* () {
      const held = yield* ask(hold);
      if (held.length === 0) return undefined;
      yield letter;
      return stillHeld(yield* ask(settle));
    });
  }

  /** Moves the cursor; where nothing more waits the claim ends. */
  #move(keys: readonly string[], seq: number): SqlStatement<WebhookRow> {
    const waits = 'target_seq > $3 and target_seq > delivered_seq or resend_seq is not null';
    return statement(
      `update ${this.#webhooks} set delivered_seq = ${LARGER}, ${endUnless(waits)}
       where uid = $1 and worker = $2 returning ${webhookColumns()}`,
      [...keys, seq],
    );
  }

  /** Moves the cursor of a webhook that is still claimed, which nobody else changes until the transaction ends. */
  #hold(keys: readonly string[], seq: number): SqlStatement {
    const sql = `update ${this.#webhooks} set delivered_seq = ${LARGER} where uid = $1 and worker = $2 returning uid`;
    return statement(sql, [...keys, seq]);
  }

  #settle(keys: readonly string[]): SqlStatement<WebhookRow> {
    const next = `(select min(l.seq) from ${this.#letters} l where l.webhook = $1 and l.resending = 1)`;
    return statement(
      `update ${this.#webhooks} set resend_seq = ${next},
         ${endUnless(`target_seq > delivered_seq or ${next} is not null`)}
       where uid = $1 and worker = $2 returning ${webhookColumns()}`,
      keys,
    );
  }

  #drop({ uid }: ClaimedWebhook, seq: number): SqlStatement {
    return statement(`delete from ${this.#letters} where webhook = $1 and seq = $2`, [uid, seq]);
  }

  #keep({ uid, record }: ClaimedWebhook, seq: number, failed: FailedDelivery): SqlStatement {
    const sql = `
      insert into ${this.#letters} as l
        (id, webhook, agent, task_id, config_id, seq, origin, attempts, reason, failed_at, resending)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0)
      on conflict (id) do update set origin = excluded.origin, attempts = l.attempts + excluded.attempts,
        reason = excluded.reason, failed_at = excluded.failed_at, resending = 0`;
    const { agent, config } = record;
    const { id, origin, attempts, reason } = failed;
    const names = [storedKey(agent), storedText(config.taskId), storedText(config.id)];
    const why = [storedText(origin), attempts, storedText(reason), this.database.now()];
    return statement(sql, [storedKey(id), uid, ...names, seq, ...why]);
  }

  get #webhooks(): string {
    return this.database.names.table('a2a_webhooks');
  }

  get #letters(): string {
    return this.database.names.table('a2a_dead_letters');
  }
}

const LARGER = 'case when delivered_seq < $3 then $3 else delivered_seq end';

function endUnless(waits: string): string {
  return `waiting_since = case when ${waits} then waiting_since end, worker = case when ${waits} then worker end`;
}

function stillHeld(rows: readonly WebhookRow[]): ClaimedWebhook | undefined {
  const [row] = rows;
  return row && row.worker !== null ? toClaim(row) : undefined;
}

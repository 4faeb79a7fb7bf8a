import type { DeadLetter, DeadLetterPage, DeadLetterQuery } from '../../push/outbox/dead-letter.js';
import type { A2ADatabase } from '../a2a-database.js';
import { ask, statement, type SqlStatement } from '../database/driver.js';
import type { Long } from '../schema/tables.js';
import { originalText, storedKey } from '../stored-text.js';

interface LetterRow {
  readonly id: string;
  readonly task_id: string;
  readonly config_id: string;
  readonly origin: string;
  readonly attempts: number;
  readonly reason: string;
  readonly failed_at: Long;
  readonly resending: number;
}

interface Place {
  readonly webhook: string;
  readonly seq: number;
}

/** The notifications that were given up. */
export class DeadLetterTable {
  constructor(private readonly database: A2ADatabase) {}

  async page(agent: string, { after, limit }: DeadLetterQuery): Promise<DeadLetterPage> {
    const values = [storedKey(agent), limit + 1, ...(after ? [after.failedAt, storedKey(after.id)] : [])];
    const sql = `
      select id, task_id, config_id, origin, attempts, reason, failed_at, resending from ${this.#letters}
      where agent = $1 ${after ? 'and (failed_at, id) < ($3, $4)' : ''} order by failed_at desc, id desc limit $2`;
    const rows = await this.database.run(statement<LetterRow>(sql, values));
    return { letters: rows.slice(0, limit).map(toLetter), hasMore: rows.length > limit };
  }

  /** Has a notification sent again. */
  resend(agent: string, id: string): Promise<boolean> {
    const since = this.database.now();
    return this.#change(agent, id, ({ webhook, seq }) => [
      statement(
        `update ${this.#webhooks} set waiting_since = coalesce(waiting_since, $3),
           resend_seq = case when resend_seq < $2 then resend_seq else $2 end
         where uid = $1`,
        [webhook, seq, since],
      ),
      statement(`update ${this.#letters} set resending = 1 where webhook = $1 and seq = $2`, [webhook, seq]),
    ]);
  }

  remove(agent: string, id: string): Promise<boolean> {
    return this.#change(agent, id, ({ webhook, seq }) => [
      statement(
        `update ${this.#webhooks} set resend_seq =
           (select min(l.seq) from ${this.#letters} l where l.webhook = $1 and l.resending = 1 and l.seq <> $2)
         where uid = $1`,
        [webhook, seq],
      ),
      statement(`delete from ${this.#letters} where webhook = $1 and seq = $2`, [webhook, seq]),
    ]);
  }

  /** Removes those that were given up before a time, by the clock of the database. */
  async removeBefore(agent: string, time: number): Promise<void> {
    const sql = `delete from ${this.#letters} where agent = $1 and failed_at < $2 and resending = 0`;
    await this.database.run(statement(sql, [storedKey(agent), time]));
  }

  /** Changes a letter: first its webhook, as whoever delivers does. */
  #change(agent: string, id: string, change: (place: Place) => SqlStatement[]): Promise<boolean> {
    const find = statement<Place>(`select webhook, seq from ${this.#letters} where agent = $1 and id = $2`, [
      storedKey(agent),
      storedKey(id),
    ]);
    return this.database.transaction(function* () {
      const [place] = yield* ask(find);
      if (!place) return false;
      for (const step of change(place)) yield step;
      return true;
    });
  }

  get #letters(): string {
    return this.database.names.table('a2a_dead_letters');
  }

  get #webhooks(): string {
    return this.database.names.table('a2a_webhooks');
  }
}

function toLetter(row: LetterRow): DeadLetter {
  return {
    id: originalText(row.id),
    taskId: originalText(row.task_id),
    configId: originalText(row.config_id),
    origin: originalText(row.origin),
    attempts: row.attempts,
    reason: originalText(row.reason),
    failedAt: Number(row.failed_at),
    isResending: row.resending === 1,
  };
}

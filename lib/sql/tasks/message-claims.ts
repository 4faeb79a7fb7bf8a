import type { HeldMessage, MessageClaim } from '../../server/task-store.js';
import type { TaskScope } from '../../server/task-scope.js';
import type { A2ADatabase } from '../a2a-database.js';
import { statement } from '../database/driver.js';
import type { Long } from '../schema/tables.js';
import { originalText, storedKey, storedText } from '../stored-text.js';
import { scopeKey } from './put-row.js';

interface HeldRow {
  readonly task_id: string;
  readonly worker: string;
  readonly lease_until: Long | null;
}

/** The messages that were taken, each until its time is over. */
export class MessageClaims {
  constructor(private readonly database: A2ADatabase) {}

  async claim(
    scope: TaskScope,
    messageId: string,
    claim: MessageClaim,
    until: number,
  ): Promise<HeldMessage | undefined> {
    const { database } = this;
    const key = keyOf(scope, messageId);
    const values = [
      ...key,
      storedText(claim.taskId),
      storedKey(claim.worker),
      database.toDatabaseTime(until),
    ];
    // Whoever held it may have given it up between the two statements.
    for (;;) {
      if ((await database.run(statement(this.#take, [...values, database.now()]))).length > 0)
        return undefined;
      const [held] = await database.run(statement<HeldRow>(this.#holder, key));
      if (held) return this.#toHeld(held);
    }
  }

  async release(scope: TaskScope, messageId: string, taskId: string): Promise<void> {
    const sql = `delete from ${this.#messages} where agent = $1 and scope = $2 and message = $3 and task_id = $4`;
    await this.database.run(statement(sql, [...keyOf(scope, messageId), storedText(taskId)]));
  }

  get #messages(): string {
    return this.database.names.table('a2a_messages');
  }

  get #take(): string {
    return `insert into ${this.#messages} as m (agent, scope, message, task_id, worker, held_until)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (agent, scope, message) do update
        set task_id = excluded.task_id, worker = excluded.worker, held_until = excluded.held_until
        where m.held_until <= $7
      returning 1 as taken`;
  }

  get #holder(): string {
    return `select m.task_id, m.worker, w.lease_until from ${this.#messages} m
      left join ${this.database.names.table('a2a_workers')} w on w.worker = m.worker
      where m.agent = $1 and m.scope = $2 and m.message = $3`;
  }

  #toHeld({ task_id, worker, lease_until }: HeldRow): HeldMessage {
    return {
      taskId: originalText(task_id),
      worker: originalText(worker),
      leaseUntil: lease_until === null ? 0 : this.database.toLocalTime(Number(lease_until)),
    };
  }
}

function keyOf(scope: TaskScope, messageId: string): string[] {
  return [storedKey(scope.agent), scopeKey(scope), storedKey(messageId)];
}

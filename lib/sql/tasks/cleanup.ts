import { Logger } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { A2ADatabase } from '../a2a-database.js';
import { statement, type SqlStatement } from '../database/driver.js';
import { COMPANIONS } from './task-companion.js';
import { TaskFilter } from './task-filter.js';
import type { TaskRemoval } from './task-removal.js';
import type { RetentionOptions } from './task-store-options.js';

/** A worker without a lease for so long is no more; its tasks are free with or without its row. */
const LONG_GONE = 3_600_000;

/** Removes what is old, now and then: tasks, messages that may come again, workers that are gone. */
export class Cleanup {
  readonly #logger = new Logger('A2ADatabase');
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(
    private readonly database: A2ADatabase,
    private readonly removal: TaskRemoval,
    private readonly retention: Required<RetentionOptions>,
  ) {
    this.#later();
    database.closing.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });
  }

  /** Removes everything that is old by now. */
  async run(): Promise<void> {
    const { database, retention } = this;
    const now = database.now();
    for (const [state, age] of Object.entries(retention.keep)) {
      await this.#inBatches(() => this.removal.remove(this.#older(state, now - age)));
    }
    await this.#inBatches(() =>
      this.#delete('a2a_messages', ['agent', 'scope', 'message'], 'held_until', now),
    );
    await this.#inBatches(() => this.#delete('a2a_workers', ['worker'], 'lease_until', now - LONG_GONE));
  }

  #later(): void {
    const { interval } = this.retention;
    // Processes that start together are not to do it together.
    this.#timer = setTimeout(() => void this.#try(), interval * (0.9 + Math.random() * 0.1)).unref();
  }

  async #try(): Promise<void> {
    try {
      await this.run();
      this.#hasFailed = false;
    } catch (error) {
      // Once, and not every minute while the database is away.
      if (!this.#hasFailed) this.#logger.warn('Old tasks could not be removed; trying again', error);
      this.#hasFailed = true;
    }
    if (!this.database.closing.aborted) this.#later();
  }

  async #inBatches(remove: () => Promise<number>): Promise<void> {
    while (!this.database.closing.aborted && (await remove()) >= this.retention.batchSize) await nextTurn();
  }

  #older(state: string, time: number): TaskFilter {
    const filter = new TaskFilter();
    const values = [state, time, this.retention.batchSize, this.database.now()];
    const [what, when, most, now] = values.map((value) => filter.value(value));
    const { names } = this.database;
    // Somebody is just going on with it.
    const driven = `exists (select 1 from ${names.table('a2a_workers')} w
      where w.worker = t.worker and w.lease_until > ${now})`;
    const kept = [driven, ...COMPANIONS.flatMap(({ keeps }) => keeps?.(names) ?? [])];
    return filter.where(`t.no in (
      select t.no from ${names.table('a2a_tasks')} t
      where t.state = ${what} and t.status_at < ${when} and not (${kept.join(' or ')})
      order by t.status_at limit ${most} ${this.#lock})`);
  }

  async #delete(
    name: 'a2a_messages' | 'a2a_workers',
    key: readonly string[],
    time: string,
    until: number,
  ): Promise<number> {
    const table = this.database.names.table(name);
    const columns = key.join(', ');
    const sql = `delete from ${table} where (${columns}) in (
      select ${columns} from ${table} where ${time} <= $1 order by ${time} limit $2 ${this.#lock}) returning 1 as gone`;
    const old: SqlStatement = statement(sql, [until, this.retention.batchSize]);
    return (await this.database.run(old)).length;
  }

  /** What another process removes at the same time is left to it. */
  get #lock(): string {
    return this.database.kind === 'postgres' ? 'for update skip locked' : '';
  }
}

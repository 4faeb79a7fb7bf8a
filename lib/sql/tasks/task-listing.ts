import { isTerminal, TaskState } from '../../protocol/index.js';
import type { Scope } from '../../server/task-scope.js';
import type { TaskPage, TaskQuery } from '../../server/task-store.js';
import type { A2ADatabase } from '../a2a-database.js';
import { statement } from '../database/driver.js';
import type { Long } from '../schema/tables.js';
import { storedKey } from '../stored-text.js';
import { recordColumns, toRecord, type RecordRow } from './record-row.js';
import { FullCounts } from './full-counts.js';
import { TaskFilter } from './task-filter.js';

interface Counted {
  readonly total: Long;
}

/** Pages of tasks, each read from an index in the order of the page. */
export class TaskListing {
  readonly #full = new FullCounts();

  constructor(
    private readonly database: A2ADatabase,
    private readonly countLimit: number,
  ) {}

  async page(query: TaskQuery, scope: Scope): Promise<TaskPage> {
    const { after, limit, includeArtifacts = false } = query;
    const filter = matching(query, scope);
    const matches = filter.key;
    const total = this.#full.has(matches)
      ? `${this.countLimit}`
      : `(${this.#count(filter, this.countLimit)})`;
    if (after) {
      // The first condition is where the index is entered, which the "or" alone is not.
      const at = filter.value(after.timestamp);
      filter.where(
        `t.status_at <= ${at} and (t.status_at < ${at} or t.id > ${filter.value(storedKey(after.id))})`,
      );
    }
    const columns = recordColumns(this.database, includeArtifacts ? {} : { kind: 'task' });
    const page = `order by t.status_at desc, t.id limit ${filter.value(limit + 1)}`;
    const sql = `select ${columns}, ${total} as total from ${this.#tasks} t where ${filter.toString()} ${page}`;
    const rows = await this.database.run(statement<RecordRow & Counted>(sql, filter.values));
    const counted = Number((rows[0] ?? (await this.#countOnly(query, scope))).total);
    if (counted >= this.countLimit) this.#full.add(matches);
    return {
      records: rows.slice(0, limit).map((row) => toRecord(row, scope.agent, this.database, includeArtifacts)),
      more: rows.length > limit,
      total: counted,
    };
  }

  /** How many tasks have a turn, counted up to `limit`. */
  async countTurns(scope: Scope, limit: number): Promise<number> {
    const filter = TaskFilter.inside(scope);
    const states = Object.values(TaskState).filter((state) => !isTerminal(state));
    // By the index of states: an owner may have many tasks, but few that are not finished.
    filter.where(`t.state in (${states.map((state) => filter.value(state)).join(', ')})`);
    filter.where('t.worker is not null');
    const [row] = await this.database.run(statement<Counted>(this.#count(filter, limit), filter.values));
    return Number(row?.total ?? 0);
  }

  /** Where the page has no row that could tell. */
  async #countOnly(query: TaskQuery, scope: Scope): Promise<Counted> {
    if (!query.after) return { total: 0 };
    const filter = matching(query, scope);
    const sql = this.#count(filter, this.countLimit);
    const [row] = await this.database.run(statement<Counted>(sql, filter.values));
    return row ?? { total: 0 };
  }

  /** Counts what a filter matches, up to a bound. */
  #count(filter: TaskFilter, limit: number): string {
    const condition = filter.toString();
    const bound = filter.value(limit);
    return `select count(*) as total from (select 1 from ${this.#tasks} t where ${condition} limit ${bound}) m`;
  }

  get #tasks(): string {
    return this.database.names.table('a2a_tasks');
  }
}

function matching({ contextId, status, statusTimestampAfter }: TaskQuery, scope: Scope): TaskFilter {
  const filter = TaskFilter.inside(scope);
  if (contextId !== undefined) filter.equal('context', storedKey(contextId));
  if (status !== undefined) filter.equal('state', status);
  if (statusTimestampAfter !== undefined)
    filter.where(`t.status_at >= ${filter.value(statusTimestampAfter)}`);
  return filter;
}

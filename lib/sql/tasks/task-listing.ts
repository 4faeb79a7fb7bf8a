import type { Scope } from '../../server/task-scope.js';
import type { TaskPage, TaskQuery } from '../../server/task-store.js';
import type { A2ADatabase } from '../a2a-database.js';
import { statement } from '../database/driver.js';
import { storedKey } from '../stored-text.js';
import { recordColumns, toRecord, type RecordRow } from './record-row.js';
import { TaskFilter } from './task-filter.js';

/** Pages of tasks, each read from an index in the order of the page. */
export class TaskListing {
  constructor(
    private readonly database: A2ADatabase,
    private readonly countLimit: number,
  ) {}

  async page(query: TaskQuery, scope: Scope): Promise<TaskPage> {
    const rows = await this.#rows(query, scope);
    const more = rows.length > query.limit;
    const records = rows.slice(0, query.limit).map((row) => toRecord(row, this.database));
    const isAll = query.after === undefined && !more;
    return { records, more, total: isAll ? records.length : await this.#count(query, scope) };
  }

  #rows(query: TaskQuery, scope: Scope): Promise<RecordRow[]> {
    const { after, limit, includeArtifacts = false } = query;
    const filter = matching(query, scope);
    if (after) {
      // The first condition is where the index is entered, which the "or" alone is not.
      const at = filter.value(after.timestamp);
      filter.where(
        `t.status_at <= ${at} and (t.status_at < ${at} or t.id > ${filter.value(storedKey(after.id))})`,
      );
    }
    const columns = recordColumns(this.database, includeArtifacts ? {} : { kind: 'task' });
    const page = `order by t.status_at desc, t.id limit ${filter.value(limit + 1)}`;
    const sql = `select ${columns} from ${this.#tasks} t where ${filter.toString()} ${page}`;
    return this.database.run(statement<RecordRow>(sql, filter.values));
  }

  async #count(query: TaskQuery, scope: Scope): Promise<number> {
    const filter = matching(query, scope);
    const bound = filter.value(this.countLimit);
    const matches = `select 1 from ${this.#tasks} t where ${filter.toString()} limit ${bound}`;
    const sql = `select count(*) as total from (${matches}) m`;
    const [row] = await this.database.run(statement<{ total: number | string }>(sql, filter.values));
    return Number(row?.total ?? 0);
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

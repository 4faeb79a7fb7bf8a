import type { TaskRecord } from '../../server/task-record.js';
import type { A2ADatabase } from '../a2a-database.js';
import { ask, statement } from '../database/driver.js';
import type { Long } from '../schema/tables.js';
import { storedKey } from '../stored-text.js';
import { recordColumns, toRecord, type RecordRow } from './record-row.js';

/** Who is alive, and who takes over from those that are not. All times are by the clock of the database. */
export class TaskLeases {
  constructor(private readonly database: A2ADatabase) {}

  async renew(worker: string, until: number): Promise<number> {
    const { database } = this;
    // Now and then the clock of a machine is set.
    await database.compareClocks();
    const workers = database.names.table('a2a_workers');
    const values = [storedKey(worker), database.toDatabaseTime(until)];
    const before = await database.transaction(function* () {
      const select = `select lease_until from ${workers} where worker = $1`;
      const rows = yield* ask(statement<{ lease_until: Long }>(select, values.slice(0, 1)));
      yield statement(
        `insert into ${workers} (worker, lease_until) values ($1, $2)
         on conflict (worker) do update set lease_until = excluded.lease_until`,
        values,
      );
      return rows[0]?.lease_until;
    });
    return before === undefined ? 0 : database.toLocalTime(Number(before));
  }

  async end(worker: string): Promise<void> {
    const sql = `delete from ${this.database.names.table('a2a_workers')} where worker = $1`;
    await this.database.run(statement(sql, [storedKey(worker)]));
  }

  async takeExpired(agent: string, worker: string, limit: number): Promise<TaskRecord[]> {
    const { database } = this;
    const [tasks, workers] = [database.names.table('a2a_tasks'), database.names.table('a2a_workers')];
    // By their names: PostgreSQL looks at a task again that another worker has just taken, but not at the workers.
    const sql = `
      with gone as materialized (
        select distinct e.worker from ${tasks} e
        where e.agent = $1 and e.worker is not null and e.worker <> $2
          and not exists (select 1 from ${workers} w where w.worker = e.worker and w.lease_until > $3)
      ),
      expired as materialized (
        select e.no from ${tasks} e where e.agent = $1 and e.worker in (select worker from gone)
        order by e.status_at limit $4 ${database.kind === 'postgres' ? 'for update of e skip locked' : ''}
      )
      update ${tasks} set worker = $2, version = version + 1, epoch = epoch + 1
      where no in (select no from expired)
      returning ${recordColumns(database, { t: 'a2a_tasks' })}`;
    const values = [storedKey(agent), storedKey(worker), database.now(), limit];
    const rows = await database.run(statement<RecordRow>(sql, values));
    return rows.map((row) => toRecord(row, agent, database));
  }
}

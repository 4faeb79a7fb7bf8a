import { ask, statement, type SqlDriver, type Transaction } from '../database/driver.js';
import { MIGRATIONS } from './migrations/index.js';
import type { SchemaNames } from './schema-names.js';
import { SchemaVersionError } from './schema-version-error.js';

/**
 * How far the schema of a database is.
 *
 * @publicApi
 */
export interface SchemaStatus {
  /** The steps that the database has had, in their order. */
  readonly applied: readonly string[];
  /** The steps that it still needs. */
  readonly pending: readonly string[];
}

/** Brings the schema of a database up to date, and says how far it is. */
export class Migrator {
  constructor(
    private readonly driver: SqlDriver,
    private readonly names: SchemaNames,
  ) {}

  async status(): Promise<SchemaStatus> {
    const { driver, names } = this;
    return driver.transaction(function* () {
      const [found] = yield* ask(names.exists('a2a_schema'));
      return statusOf(found === undefined ? [] : yield* appliedSteps(names));
    });
  }

  /**
   * Runs the steps that are missing, and gives their names. Processes that do so at the same time wait for each other.
   *
   * @throws SchemaVersionError if the schema is that of a later version
   */
  async migrate(): Promise<readonly string[]> {
    const { driver, names } = this;
    return driver.exclusively(function* () {
      const columns = 'migration integer primary key, name text not null, applied_at bigint not null';
      yield statement(`create table if not exists ${names.table('a2a_schema')} (${columns})`);
      const applied = yield* appliedSteps(names);
      const { pending } = current(statusOf(applied));
      for (const [at, step] of MIGRATIONS.entries()) {
        if (at < applied.length) continue;
        for (const sql of step.statements(names)) yield statement(sql);
        yield statement(
          `insert into ${names.table('a2a_schema')} (migration, name, applied_at) values ($1, $2, $3)`,
          [at + 1, step.name, Date.now()],
        );
      }
      return pending;
    });
  }

  /** @throws SchemaVersionError if the schema is not the one of this version */
  async check(): Promise<void> {
    const status = current(await this.status());
    if (status.pending.length > 0) throw SchemaVersionError.behind(status.pending);
  }
}

/** The names of the steps that a database has had. */
function* appliedSteps(names: SchemaNames): Transaction<string[]> {
  const sql = `select name from ${names.table('a2a_schema')} order by migration`;
  return (yield* ask(statement<{ name: string }>(sql))).map(({ name }) => name);
}

function statusOf(applied: readonly string[]): SchemaStatus {
  return { applied, pending: MIGRATIONS.slice(applied.length).map(({ name }) => name) };
}

/** @throws SchemaVersionError if a later version has been here */
function current(status: SchemaStatus): SchemaStatus {
  const unknown = status.applied.filter((name, at) => MIGRATIONS[at]?.name !== name);
  if (unknown.length > 0) throw SchemaVersionError.ahead(unknown);
  return status;
}

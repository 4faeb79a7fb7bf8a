import { optionalPackage } from '../../net/optional-package.js';
import type { DatabaseSettings } from './database-options.js';
import type { SqlDriver, SqlStatement, Transaction } from './driver.js';
import { storeError } from './unavailable.js';

/**
 * A database of `better-sqlite3`, as far as it is used here.
 *
 * @publicApi
 */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  pragma(text: string): unknown;
  close(): unknown;
}

/** @publicApi */
export interface SqliteStatement {
  readonly reader: boolean;
  safeIntegers(areBigInts: boolean): unknown;
  all(values: unknown): unknown[];
  run(values: unknown): unknown;
}

/** More different statements than this are not kept. */
const KEPT_STATEMENTS = 200;

/** How long a start waits for another process that changes the schema. */
const SCHEMA_TIMEOUT = 60_000;

interface Prepared {
  readonly statement: SqliteStatement;
  /** Which value stands at each place. */
  readonly places: readonly number[];
}

/** SQLite: one connection, whose statements run at once. */
export class SqliteDriver implements SqlDriver {
  static async open(file: string, settings: DatabaseSettings): Promise<SqliteDriver> {
    const { default: Database } = await optionalPackage(
      'better-sqlite3',
      'a database of SQLite',
      () => import('better-sqlite3'),
    );
    const database = guarded(() => new Database(file));
    try {
      return guarded(() => {
        database.pragma(`busy_timeout = ${settings.busyTimeout}`);
        database.pragma('journal_mode = WAL');
        database.pragma(`synchronous = ${settings.synchronous}`);
        return new SqliteDriver(database, true);
      });
    } catch (error) {
      database.close();
      throw error;
    }
  }

  readonly kind = 'sqlite';
  readonly #statements = new Map<string, Prepared>();

  constructor(
    private readonly database: SqliteDatabase,
    private readonly isOwn = false,
  ) {
    database.pragma('foreign_keys = ON');
  }

  async run<Row>({ sql, values }: SqlStatement<Row>): Promise<Row[]> {
    return this.runNow<Row>(sql, values);
  }

  /** Runs a statement before anything else can happen. */
  runNow<Row>(sql: string, values: readonly unknown[] = []): Row[] {
    const { statement, places } = this.#prepare(sql);
    const bound = places.map((place) => values[place]);
    return guarded(() => {
      if (statement.reader) return statement.all(bound) as Row[];
      statement.run(bound);
      return [];
    });
  }

  /** Runs `work` in a transaction: all of it or, if it throws, nothing. */
  transactionNow<T>(work: () => T): T {
    // As a writer from the start: one that becomes it later is refused at once where another one writes.
    this.runNow('begin immediate');
    try {
      const result = work();
      this.runNow('commit');
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  async transaction<T>(work: () => Transaction<T>): Promise<T> {
    return this.transactionNow(() => {
      const steps = work();
      let step = steps.next();
      while (step.done !== true) {
        const { sql, values } = step.value;
        step = steps.next(this.runNow(sql, values));
      }
      return step.value;
    });
  }

  async exclusively<T>(work: () => Transaction<T>): Promise<T> {
    const [{ timeout }] = this.database.pragma('busy_timeout') as [{ timeout: number | bigint }];
    this.database.pragma(`busy_timeout = ${SCHEMA_TIMEOUT}`);
    try {
      return await this.transaction(work);
    } finally {
      this.database.pragma(`busy_timeout = ${timeout}`);
    }
  }

  async clock(): Promise<number> {
    return Date.now();
  }

  async close(): Promise<void> {
    this.#statements.clear();
    if (this.isOwn) this.database.close();
  }

  #rollback(): void {
    try {
      this.runNow('rollback');
    } catch {
      // SQLite has done it by itself, as it does when the disk is full.
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    const places: number[] = [];
    // The driver takes a list of values for places without a number only.
    const unnumbered = sql.replace(/\$(\d+)/g, (_, number) => (places.push(Number(number) - 1), '?'));
    const statement = guarded(() => this.database.prepare(unnumbered));
    // A database of the application may read all of its integers as BigInt.
    if (statement.reader) statement.safeIntegers(false);
    const prepared = { statement, places };
    if (this.#statements.size < KEPT_STATEMENTS) this.#statements.set(sql, prepared);
    return prepared;
  }
}

function guarded<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw storeError(error);
  }
}

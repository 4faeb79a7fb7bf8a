import { setMaxListeners } from 'node:events';
import type { OnApplicationShutdown } from '@nestjs/common';
import { StoreUnavailableError } from '../server/store-errors.js';
import { saidByCause } from '../server/thrown-value.js';
import { databaseSettings, type A2ADatabaseOptions } from './database/database-options.js';
import { openDriver, type DatabaseTarget } from './database/database-target.js';
import type { SqlDriver, SqlStatement, Transaction } from './database/driver.js';
import { Migrator, type SchemaStatus } from './schema/migrator.js';
import { SchemaNames } from './schema/schema-names.js';

/** Clocks that differ by less are the same: what is measured is only as good as the network is fast. */
const SAME_CLOCK = 250;

/**
 * The database that an application keeps its agents' tasks in: PostgreSQL, or SQLite on one machine.
 *
 * ```ts
 * const database = await A2ADatabase.open('postgres://localhost/agents', { migrate: true });
 * ```
 *
 * Everything that needs the database throws {@link StoreUnavailableError} while it cannot be reached, and works again once
 * it can. As a provider it closes when the application has shut down.
 *
 * @publicApi
 */
export class A2ADatabase implements OnApplicationShutdown {
  /**
   * Opens a database and looks at its schema.
   *
   * @throws SqlOptionsError if the target or the options make no sense
   * @throws SchemaVersionError if the schema is not that of this version, and `migrate` is off
   * @throws StoreUnavailableError if the database cannot be reached
   */
  static async open(target: DatabaseTarget, options: A2ADatabaseOptions = {}): Promise<A2ADatabase> {
    try {
      return await A2ADatabase.#openNow(target, options);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      // Whoever starts the application is to know why.
      throw new StoreUnavailableError(error.cause, `The database cannot be used: ${saidByCause(error)}`);
    }
  }

  static async #openNow(target: DatabaseTarget, options: A2ADatabaseOptions): Promise<A2ADatabase> {
    const database = await A2ADatabase.connect(target, options);
    try {
      if (options.migrate === true) await database.migrate();
      else await database.#migrator.check();
      await database.compareClocks();
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Like {@link open}, but whatever the schema is like: for {@link migrate} and {@link schemaStatus}. */
  static async connect(target: DatabaseTarget, options: A2ADatabaseOptions = {}): Promise<A2ADatabase> {
    const settings = databaseSettings(options);
    const driver = await openDriver(target, settings);
    return new A2ADatabase(driver, new SchemaNames(driver.kind, settings.schema));
  }

  readonly #migrator: Migrator;
  readonly #closing = new AbortController();
  #clockOffset = 0;

  private constructor(
    /** @internal */
    readonly driver: SqlDriver,
    /** @internal */
    readonly names: SchemaNames,
  ) {
    // Each store listens, however many there are.
    setMaxListeners(0, this.#closing.signal);
    this.#migrator = new Migrator(driver, names);
  }

  get kind(): 'postgres' | 'sqlite' {
    return this.driver.kind;
  }

  /** Aborted when the database is closed: what runs by itself stops then. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** @internal Runs one statement and gives its rows. */
  run<Row>(query: SqlStatement<Row>): Promise<Row[]> {
    return this.driver.run(query);
  }

  /** @internal Runs all statements or, if one of them fails, none. */
  transaction<T>(work: () => Transaction<T>): Promise<T> {
    return this.driver.transaction(work);
  }

  /**
   * Brings the schema up to date, and gives the names of the steps that it took. Processes that do so at the same time wait for
   * each other.
   *
   * @throws SchemaVersionError if the schema is that of a later version
   */
  migrate(): Promise<readonly string[]> {
    return this.#migrator.migrate();
  }

  schemaStatus(): Promise<SchemaStatus> {
    return this.#migrator.status();
  }

  /** @internal Milliseconds since 1970 by the clock of the database, which the processes of different machines share. */
  now(): number {
    return Date.now() + this.#clockOffset;
  }

  /** @internal A time by the clock of this process, by that of the database. */
  toDatabaseTime(time: number): number {
    return time + this.#clockOffset;
  }

  /** @internal The other way round. */
  toLocalTime(time: number): number {
    return time - this.#clockOffset;
  }

  /** @internal Looks how far the clock of the database is from that of this process. */
  async compareClocks(): Promise<void> {
    const before = Date.now();
    const theirs = await this.driver.clock();
    const offset = Math.round(theirs - (before + Date.now()) / 2);
    if (Math.abs(offset - this.#clockOffset) < SAME_CLOCK) return;
    this.#clockOffset = Math.abs(offset) < SAME_CLOCK ? 0 : offset;
  }

  /** Ends the connections, but for those of the application. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.driver.close();
  }

  /** Nest calls it when all agents have ended their work. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

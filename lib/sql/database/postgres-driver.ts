import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { optionalPackage } from '../../net/optional-package.js';
import type { DatabaseSettings } from './database-options.js';
import { statement, type SqlDriver, type SqlStatement, type Transaction } from './driver.js';
import { PostgresSession, type PostgresClient } from './postgres-session.js';
import { storeError } from './unavailable.js';

/**
 * A `Pool` of `pg`, as far as it is used here.
 *
 * @publicApi
 */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

/** More different statements than this are not prepared. */
const PREPARED_STATEMENTS = 200;

/** A number that others who take advisory locks in the same database are not likely to take. */
const SCHEMA_LOCK = 0x6e_61_32_61;

/**
 * Every query has an index in whose order it reads. A plan from when tables were small would read all of a table, or of an index, long
 * after it has grown.
 */
const BY_INDEX = 'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off';

/** PostgreSQL, by a pool of `pg`. */
export class PostgresDriver implements SqlDriver {
  static async open(url: string, settings: DatabaseSettings): Promise<PostgresDriver> {
    const { default: pg } = await optionalPackage('pg', 'a database of PostgreSQL', () => import('pg'));
    const pool = new pg.Pool({
      connectionString: url,
      max: settings.poolSize,
      connectionTimeoutMillis: settings.connectionTimeout,
      keepAlive: true,
    });
    return new PostgresDriver(pool, settings, true);
  }

  readonly kind = 'postgres';
  readonly #logger = new Logger('A2ADatabase');
  readonly #names = new Map<string, string>();
  readonly #prepared = new WeakSet<PostgresClient>();
  #ended: Promise<void> | undefined;

  constructor(
    private readonly pool: PostgresPool,
    private readonly settings: DatabaseSettings,
    private readonly isOwn = false,
  ) {
    // Without a listener the end of a connection that nobody uses would end the process.
    pool.on('error', this.#onError);
  }

  run<Row>(query: SqlStatement<Row>): Promise<Row[]> {
    return this.#connected((session) => session.run(query));
  }

  transaction<T>(work: () => Transaction<T>): Promise<T> {
    return this.#connected((session) => session.transact(work));
  }

  exclusively<T>(work: () => Transaction<T>): Promise<T> {
    function* alone(): Transaction<T> {
      yield statement('set local statement_timeout = 0');
      yield statement(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`);
      return yield* work();
    }
    return this.#connected((session) => session.transact(alone), 0);
  }

  async clock(): Promise<number> {
    const [row] = await this.run(
      statement<{ now: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as now'),
    );
    return row?.now ?? Date.now();
  }

  async close(): Promise<void> {
    if (this.isOwn) await (this.#ended ??= this.pool.end());
    else this.pool.removeListener('error', this.#onError);
  }

  readonly #onError = ({ message }: Error): void => {
    this.#logger.warn(`A connection to the database broke: ${message}`);
  };

  /** Runs `work` on a connection, which goes back to the pool only if it is as good as before. */
  async #connected<T>(work: (session: PostgresSession) => Promise<T>, timeout = this.#timeout): Promise<T> {
    try {
      const client = await this.#connect();
      const session = new PostgresSession(client, timeout, (sql) => this.#nameOf(sql));
      try {
        await this.#prepare(client, session);
        return await work(session);
      } finally {
        session.end();
      }
    } catch (error) {
      throw storeError(error);
    }
  }

  get #timeout(): number {
    return this.settings.statementTimeout;
  }

  #connect(): Promise<PostgresClient> {
    const connecting = this.pool.connect();
    if (this.isOwn) return connecting;
    // A pool of the application may wait without end.
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(new Error('timeout exceeded when trying to connect'));
      }, this.settings.connectionTimeout);
      connecting
        .then((client) => (isLate ? client.release() : resolve(client)), reject)
        .finally(() => clearTimeout(timer));
    });
  }

  /** Settings of a new connection of an own pool. */
  async #prepare(client: PostgresClient, session: PostgresSession): Promise<void> {
    if (!this.isOwn || this.#prepared.has(client)) return;
    await session.run(statement(`set statement_timeout = ${this.#timeout}; ${BY_INDEX}`));
    this.#prepared.add(client);
  }

  /** Under this name a connection has the statement prepared; the same for the same words, as pools may be shared. */
  #nameOf(sql: string): string | undefined {
    if (!this.settings.preparedStatements) return undefined;
    const known = this.#names.get(sql);
    if (known !== undefined || this.#names.size >= PREPARED_STATEMENTS) return known;
    const name = `a2a_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`;
    this.#names.set(sql, name);
    return name;
  }
}

/** A statement in SQL, and what kind of rows it gives. */
export interface SqlStatement<Row = unknown> {
  readonly sql: string;
  /** What `$1`, `$2` and so on stand for. */
  readonly values: readonly unknown[];
  /** Never there: it says of what type the rows are. */
  readonly row?: Row;
}

/**
 * Statements that run in one transaction, each yielded for its rows:
 *
 * ```ts
 * function* () {
 *   const [row] = yield* ask(statement<{ n: number }>('select n from t'));
 *   yield statement('update t set n = $1', [row.n + 1]);
 * }
 * ```
 *
 * A generator, since SQLite runs it at once and PostgreSQL waits for each.
 */
export type Transaction<T> = Generator<SqlStatement, T, unknown[]>;

/**
 * What differs between the databases. What its statements throw is an error as callers get it: a {@link StoreUnavailableError}
 * wherever the database cannot answer for now.
 */
export interface SqlDriver {
  readonly kind: 'postgres' | 'sqlite';
  /** Runs one statement and gives its rows. */
  run<Row>(query: SqlStatement<Row>): Promise<Row[]>;
  /** Runs all statements or, if one of them fails, none. */
  transaction<T>(work: () => Transaction<T>): Promise<T>;
  /**
   * Like {@link transaction}, but no other process is in such a transaction at the same time, and it may take as long as
   * it takes.
   */
  exclusively<T>(work: () => Transaction<T>): Promise<T>;
  /** The clock of the database, milliseconds since 1970. */
  clock(): Promise<number>;
  close(): Promise<void>;
}

/** A statement in SQL, whose values are `$1`, `$2` and so on in both databases. */
export function statement<Row = unknown>(sql: string, values: readonly unknown[] = []): SqlStatement<Row> {
  return { sql, values };
}

/** Within a transaction: the rows of a statement, with their type. */
export function* ask<Row>(query: SqlStatement<Row>): Generator<SqlStatement, Row[], unknown[]> {
  return (yield query) as Row[];
}

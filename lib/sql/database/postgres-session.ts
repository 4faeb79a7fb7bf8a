import { statement, type SqlStatement, type Transaction } from './driver.js';

/** @publicApi */
export interface PostgresClient {
  query(config: PostgresQuery): Promise<{ readonly rows: unknown[] }>;
  release(destroy?: boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

/** @publicApi */
export interface PostgresQuery {
  readonly text: string;
  readonly values?: unknown[];
  readonly name?: string;
  readonly query_timeout?: number;
}

/** What a client waits longer than the server, which by then has said that it has given up. */
const GRACE = 1_000;

/** A connection while it is out of the pool. */
export class PostgresSession {
  #isBroken = false;

  constructor(
    private readonly client: PostgresClient,
    /** Milliseconds for a statement; 0 for no limit. */
    private readonly timeout: number,
    private readonly nameOf: (sql: string) => string | undefined,
  ) {
    client.on('error', this.#onError);
  }

  async run<Row>({ sql, values }: SqlStatement<Row>): Promise<Row[]> {
    const name = values.length > 0 ? this.nameOf(sql) : undefined;
    try {
      const { rows } = await this.client.query({
        text: sql,
        values: values as unknown[],
        ...(name !== undefined && { name }),
        ...(this.timeout > 0 && { query_timeout: this.timeout + GRACE }),
      });
      return rows as Row[];
    } catch (error) {
      this.#isBroken ||= !isAnswer(error);
      throw error;
    }
  }

  async transact<T>(work: () => Transaction<T>): Promise<T> {
    await this.run(statement('begin'));
    try {
      const steps = work();
      let step = steps.next();
      while (step.done !== true) step = steps.next(await this.run(step.value));
      await this.run(statement('commit'));
      return step.value;
    } catch (error) {
      if (!this.#isBroken) await this.run(statement('rollback'));
      throw error;
    }
  }

  end(): void {
    this.client.removeListener('error', this.#onError);
    this.client.release(this.#isBroken);
  }

  // Without a listener the end of a connection in use would end the process.
  readonly #onError = () => {
    this.#isBroken = true;
  };
}

/** Whether the server said it, so that the connection is as good as before. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

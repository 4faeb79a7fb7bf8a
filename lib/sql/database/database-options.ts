import {
  BOUND,
  DURATION,
  FLAG,
  ruleFaults,
  type OptionRule,
  type OptionRules,
} from '../../options/option-rules.js';
import type { FieldViolation } from '../../protocol/index.js';

/**
 * How {@link A2ADatabase} uses its database.
 *
 * @publicApi
 */
export interface A2ADatabaseOptions {
  /**
   * Brings the schema up to date before the first use; processes that start together wait for the one that does it. Default `false`: a
   * schema that is not up to date is an error then, and `npx nest-a2a db migrate` mends it.
   */
  readonly migrate?: boolean;
  /** PostgreSQL: the schema in which the tables are, which must exist. Default: the first one of the search path. */
  readonly schema?: string;
  /** PostgreSQL: most connections of an own pool. Default 10. */
  readonly poolSize?: number;
  /** PostgreSQL: milliseconds to wait for a connection. Default 5,000. */
  readonly connectionTimeout?: number;
  /** PostgreSQL: milliseconds that a statement may take. Default 10,000. */
  readonly statementTimeout?: number;
  /**
   * PostgreSQL: statements are prepared once for each connection. Default `true`; `false` for a proxy between that
   * cannot do it, such as PgBouncer before 1.21 in its transaction mode.
   */
  readonly preparedStatements?: boolean;
  /** SQLite: milliseconds to wait while another process writes; the whole process waits. Default 1,000. */
  readonly busyTimeout?: number;
  /**
   * SQLite: `normal` keeps what was committed when the process dies, `full` also when the machine does, at the cost of waiting for the
   * disk. Default `normal`.
   */
  readonly synchronous?: 'normal' | 'full';
}

export const DATABASE_RULES: OptionRules<A2ADatabaseOptions> = {
  migrate: FLAG,
  schema: {
    holds: (value) => typeof value === 'string' && /^[^\0"]{1,63}$/.test(value),
    message: 'must be the name of a schema',
  },
  poolSize: BOUND,
  connectionTimeout: BOUND,
  statementTimeout: BOUND,
  preparedStatements: FLAG,
  busyTimeout: DURATION,
  synchronous: {
    holds: (value) => value === 'normal' || value === 'full',
    message: 'must be "normal" or "full"',
  } satisfies OptionRule,
};

export type DatabaseSettings = Required<Omit<A2ADatabaseOptions, 'schema'>> & {
  readonly schema: string | undefined;
};

/** @throws SqlOptionsError */
export function databaseSettings(options: A2ADatabaseOptions): DatabaseSettings {
  const faults = ruleFaults(DATABASE_RULES, options);
  if (faults.length > 0) throw new SqlOptionsError(faults);
  return {
    migrate: options.migrate ?? false,
    schema: options.schema ?? undefined,
    poolSize: options.poolSize ?? 10,
    connectionTimeout: options.connectionTimeout ?? 5_000,
    statementTimeout: options.statementTimeout ?? 10_000,
    preparedStatements: options.preparedStatements ?? true,
    busyTimeout: options.busyTimeout ?? 1_000,
    synchronous: options.synchronous ?? 'normal',
  };
}

/**
 * Options for a database, or for what is kept in it, are not valid.
 *
 * @publicApi
 */
export class SqlOptionsError extends Error {
  override readonly name = 'SqlOptionsError';

  constructor(
    /** Every fault, `field` being a path such as `retention.interval`. */
    readonly faults: readonly FieldViolation[],
  ) {
    super(
      'The options of the database are not valid:\n' +
        faults.map(({ field, description }) => `- ${field} ${description}`).join('\n'),
    );
  }
}

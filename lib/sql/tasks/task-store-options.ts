import { BOUND, type OptionRules } from '../../options/option-rules.js';
import { SqlOptionsError, sqlOptionFaults } from '../database/database-options.js';

/**
 * How {@link SqlTaskStore} keeps tasks.
 *
 * @publicApi
 */
export interface SqlTaskStoreOptions {
  /** Where a listing stops counting what it matches; `totalSize` is this then. Default 10,000. */
  readonly countLimit?: number;
}

/** The token of {@link SqlTaskStoreOptions} for a store that Nest makes. */
export const SQL_TASK_STORE_OPTIONS = Symbol('SQL_TASK_STORE_OPTIONS');

export const TASK_STORE_RULES: OptionRules<SqlTaskStoreOptions> = { countLimit: BOUND };

/** @throws SqlOptionsError */
export function taskStoreSettings(options: SqlTaskStoreOptions): Required<SqlTaskStoreOptions> {
  const faults = sqlOptionFaults(TASK_STORE_RULES, options);
  if (faults.length > 0) throw new SqlOptionsError(faults);
  return { countLimit: options.countLimit ?? 10_000 };
}

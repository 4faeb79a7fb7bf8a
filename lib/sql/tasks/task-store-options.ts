import { TaskState, type FieldViolation } from '../../protocol/index.js';
import { BOUND, GROUP, isObject, ruleFaults, type OptionRules } from '../../options/option-rules.js';
import { SqlOptionsError } from '../database/database-options.js';

/**
 * How {@link SqlTaskStore} keeps tasks.
 *
 * @publicApi
 */
export interface SqlTaskStoreOptions {
  /** Where a listing stops counting what it matches; `totalSize` is this then. Default 10,000. */
  readonly countLimit?: number;
  /** Which tasks are removed when they are old. Default: none. */
  readonly retention?: RetentionOptions;
}

/**
 * Which tasks are removed when they are old, with their events and webhooks.
 *
 * @publicApi
 */
export interface RetentionOptions {
  /**
   * Milliseconds for which a task is kept after its last change of status, by its state: `{ TASK_STATE_COMPLETED: 30 * 86_400_000 }`.
   * Tasks in a state that is not here stay.
   */
  readonly keep?: Readonly<Partial<Record<TaskState, number>>>;
  /** Milliseconds between two times that old tasks are looked for. Default 60,000. */
  readonly interval?: number;
  /** Most tasks that one transaction removes. Default 100. */
  readonly batchSize?: number;
}

/** The token of {@link SqlTaskStoreOptions}, for a store that Nest makes. */
export const SQL_TASK_STORE_OPTIONS = Symbol('nest-a2a:sql-task-store-options');

export const TASK_STORE_RULES: OptionRules<SqlTaskStoreOptions> = { countLimit: BOUND, retention: GROUP };

const RETENTION_RULES: OptionRules<RetentionOptions> = {
  keep: {
    holds: (keep) => isObject(keep) && Object.entries(keep as object).every(isAge),
    message: 'must be milliseconds, 0 or more, by states such as TASK_STATE_COMPLETED',
  },
  // What is longer, timers of Node do not wait for.
  interval: {
    holds: (value) => BOUND.holds(value) && (value as number) < 2 ** 31,
    message: `must be a positive integer below ${2 ** 31}`,
  },
  batchSize: BOUND,
};

function isAge([state, age]: [string, unknown]): boolean {
  return Object.values<string>(TaskState).includes(state) && typeof age === 'number' && age >= 0;
}

export interface TaskStoreSettings {
  readonly countLimit: number;
  readonly retention: Required<RetentionOptions>;
}

export function taskStoreFaults(options: SqlTaskStoreOptions, prefix = ''): FieldViolation[] {
  return [
    ...ruleFaults(TASK_STORE_RULES, options, prefix),
    ...ruleFaults(RETENTION_RULES, options.retention, `${prefix}retention.`),
  ];
}

/** @throws SqlOptionsError */
export function taskStoreSettings(options: SqlTaskStoreOptions): TaskStoreSettings {
  const faults = taskStoreFaults(options);
  if (faults.length > 0) throw new SqlOptionsError(faults);
  const { keep, interval, batchSize } = options.retention ?? {};
  return {
    countLimit: options.countLimit ?? 10_000,
    retention: { keep: keep ?? {}, interval: interval ?? 60_000, batchSize: batchSize ?? 100 },
  };
}

import {
  FUNCTION,
  GROUP,
  ruleFaults,
  type OptionRule,
  type OptionRules,
} from '../../options/option-rules.js';
import type { FieldViolation } from '../../protocol/index.js';
import { DATABASE_RULES, SqlOptionsError } from '../database/database-options.js';
import type { DatabaseTarget } from '../database/database-target.js';
import { taskStoreFaults } from '../tasks/task-store-options.js';
import type { A2ASqlModuleOptions } from './a2a-sql-module-options.js';

const TARGETS = ['url', 'pool', 'sqlite'] as const;

const TEXT: OptionRule = { holds: (value) => typeof value === 'string', message: 'must be a text' };

const SQL_MODULE_RULES: OptionRules<A2ASqlModuleOptions> = {
  ...DATABASE_RULES,
  url: TEXT,
  pool: having('connect', 'a pool of pg'),
  sqlite: having('prepare', 'a database of better-sqlite3'),
  tasks: GROUP,
};

/** @throws SqlOptionsError with everything that is wrong */
export function checkSqlOptions(options: A2ASqlModuleOptions): A2ASqlModuleOptions {
  const faults = [
    ...targetFaults(options),
    ...ruleFaults(SQL_MODULE_RULES, options),
    ...taskStoreFaults(options.tasks ?? {}, 'tasks.'),
  ];
  if (faults.length > 0) throw new SqlOptionsError(faults);
  return options;
}

export function targetOf({ url, pool, sqlite }: A2ASqlModuleOptions): DatabaseTarget {
  if (pool) return { pool };
  return sqlite ? { sqlite } : (url ?? '');
}

function targetFaults(options: A2ASqlModuleOptions): FieldViolation[] {
  const given = TARGETS.filter((key) => (options[key] ?? undefined) !== undefined);
  if (given.length === 1) return [];
  const description =
    given.length === 0
      ? 'is missing: give "url", "pool" or "sqlite"'
      : `stands beside "${given[0]}": give one of them`;
  return [{ field: given[1] ?? 'url', description }];
}

function having(method: string, what: string): OptionRule {
  return {
    holds: (value) => GROUP.holds(value) && FUNCTION.holds((value as Record<string, unknown>)[method]),
    message: `must be ${what}`,
  };
}

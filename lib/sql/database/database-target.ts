import { SqlOptionsError, type DatabaseSettings } from './database-options.js';
import type { SqlDriver } from './driver.js';
import { PostgresDriver, type PostgresPool } from './postgres-driver.js';
import { SqliteDriver, type SqliteDatabase } from './sqlite-driver.js';

/**
 * Which database: `sqlite:FILE` or `postgres://USER@HOST/NAME`, a pool of `pg` or a database of `better-sqlite3` that the
 * application has already. What the application has, it also closes.
 *
 * @publicApi
 */
export type DatabaseTarget = string | { readonly pool: PostgresPool } | { readonly sqlite: SqliteDatabase };

/** @throws SqlOptionsError if the target makes no sense; what is wrong is said without the URL, which may hold a password */
export function openDriver(target: DatabaseTarget, settings: DatabaseSettings): Promise<SqlDriver> {
  if (typeof target === 'string') return openUrl(target, settings);
  if (hasMethod(target, 'pool', 'connect')) {
    return Promise.resolve(new PostgresDriver(target.pool, settings));
  }
  if (hasMethod(target, 'sqlite', 'prepare')) {
    return Promise.resolve(new SqliteDriver(target.sqlite));
  }
  return Promise.reject(fault('database', 'must be a URL, a "pool" of pg, or a "sqlite" of better-sqlite3'));
}

function openUrl(url: string, settings: DatabaseSettings): Promise<SqlDriver> {
  if (/^postgres(?:ql)?:\/\//.test(url)) return PostgresDriver.open(url, settings);
  const [, file] = /^sqlite:(?:\/\/)?(.+)$/.exec(url) ?? [];
  if (file !== undefined) return SqliteDriver.open(file, settings);
  return Promise.reject(fault('url', 'must begin with postgres:// or be sqlite:FILE'));
}

function hasMethod<Key extends 'pool' | 'sqlite'>(
  target: object,
  key: Key,
  method: string,
): target is Extract<DatabaseTarget, Record<Key, unknown>> {
  const value = (target as Partial<Record<Key, unknown>>)[key];
  return typeof value === 'object' && value !== null && method in value;
}

function fault(field: string, description: string): SqlOptionsError {
  return new SqlOptionsError([{ field, description }]);
}

import type { ConfigurableModuleAsyncOptions, ModuleMetadata } from '@nestjs/common';
import type { A2ADatabaseOptions } from '../database/database-options.js';
import type { PostgresPool } from '../database/postgres-driver.js';
import type { SqliteDatabase } from '../database/sqlite-driver.js';
import type { SqlTaskStoreOptions } from '../tasks/task-store-options.js';

/**
 * The database of an application: exactly one of `url`, `pool` and `sqlite`, and how it is used.
 *
 * @publicApi
 */
export interface A2ASqlModuleOptions extends A2ADatabaseOptions {
  /** `postgres://USER@HOST/NAME` or `sqlite:FILE`. */
  readonly url?: string;
  /** A pool of `pg` that the application has, and closes. */
  readonly pool?: PostgresPool;
  /** A database of `better-sqlite3` that the application has, and closes. */
  readonly sqlite?: SqliteDatabase;
  /** How {@link SqlTaskStore} keeps tasks. */
  readonly tasks?: SqlTaskStoreOptions;
}

/** @publicApi */
export interface A2ASqlModuleExtras {
  /** Makes the stores visible in all modules. Default `true`. */
  isGlobal?: boolean;
  /** Modules whose exports a factory of options injects. */
  imports?: ModuleMetadata['imports'];
}

/** What a class for `useClass` or `useExisting` of `forRootAsync` provides. */
export interface A2ASqlModuleOptionsFactory {
  createA2ASqlOptions(): A2ASqlModuleOptions | Promise<A2ASqlModuleOptions>;
}

/** Where the options come from: `useFactory` with `inject`, `useClass` or `useExisting`. */
export type A2ASqlModuleAsyncOptions = ConfigurableModuleAsyncOptions<
  A2ASqlModuleOptions,
  'createA2ASqlOptions'
>;

export { A2ADatabase } from './a2a-database.js';
export { SqlOptionsError, type A2ADatabaseOptions } from './database/database-options.js';
export { type DatabaseTarget } from './database/database-target.js';
export { type PostgresPool } from './database/postgres-driver.js';
export { type PostgresClient, type PostgresQuery } from './database/postgres-session.js';
export { type SqliteDatabase, type SqliteStatement } from './database/sqlite-driver.js';
export { type SchemaStatus } from './schema/migrator.js';
export { A2ASqlModule } from './module/a2a-sql.module.js';
export {
  type A2ASqlModuleAsyncOptions,
  type A2ASqlModuleExtras,
  type A2ASqlModuleOptions,
  type A2ASqlModuleOptionsFactory,
} from './module/a2a-sql-module-options.js';
export { SchemaVersionError } from './schema/schema-version-error.js';
export { SqlPushNotificationConfigStore } from './outbox/sql-push-config-store.js';
export { SqlTaskStore } from './tasks/sql-task-store.js';
export {
  SQL_TASK_STORE_OPTIONS,
  type RetentionOptions,
  type SqlTaskStoreOptions,
} from './tasks/task-store-options.js';

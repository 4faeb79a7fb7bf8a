import { ConfigurableModuleBuilder, type DynamicModule, type Provider } from '@nestjs/common';
import { A2ADatabase } from '../a2a-database.js';
import { SqlPushNotificationConfigStore } from '../outbox/sql-push-config-store.js';
import { SqlTaskStore } from '../tasks/sql-task-store.js';
import { SQL_TASK_STORE_OPTIONS } from '../tasks/task-store-options.js';
import type { A2ASqlModuleExtras, A2ASqlModuleOptions } from './a2a-sql-module-options.js';
import { checkSqlOptions, targetOf } from './check-sql-options.js';

const SQL_MODULE_OPTIONS = Symbol('nest-a2a:sql-options');
/** The options, checked. */
const CHECKED_SQL_OPTIONS = Symbol('nest-a2a:checked-sql-options');

const PROVIDERS: Provider[] = [
  { provide: CHECKED_SQL_OPTIONS, inject: [SQL_MODULE_OPTIONS], useFactory: checkSqlOptions },
  {
    provide: A2ADatabase,
    inject: [CHECKED_SQL_OPTIONS],
    useFactory: ({ url, pool, sqlite, tasks: _tasks, ...options }: A2ASqlModuleOptions) =>
      A2ADatabase.open(targetOf({ url, pool, sqlite }), options),
  },
  {
    provide: SQL_TASK_STORE_OPTIONS,
    inject: [CHECKED_SQL_OPTIONS],
    useFactory: ({ tasks = {} }: A2ASqlModuleOptions) => tasks,
  },
  SqlTaskStore,
  SqlPushNotificationConfigStore,
];

export const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<A2ASqlModuleOptions>({
  optionsInjectionToken: SQL_MODULE_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createA2ASqlOptions')
  .setExtras<A2ASqlModuleExtras>({ isGlobal: true, imports: [] }, defineModule)
  .build();

function defineModule(definition: DynamicModule, extras: A2ASqlModuleExtras): DynamicModule {
  const { providers = [], imports = [] } = definition;
  return {
    ...definition,
    global: extras.isGlobal ?? true,
    imports: [...imports, ...(extras.imports ?? [])],
    providers: [...providers, ...PROVIDERS],
    exports: [A2ADatabase, SqlTaskStore, SqlPushNotificationConfigStore],
  };
}

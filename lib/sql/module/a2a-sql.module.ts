import { Module, type DynamicModule } from '@nestjs/common';
import type {
  A2ASqlModuleAsyncOptions,
  A2ASqlModuleExtras,
  A2ASqlModuleOptions,
} from './a2a-sql-module-options.js';
import { ConfigurableModuleClass } from './a2a-sql.module-definition.js';

/**
 * Gives an application a database for its agents, so that nothing is lost when its process ends.
 *
 * ```ts
 * @Module({
 *   imports: [
 *     A2ASqlModule.forRoot({ url: 'postgres://localhost/agents', migrate: true }),
 *     A2AModule.forRoot({ card, executor: WeatherAgent, taskStore: SqlTaskStore }),
 *   ],
 * })
 * export class AppModule {}
 * ```
 *
 * It exports {@link A2ADatabase}, {@link SqlTaskStore} and {@link SqlPushNotificationConfigStore}. The database closes when the application has shut down.
 *
 * @publicApi
 */
@Module({})
export class A2ASqlModule extends ConfigurableModuleClass {
  /**
   * A database that is known when the module is imported.
   *
   * The application does not start with options that are wrong ({@link SqlOptionsError} lists every fault), with a schema that
   * is not up to date ({@link SchemaVersionError}), or without the database.
   */
  static override forRoot(options: A2ASqlModuleOptions & A2ASqlModuleExtras): DynamicModule {
    return super.forRoot(options);
  }

  /** A database whose options a factory makes, with what it injects. */
  static override forRootAsync(options: A2ASqlModuleAsyncOptions & A2ASqlModuleExtras): DynamicModule {
    return super.forRootAsync(options);
  }
}

import {
  ConfigurableModuleBuilder,
  Module,
  type ConfigurableModuleAsyncOptions,
  type DynamicModule,
} from '@nestjs/common';
import { RedisTaskEventBus } from './redis-task-event-bus.js';
import type { RedisOptions } from './redis-options.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<RedisOptions>()
  .setClassMethodName('forRoot')
  .build();

/** Where the options come from: `useFactory` with `inject`, `useClass` or `useExisting`. */
export type A2ARedisModuleAsyncOptions = ConfigurableModuleAsyncOptions<RedisOptions>;

/**
 * Provides a {@link RedisTaskEventBus} for all agents of an application.
 *
 * ```ts
 * @Module({
 *   imports: [
 *     A2ARedisModule.forRoot({ url: 'redis://localhost' }),
 *     A2AModule.forRoot({ eventBus: RedisTaskEventBus, taskStore: SqlTaskStore, … }),
 *   ],
 * })
 * export class AppModule {}
 * ```
 *
 * @publicApi
 */
@Module({
  providers: [
    {
      provide: RedisTaskEventBus,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: RedisOptions) => new RedisTaskEventBus(options),
    },
  ],
  exports: [RedisTaskEventBus],
})
export class A2ARedisModule extends ConfigurableModuleClass {
  /** Faults of the options are a TypeError at start; whether Redis is there does not matter. */
  static override forRoot(options: RedisOptions): DynamicModule {
    return super.forRoot(options);
  }

  /** The same with options that a factory makes. */
  static override forRootAsync(options: A2ARedisModuleAsyncOptions): DynamicModule {
    return super.forRootAsync(options);
  }
}

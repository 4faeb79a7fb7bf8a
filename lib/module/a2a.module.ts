import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { AgentExecutor } from '../server/agent-executor.js';
import { TaskEngine } from '../server/task-engine.js';
import type { A2AModuleAsyncOptions, A2AModuleExtras, A2AModuleOptions } from './a2a-module-options.js';
import { ConfigurableModuleClass } from './a2a.module-definition.js';
import { LateParts } from './late-parts.js';
import type { CheckedOptions } from './checked-options.js';
import type { AgentPush } from './push-definition.js';
import { CHECKED_OPTIONS, EXECUTOR, PUSH } from './tokens.js';

/**
 * Makes a Nest application an A2A agent.
 *
 * ```ts
 * @Module({
 *   imports: [
 *     A2AModule.forRoot({
 *       imports: [ForecastModule],
 *       card: { name: 'Weather', description: 'Tells the weather', version: '1.0.0' },
 *       executor: WeatherAgent,
 *     }),
 *   ],
 * })
 * export class AppModule {}
 * ```
 *
 * Import it once for each agent, with a `name` and a `path` for all but one. The default agent exports
 * {@link A2ATasks}, {@link A2AHealth}, {@link A2ADeadLetters}, {@link A2ARequestHandler}, {@link TaskStore}, {@link TaskEventBus}, {@link TaskOwnerResolver},
 * {@link PushNotificationSender} and {@link PushNotificationConfigStore} under their classes; a named one under the tokens that {@link getA2ATasksToken} and its like give.
 *
 * @publicApi
 */
@Module({})
export class A2AModule
  extends ConfigurableModuleClass
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  /**
   * An agent whose options are known when the module is imported.
   *
   * What is wrong with them comes up when the application starts, as an {@link A2AOptionsError} that lists every fault.
   */
  static override forRoot(options: A2AModuleOptions & A2AModuleExtras): DynamicModule {
    return super.forRoot(options);
  }

  /**
   * An agent whose options a factory makes, with what it injects. What routes are made of, such as `path`, is given
   * beside the factory, because routes are made before it runs.
   */
  static override forRootAsync(options: A2AModuleAsyncOptions & A2AModuleExtras): DynamicModule {
    return super.forRootAsync(options);
  }

  /** @internal Nest makes it. */
  constructor(
    @Inject(EXECUTOR) private readonly executor: AgentExecutor | undefined,
    private readonly late: LateParts,
    private readonly engine: TaskEngine,
    @Inject(CHECKED_OPTIONS) private readonly options: CheckedOptions,
    @Inject(PUSH) private readonly push: AgentPush | undefined,
  ) {
    super();
  }

  onModuleInit(): void {
    this.late.executor.bind(this.executor);
  }

  onApplicationBootstrap(): void {
    if (this.executor) this.engine.start();
    this.push?.deliveries.start();
  }

  onModuleDestroy(): void {
    this.engine.stopAccepting();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.engine.shutdown();
    // The end of the turns is news for webhooks too.
    await this.push?.deliveries.drain(this.options.push.drainTimeout);
  }
}

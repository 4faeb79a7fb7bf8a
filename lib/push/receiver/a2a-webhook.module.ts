import { Inject, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import type {
  A2AWebhookModuleAsyncOptions,
  A2AWebhookModuleExtras,
  A2AWebhookModuleOptions,
} from './a2a-webhook-options.js';
import { CHECKED_WEBHOOK_OPTIONS, ConfigurableModuleClass } from './a2a-webhook.module-definition.js';
import { LateHandler } from './late-handler.js';

/**
 * Takes push notifications of agents in a Nest application (§4.3.3).
 *
 * ```ts
 * @Module({
 *   imports: [A2AWebhookModule.forRoot({ path: 'hooks/a2a', token: process.env.HOOK_TOKEN!, handler: Progress })],
 * })
 * export class AppModule {}
 * ```
 *
 * A notification without the right token is a 401, and one that cannot be read a 400. Each is handed to the handler once,
 * however often an agent sends it, and answered when the handler is done with it.
 *
 * @publicApi
 */
@Module({})
export class A2AWebhookModule extends ConfigurableModuleClass implements OnModuleInit {
  /** A webhook whose options are known when the module is imported; faults are an {@link A2AWebhookOptionsError} at start. */
  static override forRoot(options: A2AWebhookModuleOptions & A2AWebhookModuleExtras): DynamicModule {
    return super.forRoot(options);
  }

  /** A webhook whose options a factory makes. What routes are made of, such as `path`, is given beside the factory. */
  static override forRootAsync(
    options: A2AWebhookModuleAsyncOptions & A2AWebhookModuleExtras,
  ): DynamicModule {
    return super.forRootAsync(options);
  }

  /** @internal Nest makes it. */
  constructor(
    @Inject(CHECKED_WEBHOOK_OPTIONS) private readonly options: A2AWebhookModuleOptions,
    private readonly late: LateHandler,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    await this.late.bind(this.options.handler);
  }
}

import { Module, type DynamicModule } from '@nestjs/common';
import type {
  A2AClientModuleAsyncOptions,
  A2AClientModuleExtras,
  A2AClientModuleOptions,
} from './a2a-client-module-options.js';
import { ConfigurableModuleClass } from './a2a-client.module-definition.js';

/**
 * Gives an application clients for the agents that it calls.
 *
 * ```ts
 * @Module({
 *   imports: [A2AClientModule.forRoot({ agents: { weather: { url: 'https://agent.example.com' } } })],
 * })
 * export class AppModule {}
 * ```
 *
 * Then anything may inject a client by `@InjectA2AClient('weather')`, and {@link A2AClientFactory} and
 * {@link AgentCardResolver} for agents that become known at run time.
 *
 * @publicApi
 */
@Module({})
export class A2AClientModule extends ConfigurableModuleClass {
  /**
   * Agents that are known when the module is imported.
   *
   * What is wrong with the options comes up when the application starts, as an {@link A2AClientOptionsError} that lists every
   * fault. With `connect: 'start'` so does what is wrong with an agent, as an `A2AError`.
   */
  static override forRoot(options: A2AClientModuleOptions & A2AClientModuleExtras): DynamicModule {
    return super.forRoot(options);
  }

  /** Agents whose options a factory makes, with what it injects. `names`, beside it, says which agents there are. */
  static override forRootAsync(options: A2AClientModuleAsyncOptions & A2AClientModuleExtras): DynamicModule {
    return super.forRootAsync(options);
  }
}

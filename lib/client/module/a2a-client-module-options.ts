import type { ConfigurableModuleAsyncOptions, ModuleMetadata } from '@nestjs/common';
import type { AgentCard } from '../../protocol/index.js';
import type { ClientDefaults } from '../a2a-client.factory.js';
import type { AgentClientOptions, EndpointTarget } from '../agent-client-options.js';

/**
 * One agent that clients are injected for. One of `url`, `card` and `endpoint` says where it is.
 *
 * @publicApi
 */
export interface AgentOptions extends AgentClientOptions {
  /** The address of the agent: its host, a URL above its card, or that of the card itself. */
  readonly url?: string;
  /** Where the card is below `url`, in place of `.well-known/agent-card.json`; or its full URL. */
  readonly cardPath?: string;
  /** The agent's card, where it is known. */
  readonly card?: AgentCard;
  /** The interface to call without a card. */
  readonly endpoint?: EndpointTarget;
  /** When the client connects. Default: that of the module. */
  readonly connect?: ConnectTime;
}

/** With the first call, or when the application starts, which then fails if the agent cannot be had. */
export type ConnectTime = 'first-use' | 'start';

/**
 * The agents that an application calls, and what their clients have in common.
 *
 * @publicApi
 */
export interface A2AClientModuleOptions extends ClientDefaults {
  /** By the name that `@InjectA2AClient()` has. Default: none, for applications that only use the factory. */
  readonly agents?: Readonly<Record<string, AgentOptions>>;
  /** When clients connect. Default `first-use`. */
  readonly connect?: ConnectTime;
}

/**
 * What must be known before a factory of options has run.
 *
 * @publicApi
 */
export interface A2AClientModuleExtras {
  /** Beside `useFactory`: the names of the agents that clients are injected for. Not used by `forRoot`. */
  names?: readonly string[];
  /** Makes the clients visible in all modules. Default `true`. */
  isGlobal?: boolean;
  /** Modules whose exports a factory of options injects. */
  imports?: ModuleMetadata['imports'];
}

/** What a class for `useClass` or `useExisting` of `forRootAsync` provides. */
export interface A2AClientModuleOptionsFactory {
  createA2AClientOptions(): A2AClientModuleOptions | Promise<A2AClientModuleOptions>;
}

/** Where the options come from: `useFactory` with `inject`, `useClass` or `useExisting`. */
export type A2AClientModuleAsyncOptions = ConfigurableModuleAsyncOptions<
  A2AClientModuleOptions,
  'createA2AClientOptions'
>;

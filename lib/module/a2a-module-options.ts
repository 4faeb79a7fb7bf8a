import type {
  CanActivate,
  ConfigurableModuleAsyncOptions,
  InjectionToken,
  ModuleMetadata,
  OptionalFactoryDependency,
  Type,
} from '@nestjs/common';
import type { AttemptThrottleOptions } from '../auth/attempt-throttle.js';
import type { AuthListener } from '../auth/auth-event.js';
import type { AuthEntry } from '../auth/auth-options.js';
import type { CallerMapper } from '../auth/request-caller.js';
import type {
  AgentCardFactory,
  AgentCardInput,
  ExtendedAgentCardFactory,
  SigningOptions,
} from '../card/index.js';
import type { PushNotificationConfigStore } from '../push/push-notification-config-store.js';
import type { PushNotificationSender } from '../push/push-notification-sender.js';
import type { PushNotificationOptions } from '../push/push-options.js';
import type { A2ARequestHandler } from '../server/a2a-request-handler.js';
import type { AgentExecutor } from '../server/agent-executor.js';
import type { CallContext } from '../server/call-context.js';
import type { EngineLimits, EngineOptions } from '../server/engine-options.js';
import type { TaskDispatcher } from '../server/task-dispatcher.js';
import type { TaskEventBus } from '../server/task-event-bus.js';
import type { TaskOwnerResolver } from '../server/task-owner-resolver.js';
import type { TaskStore } from '../server/task-store.js';

/** A binding of the protocol. */
export type BindingName = 'http-json' | 'json-rpc';

/**
 * A part of the library that can be swapped: a class, an instance, or a Nest provider without its `provide`.
 *
 * A class is the application's provider of that class if it has one; otherwise it is built with what the module's
 * `imports` bring.
 */
export type Swappable<T> =
  | Type<T>
  | T
  | { useClass: Type<T> }
  | { useValue: T }
  | { useExisting: InjectionToken }
  | {
      useFactory: (...dependencies: never[]) => T | Promise<T>;
      inject?: (InjectionToken | OptionalFactoryDependency)[];
    };

/** Tells whether a tenant is served to this caller. */
export type TenantRule = (tenant: string, context: CallContext) => boolean | Promise<boolean>;

/** What must be known when routes are made, so it is given directly in `forRoot` and in `forRootAsync`. */
export interface A2AModuleExtras {
  /** Where the agent is served, without a global prefix; may have several segments. Default `a2a`. */
  path?: string;
  /** Tells the agents of one application apart; the agent without a name is the default one. */
  name?: string;
  /** Guards of every operation, after `auth`. The public card is not guarded. */
  guards?: (Type<CanActivate> | CanActivate)[];
  /** Decorators for the controllers, such as `SkipThrottle()`. */
  decorators?: ClassDecorator[];
  /** The bindings served, preferred one first. Default `['http-json', 'json-rpc']`. */
  bindings?: BindingName[];
  /**
   * Older versions of the protocol served beside 1.0, at the same paths and over the same bindings. `v0_3: true` serves 0.3 and
   * takes requests without the header `A2A-Version` for it (§3.6.2); no tenant can be called `v1` then. Default: none.
   */
  compat?: { v0_3?: boolean };
  /** Makes the exported providers visible everywhere. Default `false`. */
  isGlobal?: boolean;
  /** Modules whose exports the executor, the handler and the like may inject. */
  imports?: ModuleMetadata['imports'];
}

/** The bounds of an agent; past each one a caller gets a clear error. */
export interface A2ALimits extends EngineLimits {
  /** Bytes of a request's body; more is a 413. Default 4 MiB. */
  bodySize?: number;
  /** Open streams of the agent; 503 past it. Default 10,000. */
  openStreams?: number;
  /** Finished tasks that the in-memory store keeps, the oldest go first. Default 10,000; `Infinity` keeps all. */
  finishedTasks?: number;
  /** Webhooks of one task; 429 past it. Default 100. */
  pushConfigsPerTask?: number;
}

/**
 * The options of {@link A2AModule}. Times are milliseconds unless said otherwise.
 *
 * @publicApi
 */
export interface A2AModuleOptions extends Omit<EngineOptions, 'limits'> {
  /** How the agent describes itself: a constant, or a function that is asked whenever the card is fetched. */
  card: AgentCardInput | AgentCardFactory;
  /** The logic of the agent. Needed unless `handler` answers everything by itself. */
  executor?: Type<AgentExecutor> | AgentExecutor;
  /**
   * Answers the operations. Default {@link DefaultRequestHandler}, which drives `executor`; a class may extend or
   * inject that one, and then needs an `executor` too. Which operations it overrides decides what the card says.
   */
  handler?: Type<A2ARequestHandler> | A2ARequestHandler;
  /** Where tasks are kept. Default: in memory. */
  taskStore?: Swappable<TaskStore>;
  /** What carries live events. Default: in process. */
  eventBus?: Swappable<TaskEventBus>;
  /**
   * Brings turns to the processes that run them, by their `role`; needs a store that outlives them. A message then makes its
   * task at once. Default: a turn runs in the process that took its message.
   */
  dispatcher?: Swappable<TaskDispatcher>;
  /** Who owns what a caller makes. Default: the authenticated identity; without authentication one shared pool. */
  ownerResolver?: Swappable<TaskOwnerResolver>;
  /**
   * How callers authenticate: alternatives, tried in order (§7). Every operation then needs a credential that one of
   * them accepts; the public card does not. Default: nobody authenticates.
   */
  auth?: readonly AuthEntry[];
  /**
   * How failed attempts with a name and a password are slowed, by user name; `false` does not slow them. Default: the
   * fourth in a row waits for half a second, and later ones for up to four.
   */
  authThrottle?: AttemptThrottleOptions | false;
  /** Hears what came of authenticating each request. Default: refusals are logged, a few in a minute. */
  onAuth?: AuthListener;
  /**
   * Says who calls where guards of the application authenticate instead of `auth`. It gets the adapter's request.
   * Default: `request.user`, of which `sub`, `userId`, `id` or `username` is the identity, `iss` the authority, and
   * `scopes` or `scope` the scopes.
   */
  caller?: CallerMapper;
  /**
   * The card for authenticated callers (§3.1.11): a constant, or a function of the caller. `null` declares one and
   * has none yet. Default: none, and the card says so.
   */
  extendedCard?: AgentCardInput | ExtendedAgentCardFactory | null;
  /** Delivers push notifications. Default: {@link WebhookSender}, which posts them. */
  pushNotificationSender?: Swappable<PushNotificationSender>;
  /** Where webhooks are kept. Default: in memory, as long as their task. */
  pushNotificationConfigStore?: Swappable<PushNotificationConfigStore>;
  /** How webhooks are told of changes, and which may be called. */
  pushNotifications?: PushNotificationOptions;
  /** `false` withholds a group of operations that the handler has. */
  capabilities?: { streaming?: boolean; pushNotifications?: boolean };
  /**
   * The address that clients use, such as `https://agent.example.com`: replaces the origin, and the prefix that a
   * proxy takes off, in the card's URLs. Default: what the request's `Host` header says.
   */
  publicUrl?: string;
  /**
   * Signs the agent's cards (§8.4), and serves the keys for it at `BASE/.well-known/jwks.json`. Needs `publicUrl`, since
   * whoever could choose the address in a signed card could have one of their own host. Default: cards are not signed.
   */
  signing?: SigningOptions;
  /** The tenants served under `BASE/{tenant}/…`: a list, `true` for any, or a function. Default: none. */
  tenants?: readonly string[] | true | TenantRule;
  /** Refuses parts whose media type the card does not declare (§4.1.6). Default `false`. */
  validateInputModes?: boolean;
  /** Seconds that the card may be cached. Default 300. */
  cardMaxAge?: number;
  /** Silence after which a stream sends a keep-alive comment; 0 is off. Default 15,000. */
  keepAliveInterval?: number;
  /** Silence after which a stream ends; 0 is off. Keep-alives do not count. Default 300,000. */
  streamIdleTimeout?: number;
  limits?: A2ALimits;
  /** Serves an extended card to anybody. Made for test kits. Default `false`. */
  unsafeExtendedCardWithoutAuth?: boolean;
}

/** What a class for `useClass` or `useExisting` of `forRootAsync` provides. */
export interface A2AModuleOptionsFactory {
  createA2AOptions(): A2AModuleOptions | Promise<A2AModuleOptions>;
}

/** Where the options of an agent come from: `useFactory` with `inject`, `useClass` or `useExisting`. */
export type A2AModuleAsyncOptions = ConfigurableModuleAsyncOptions<A2AModuleOptions, 'createA2AOptions'>;

import type { FactoryProvider, InjectionToken, ModuleMetadata, Provider } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { A2AHealth } from '../server/a2a-health.js';
import { A2ATasks } from '../server/a2a-tasks.js';
import { InMemoryPushConfigStore } from '../push/in-memory-push-config-store.js';
import { WebhookSender } from '../push/webhook-sender.js';
import type { A2ARequestHandler } from '../server/a2a-request-handler.js';
import type { CallContext } from '../server/call-context.js';
import { DefaultRequestHandler } from '../server/default-request-handler.js';
import { InMemoryTaskStore } from '../server/in-memory-task-store.js';
import { InProcessTaskEventBus } from '../server/in-process-event-bus.js';
import { ServedAgent } from '../server/served-agent.js';
import { TaskEngine } from '../server/task-engine.js';
import type { TaskDispatcher } from '../server/task-dispatcher.js';
import type { TaskEventBus } from '../server/task-event-bus.js';
import { IdentityOwnerResolver, type TaskOwnerResolver } from '../server/task-owner-resolver.js';
import type { TaskStore } from '../server/task-store.js';
import type { A2AModuleOptions, Swappable } from './a2a-module-options.js';
import { checkOptions, type CheckedOptions } from './checked-options.js';
import { LateParts } from './late-parts.js';
import { ModuleAgent } from './module-agent.js';
import { A2AOptionsError } from './options-error.js';
import { OptionResolver } from './option-resolver.js';
import type { Place } from './option-shapes.js';
import { deadLettersProvider, pushProvider, type AgentPush } from './push-definition.js';
import type { StaticOptions } from './static-options.js';
import {
  CHECKED_OPTIONS,
  DEFAULT_AGENT,
  DISPATCHER,
  EXECUTOR,
  getA2ADeadLettersToken,
  getA2AHealthToken,
  getA2ATasksToken,
  getPushNotificationConfigStoreToken,
  getPushNotificationSenderToken,
  getRequestHandlerToken,
  getTaskEventBusToken,
  getTaskOwnerResolverToken,
  getTaskStoreToken,
  MODULE_OPTIONS,
  PUSH,
} from './tokens.js';

/** What one registration adds to the module. */
export type AgentDefinition = Required<Pick<ModuleMetadata, 'providers' | 'exports'>>;

/**
 * The providers of one agent. Those that users meet stand under the agent's own tokens, so that a class alone always
 * means the default agent.
 */
export function agentDefinition(statics: StaticOptions): AgentDefinition {
  const { name } = statics;
  const store = getTaskStoreToken(name);
  const bus = getTaskEventBusToken(name);
  const owners = getTaskOwnerResolverToken(name);
  const sender = getPushNotificationSenderToken(name);
  const configs = getPushNotificationConfigStoreToken(name);
  const handler = getRequestHandlerToken(name);
  const tasks = getA2ATasksToken(name);
  const health = getA2AHealthToken(name);
  const deadLetters = getA2ADeadLettersToken(name);

  const providers: Provider[] = [
    {
      provide: CHECKED_OPTIONS,
      inject: [MODULE_OPTIONS, ModulesContainer],
      useFactory: (given: A2AModuleOptions, application: ModulesContainer) =>
        checkOptions(statics, given, application),
    },
    {
      provide: OptionResolver,
      inject: [ModuleRef, ModulesContainer],
      useFactory: (own: ModuleRef, modules: ModulesContainer) => new OptionResolver(name, own, modules),
    },
    placeProvider(store, 'taskStore', ({ given }) => new InMemoryTaskStore(given.limits)),
    placeProvider(bus, 'eventBus', () => new InProcessTaskEventBus()),
    placeProvider(owners, 'ownerResolver', () => new IdentityOwnerResolver()),
    placeProvider(sender, 'pushNotificationSender', ({ push }) => new WebhookSender(push)),
    placeProvider(configs, 'pushNotificationConfigStore', () => new InMemoryPushConfigStore()),
    pushProvider(name),
    deadLettersProvider(deadLetters, name),
    placeProvider(DISPATCHER, 'dispatcher', () => undefined),
    placeProvider(EXECUTOR, 'executor', () => undefined),
    LateParts,
    {
      provide: TaskEngine,
      inject: [CHECKED_OPTIONS, LateParts, store, bus, owners, PUSH, DISPATCHER],
      useFactory: makeEngine,
    },
    DefaultRequestHandler,
    {
      provide: tasks,
      inject: [TaskEngine],
      useFactory: (engine: TaskEngine) => new A2ATasks(engine),
    },
    {
      provide: health,
      inject: [TaskEngine],
      useFactory: (engine: TaskEngine) => new A2AHealth(engine),
    },
    {
      provide: handler,
      inject: [CHECKED_OPTIONS, OptionResolver, DefaultRequestHandler],
      useFactory: ({ given }: CheckedOptions, resolver: OptionResolver, fallback: DefaultRequestHandler) =>
        given.handler ? resolver.resolve('handler', given.handler) : fallback,
    },
    {
      provide: ServedAgent,
      inject: [CHECKED_OPTIONS, handler, store, LateParts],
      useFactory: (options: CheckedOptions, answers: A2ARequestHandler, tasks: TaskStore, late: LateParts) =>
        (late.agent = ModuleAgent.of(options, answers, tasks)),
    },
  ];
  const own = [store, bus, owners, sender, configs, handler, tasks, health, deadLetters];
  return { providers, exports: name === DEFAULT_AGENT ? [...own, TaskEngine, DefaultRequestHandler] : own };
}

/** What the options give for a place, else the default. */
function placeProvider(
  provide: InjectionToken,
  place: Place,
  fallback: (options: CheckedOptions) => object | undefined,
): FactoryProvider {
  return {
    provide,
    inject: [CHECKED_OPTIONS, OptionResolver],
    useFactory: (options: CheckedOptions, resolver: OptionResolver) => {
      const option = options.given[place] as Swappable<object> | null | undefined;
      return option ? resolver.resolve(place, option) : fallback(options);
    },
  };
}

function makeEngine(
  { name, engine, given }: CheckedOptions,
  late: LateParts,
  store: TaskStore,
  bus: TaskEventBus,
  owners: TaskOwnerResolver,
  push: AgentPush | undefined,
  dispatcher: TaskDispatcher | undefined,
): TaskEngine {
  if (engine.idempotencyWindow > 0 && !store.claimsMessages) {
    const description = 'needs a task store that can tell messages that come twice ("claimsMessages")';
    throw new A2AOptionsError(name, [{ field: 'idempotencyWindow', description }]);
  }
  return new TaskEngine({
    agent: name,
    store,
    bus,
    owners,
    options: engine,
    executor: late.executor,
    ...(push && { push: push.service }),
    ...(dispatcher && { dispatcher }),
    ...(given.validateInputModes === true && {
      acceptsMediaType: (mediaType: string) => late.acceptsMediaType(mediaType),
    }),
    ...(given.extendedCard !== undefined && {
      extendedCard: (context: CallContext) => late.extendedCard(context),
    }),
  });
}

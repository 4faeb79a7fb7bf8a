import type { InjectionToken } from '@nestjs/common';
import { A2ADeadLetters } from '../push/outbox/dead-letters.js';
import { PushNotificationConfigStore } from '../push/push-notification-config-store.js';
import { PushNotificationSender } from '../push/push-notification-sender.js';
import { A2ARequestHandler } from '../server/a2a-request-handler.js';
import { A2AHealth } from '../server/a2a-health.js';
import { A2ATasks } from '../server/a2a-tasks.js';
import { TaskEventBus } from '../server/task-event-bus.js';
import { TaskOwnerResolver } from '../server/task-owner-resolver.js';
import { TaskStore } from '../server/task-store.js';

/** The name of the agent that has none. */
export const DEFAULT_AGENT = 'default';

/** The token of an agent's {@link TaskStore}: the class itself for the default agent. @publicApi */
export const getTaskStoreToken = tokenOf(TaskStore, 'TaskStore');
/** The token of an agent's {@link TaskEventBus}: the class itself for the default agent. @publicApi */
export const getTaskEventBusToken = tokenOf(TaskEventBus, 'TaskEventBus');
/** The token of an agent's {@link TaskOwnerResolver}: the class itself for the default agent. @publicApi */
export const getTaskOwnerResolverToken = tokenOf(TaskOwnerResolver, 'TaskOwnerResolver');
/** The token of an agent's {@link PushNotificationConfigStore}: the class itself for the default agent. @publicApi */
export const getPushNotificationConfigStoreToken = tokenOf(
  PushNotificationConfigStore,
  'PushNotificationConfigStore',
);
/** The token of an agent's {@link PushNotificationSender}: the class itself for the default agent. @publicApi */
export const getPushNotificationSenderToken = tokenOf(PushNotificationSender, 'PushNotificationSender');
/** The token of an agent's {@link A2ARequestHandler}: the class itself for the default agent. @publicApi */
export const getRequestHandlerToken = tokenOf(A2ARequestHandler, 'A2ARequestHandler');
/** The token of an agent's {@link A2ATasks}: the class itself for the default agent. @publicApi */
export const getA2ATasksToken = tokenOf(A2ATasks, 'A2ATasks');
/** The token of an agent's {@link A2AHealth}: the class itself for the default agent. @publicApi */
export const getA2AHealthToken = tokenOf(A2AHealth, 'A2AHealth');
/** The token of an agent's {@link A2ADeadLetters}: the class itself for the default agent. @publicApi */
export const getA2ADeadLettersToken = tokenOf(A2ADeadLetters, 'A2ADeadLetters');

/** Makes the tokens of named agents: the class alone means the default agent. */
function tokenOf<T>(type: abstract new (...args: never[]) => T, label: string) {
  return (name: string = DEFAULT_AGENT): InjectionToken<T> =>
    name === DEFAULT_AGENT ? type : `nest-a2a:${label}:${name}`;
}

/** The options as they were given. */
export const MODULE_OPTIONS = Symbol('nest-a2a:options');
/** The options, checked and with their defaults. */
export const CHECKED_OPTIONS = Symbol('nest-a2a:checked-options');
/** The dispatcher, or `undefined` if turns run where their message was taken. */
export const DISPATCHER = Symbol('nest-a2a:dispatcher');
/** The push notifications, or `undefined` if they are withheld. */
export const PUSH = Symbol('nest-a2a:push');
/** The executor, or `undefined` if the handler needs none. */
export const EXECUTOR = Symbol('nest-a2a:executor');

import { Logger, type InjectionToken, type Provider } from '@nestjs/common';
import { UrlGuard } from '../net/url-guard.js';
import type { Deliveries } from '../push/deliveries.js';
import { DeliveryQueue } from '../push/delivery-queue.js';
import { A2ADeadLetters } from '../push/outbox/dead-letters.js';
import { OutboxRunner } from '../push/outbox/outbox-runner.js';
import { isOutbox } from '../push/outbox/push-outbox.js';
import type { PushNotificationConfigStore } from '../push/push-notification-config-store.js';
import type { PushNotificationSender } from '../push/push-notification-sender.js';
import type { PushNotificationOptions } from '../push/push-options.js';
import { PushService } from '../push/push-service.js';
import { QueuedDeliveries } from '../push/queued-deliveries.js';
import { WebhookSender } from '../push/webhook-sender.js';
import type { TaskStore } from '../server/task-store.js';
import type { CheckedOptions } from './checked-options.js';
import { A2AOptionsError } from './options-error.js';
import {
  CHECKED_OPTIONS,
  getPushNotificationConfigStoreToken,
  getPushNotificationSenderToken,
  getTaskStoreToken,
  PUSH,
} from './tokens.js';

/** The push notifications of one agent: what keeps webhooks and hands changes on, and what delivers them. */
export interface AgentPush {
  readonly service: PushService;
  readonly deliveries: Deliveries;
  readonly deadLetters: A2ADeadLetters;
}

/** The provider of {@link AgentPush}; `undefined` where push notifications are withheld. */
export function pushProvider(agent: string): Provider {
  return {
    provide: PUSH,
    inject: [
      CHECKED_OPTIONS,
      getPushNotificationConfigStoreToken(agent),
      getPushNotificationSenderToken(agent),
      getTaskStoreToken(agent),
    ],
    useFactory: makePush,
  };
}

/** The provider of the agent's {@link A2ADeadLetters}. */
export function deadLettersProvider(provide: InjectionToken, agent: string): Provider {
  return {
    provide,
    inject: [PUSH],
    useFactory: (push: AgentPush | undefined) => push?.deadLetters ?? new A2ADeadLetters(agent),
  };
}

function makePush(
  { name, given, push }: CheckedOptions,
  store: PushNotificationConfigStore,
  sender: PushNotificationSender,
  tasks: TaskStore,
): AgentPush | undefined {
  if (given.capabilities?.pushNotifications === false) return undefined;
  const logger = new Logger(`A2A:${name}`);
  if (isOutbox(store) && !store.hearsOf(tasks)) {
    const description =
      'would tell webhooks nothing, since the tasks of the agent are not in its database: "taskStore" must be the store of tasks that goes with it';
    throw new A2AOptionsError(name, [{ field: 'pushNotificationConfigStore', description }]);
  }
  const runner = isOutbox(store)
    ? new OutboxRunner({ agent: name, outbox: store, tasks, sender, logger }, push)
    : undefined;
  const deliveries = runner ?? new QueuedDeliveries(new DeliveryQueue(sender, push));
  const service = new PushService({
    agent: name,
    store,
    deliveries,
    urls: guardOf(sender, push),
    payload: push.payload,
    configsPerTask: push.configsPerTask,
    logger,
  });
  return { service, deliveries, deadLetters: new A2ADeadLetters(name, runner) };
}

/** What the sender would refuse is refused when it is registered. */
function guardOf(sender: PushNotificationSender, options: PushNotificationOptions): UrlGuard {
  return sender instanceof WebhookSender ? sender.guard : new UrlGuard(options);
}

import { Logger, type Provider } from '@nestjs/common';
import { UrlGuard } from '../net/url-guard.js';
import { DeliveryQueue } from '../push/delivery-queue.js';
import type { PushNotificationConfigStore } from '../push/push-notification-config-store.js';
import type { PushNotificationSender } from '../push/push-notification-sender.js';
import type { PushNotificationOptions } from '../push/push-options.js';
import { PushService } from '../push/push-service.js';
import { WebhookSender } from '../push/webhook-sender.js';
import type { CheckedOptions } from './checked-options.js';
import {
  CHECKED_OPTIONS,
  getPushNotificationConfigStoreToken,
  getPushNotificationSenderToken,
  PUSH,
} from './tokens.js';

/** The push notifications of one agent: what keeps webhooks and hands changes on, and what delivers them. */
export interface AgentPush {
  readonly service: PushService;
  readonly queue: DeliveryQueue;
}

/** The provider of {@link AgentPush}; `undefined` where push notifications are withheld. */
export function pushProvider(agent: string): Provider {
  return {
    provide: PUSH,
    inject: [
      CHECKED_OPTIONS,
      getPushNotificationConfigStoreToken(agent),
      getPushNotificationSenderToken(agent),
    ],
    useFactory: makePush,
  };
}

function makePush(
  { name, given, push }: CheckedOptions,
  store: PushNotificationConfigStore,
  sender: PushNotificationSender,
): AgentPush | undefined {
  if (given.capabilities?.pushNotifications === false) return undefined;
  const queue = new DeliveryQueue(sender, push);
  const service = new PushService({
    agent: name,
    store,
    queue,
    urls: guardOf(sender, push),
    payload: push.payload,
    configsPerTask: push.configsPerTask,
    logger: new Logger(`A2A:${name}`),
  });
  return { service, queue };
}

/** What the sender would refuse is refused when it is registered. */
function guardOf(sender: PushNotificationSender, options: PushNotificationOptions): UrlGuard {
  return sender instanceof WebhookSender ? sender.guard : new UrlGuard(options);
}

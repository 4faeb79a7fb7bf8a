import type { TaskNotice } from '../server/push-notifications.js';
import { ChangeNotification, mergeOf, payloadOf } from './change-notification.js';
import type { Deliveries } from './deliveries.js';
import type { DeliveryQueue } from './delivery-queue.js';
import type { PushConfigRecord } from './push-notification-config-store.js';

/** Deliveries that wait in memory, and are gone with the process. */
export class QueuedDeliveries implements Deliveries {
  constructor(private readonly queue: DeliveryQueue) {}

  start(): void {
    // Nobody else can have left anything.
  }

  deliver(_taskId: string, notices: readonly TaskNotice[], webhooks: readonly PushConfigRecord[]): void {
    this.queue.defer(() => {
      for (const notice of notices) {
        const payload = payloadOf(notice);
        for (const record of webhooks) {
          const notification = new ChangeNotification(record, payload);
          this.queue.enqueue(keyOf(record), notification, mergeOf(notification, notice));
        }
      }
    });
  }

  drop(webhook: PushConfigRecord): void {
    this.queue.drop(keyOf(webhook));
  }

  isBusy(taskId: string): boolean {
    return this.#keysOf(taskId).length > 0;
  }

  revise(taskId: string, webhooks: readonly PushConfigRecord[]): void {
    const records = new Map(webhooks.map((record) => [keyOf(record), record]));
    for (const key of this.#keysOf(taskId)) {
      const record = records.get(key);
      if (!record) this.queue.drop(key);
      else {
        this.queue.revise(key, (waiting) =>
          waiting instanceof ChangeNotification ? waiting.to(record) : waiting,
        );
      }
    }
  }

  drain(ms: number): Promise<void> {
    return this.queue.drain(ms);
  }

  #keysOf(taskId: string): string[] {
    return this.queue.keys().filter((key) => key.startsWith(`${taskId}\n`));
  }
}

/** What the queue knows a webhook by. The id of a config holds no line break. */
function keyOf({ config }: PushConfigRecord): string {
  return `${config.taskId}\n${config.id}`;
}

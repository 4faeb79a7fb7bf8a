import type { StreamResponse, TaskPushNotificationConfig } from '../protocol/index.js';

/** A webhook as it is registered: its task and its own id are known. */
export type RegisteredPushConfig = TaskPushNotificationConfig & {
  readonly id: string;
  readonly taskId: string;
};

/** One change of a task, on its way to one webhook. */
export interface PushNotification {
  /** The same in every attempt, and in no other notification. */
  readonly id: string;
  readonly config: RegisteredPushConfig;
  /** The protocol version that the config was made with, `Major.Minor`. */
  readonly version: string;
  /** What happened: the task as it was then, or the event itself. Made when first read, at a cost that grows with it. */
  readonly event: StreamResponse;
  /** The JSON of `event` in `version`, made once for all webhooks of a change. */
  readonly body: string;
}

/**
 * Delivers notifications. The default posts them to the webhook and tries again when that is worth it.
 *
 * It is called once for each notification (and again where its config is replaced meanwhile), in order and never twice at
 * once for one config; a rejection is logged and
 * the next notification follows.
 *
 * @publicApi
 */
export abstract class PushNotificationSender {
  /**
   * Delivers one notification, with whatever attempts that takes; rejects when it gives up.
   *
   * @param signal aborts when the config is deleted or replaced (the notification then comes again for the new one), or when the process must end
   */
  abstract send(notification: PushNotification, signal: AbortSignal): Promise<void>;
}

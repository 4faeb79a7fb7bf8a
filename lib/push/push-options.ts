import type { WebhookSenderOptions } from './webhook-sender.js';

/**
 * How webhooks are told of changes (§4.3). Times are milliseconds. All but the first three are for the default sender; which
 * URLs may be called also decides which are taken.
 */
export interface PushNotificationOptions extends WebhookSenderOptions {
  /**
   * What is posted: `task`, the task as it was after the change, or `event`, the change itself, which costs the same however
   * large the task is. Default `task`.
   */
  payload?: 'task' | 'event';
  /**
   * Notifications that may wait for one webhook: past it changes of artifacts are merged, changes of state never. Default
   * 1,000.
   */
  maxWaiting?: number;
  /** How long deliveries may go on at shutdown, after the turns have ended. Default 5,000. */
  drainTimeout?: number;
}

/** The defaults of options that are not the sender's own. */
export const PUSH_DEFAULTS = {
  payload: 'task',
  maxWaiting: 1_000,
  drainTimeout: 5_000,
} as const satisfies PushNotificationOptions;

import type { WebhookSenderOptions } from './webhook-sender.js';

/**
 * How webhooks are told of changes (§4.3). Times are milliseconds. All but the first seven are for the default sender; which
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
  /**
   * How often a process looks for deliveries that another one has left. This and the next three are for a store of webhooks
   * that is a `PushOutbox`. Default 5,000.
   */
  pollInterval?: number;
  /** How long a webhook stays with a process that does not answer any more, before another one takes it over. Default 30,000. */
  claimLease?: number;
  /** Webhooks that one process delivers to at once; more wait. Default 1,000. */
  claimedWebhooks?: number;
  /** How long notifications that were given up are kept. Default 1,209,600,000: 14 days. */
  deadLetterAge?: number;
}

/** The defaults of options that are not the sender's own. */
export const PUSH_DEFAULTS = {
  payload: 'task',
  maxWaiting: 1_000,
  drainTimeout: 5_000,
  pollInterval: 5_000,
  claimLease: 30_000,
  claimedWebhooks: 1_000,
  deadLetterAge: 14 * 24 * 60 * 60 * 1_000,
} as const satisfies PushNotificationOptions;

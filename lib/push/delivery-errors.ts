import type { PushNotification } from './push-notification-sender.js';

/** A webhook was removed or replaced, or the process ends, before its notification was delivered. */
export class DeliveryDroppedError extends Error {
  override readonly name = 'DeliveryDroppedError';

  constructor() {
    super('The webhook is gone or replaced, or the process ends');
  }
}

/**
 * A notification was not delivered, whatever was tried. The message says why, and holds no secret.
 *
 * @publicApi
 */
export class DeliveryFailedError extends Error {
  override readonly name = 'DeliveryFailedError';

  constructor(
    message: string,
    /** How often it was tried. */
    readonly attempts: number,
    /** The status of the last answer, if there was one. */
    readonly status: number | undefined,
  ) {
    super(message);
  }
}

/** What the log says of a notification that was given up. */
export function undelivered({ id, config }: PushNotification, error: unknown): string {
  return `Notification ${id} of task ${config.taskId} to webhook ${config.id} was not delivered: ${reasonOf(error)}`;
}

/** Why, in the words of what was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}

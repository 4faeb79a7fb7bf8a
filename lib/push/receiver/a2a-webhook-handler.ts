import type { StreamResponse } from '../../protocol/index.js';

/**
 * What goes with a notification.
 *
 * @publicApi
 */
export interface WebhookNotification {
  /** The task that it is about; absent for a message of no task. */
  readonly taskId?: string;
  /** The same in every attempt to deliver it; absent where the agent names none. */
  readonly id?: string;
  /** Counts the attempts of the agent, from 1. */
  readonly attempt: number;
  /** The headers of the request, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Takes what agents tell an application by webhook.
 *
 * @publicApi
 */
export abstract class A2AWebhookHandler {
  /**
   * Takes one notification. The agent gets its answer when this is done; an error makes it try again, but for an
   * exception of Nest with a status from 400 to 499.
   *
   * @param event the task as it was after a change, or the change itself, as the agent is set up
   */
  abstract onNotification(
    event: StreamResponse<Uint8Array>,
    notification: WebhookNotification,
  ): void | Promise<void>;
}

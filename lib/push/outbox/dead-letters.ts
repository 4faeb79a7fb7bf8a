import { DEAD_LETTER_PAGE, type DeadLetterPage, type DeadLetterQuery } from './dead-letter.js';
import type { OutboxRunner } from './outbox-runner.js';
import type { PushOutbox } from './push-outbox.js';

/**
 * The notifications of an agent that were given up: to look at, and to send again once the webhook is mended.
 *
 * They go with their webhook, and when they are older than `pushNotifications.deadLetterAge`. Only a store of webhooks that is a
 * {@link PushOutbox} has any.
 *
 * @publicApi
 */
export class A2ADeadLetters {
  /** @internal The module makes it. */
  constructor(
    private readonly agent: string,
    private readonly runner?: OutboxRunner,
  ) {}

  /** One page, the newest first. `after` is the last of the page before; `limit` is 50 by default. */
  async list({ after, limit = DEAD_LETTER_PAGE }: Partial<DeadLetterQuery> = {}): Promise<DeadLetterPage> {
    return this.#outbox().deadLetters(this.agent, { ...(after && { after }), limit });
  }

  /**
   * Has a notification sent again, to its webhook as it is by now, before anything else that waits for it. It is listed until it is
   * delivered. Resolves when that is certain to happen, also after a restart; `false` if there is no such dead letter.
   */
  async resend(id: string): Promise<boolean> {
    const isThere = await this.#outbox().resendDeadLetter(this.agent, id);
    if (isThere) this.runner?.look();
    return isThere;
  }

  /** Forgets a notification. `false` if there is no such dead letter. */
  remove(id: string): Promise<boolean> {
    return this.#outbox().removeDeadLetter(this.agent, id);
  }

  #outbox(): PushOutbox {
    if (this.runner) return this.runner.outbox;
    throw new Error(
      'Dead letters are kept by a store of webhooks that is an outbox, such as SqlPushNotificationConfigStore of nest-a2a/sql; ' +
        'the option "pushNotificationConfigStore" names none',
    );
  }
}

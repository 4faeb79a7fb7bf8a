import { isDeepStrictEqual } from 'node:util';
import { ChangeNotification } from '../change-notification.js';
import { DeliveryDroppedError, DeliveryFailedError, reasonOf } from '../delivery-errors.js';
import { originOf } from '../push-config-rules.js';
import type { PushConfigRecord } from '../push-notification-config-store.js';
import type { PushNotificationSender } from '../push-notification-sender.js';
import type { FailedDelivery } from './dead-letter.js';
import { notificationId, type ClaimedWebhook } from './push-outbox.js';
import type { Change } from './recent-changes.js';

/** What a lane needs around it. */
export interface LaneParts {
  readonly sender: PushNotificationSender;
  /** The first change behind `after`, of those up to `target`; tries until `signal` aborts. */
  next(after: number, target: number, signal: AbortSignal): Promise<Change | undefined>;
  /** As in the outbox, but tries until `signal` aborts. */
  advance(
    claim: ClaimedWebhook,
    seq: number,
    failed: FailedDelivery | undefined,
    signal: AbortSignal,
  ): Promise<ClaimedWebhook | undefined>;
  /** A notification was given up. */
  gaveUp(notification: ChangeNotification, error: unknown): void;
  /** How far behind a webhook may be before changes of artifacts are skipped; `Infinity` where that would lose them. */
  readonly maxBehind: number;
}

/** Tells one webhook that this process has claimed of what it has not heard: in order, and one change at a time. */
export class OutboxLane {
  readonly #end = new AbortController();
  /** Of what is being sent. */
  #sending = new AbortController();
  /** Whether the task has changed since the outbox was last asked what waits. */
  isOvertaken = false;
  /** How often the webhook was replaced meanwhile. */
  revision = 0;

  constructor(
    private claim: ClaimedWebhook,
    private readonly parts: LaneParts,
  ) {}

  get uid(): string {
    return this.claim.uid;
  }

  get record(): PushConfigRecord {
    return this.claim.record;
  }

  get isStopped(): boolean {
    return this.#end.signal.aborted;
  }

  /** Goes on until nothing more waits, or the lane is stopped. */
  async run(): Promise<void> {
    while ((await this.#step()) && !this.isStopped);
  }

  /** The webhook as it is now: what is being sent is sent there instead. */
  revise(record: PushConfigRecord): void {
    if (isDeepStrictEqual(record, this.claim.record)) return;
    this.revision += 1;
    this.claim = { ...this.claim, record };
    this.#abortSending();
  }

  /** The webhook is gone, or no more this lane's. */
  stop(): void {
    this.#end.abort(new DeliveryDroppedError());
    this.#abortSending();
  }

  /** Deals with one change; `false` when nothing more is to be done. */
  async #step(): Promise<boolean> {
    const { resend, delivered, target } = this.claim;
    const change =
      resend === undefined ? await this.#nextOf(delivered, target) : await this.#next(resend - 1, resend);
    const failed = change && (await this.#send(change));
    // Where no change is left that webhooks are told of, the rest is dealt with.
    return this.#advance(resend ?? change?.seq ?? target, failed);
  }

  async #nextOf(delivered: number, target: number): Promise<Change | undefined> {
    let change = await this.#next(delivered, target);
    while (change?.isArtifact && target - change.seq > this.parts.maxBehind) {
      change = await this.#next(change.seq, target);
    }
    return change;
  }

  #next(after: number, target: number): Promise<Change | undefined> {
    return this.parts.next(after, target, this.#end.signal);
  }

  async #advance(seq: number, failed: FailedDelivery | undefined): Promise<boolean> {
    this.isOvertaken = false;
    const { revision } = this;
    const claim = await this.parts.advance(this.claim, seq, failed, this.#end.signal);
    if (!claim) return false;
    this.claim = revision === this.revision ? claim : { ...claim, record: this.claim.record };
    return true;
  }

  /** Sends a change; gives what became of it if it was not delivered. */
  async #send({ seq, payload }: Change): Promise<FailedDelivery | undefined> {
    for (;;) {
      const { record, uid } = this.claim;
      const notification = new ChangeNotification(record, payload, notificationId(uid, seq));
      const { signal } = this.#sending;
      try {
        await this.parts.sender.send(notification, signal);
        return undefined;
      } catch (error) {
        this.#end.signal.throwIfAborted();
        // The webhook was replaced: the same goes to it as it is now.
        if (signal.aborted) continue;
        this.parts.gaveUp(notification, error);
        return {
          id: notification.id,
          origin: originOf(record.config.url),
          attempts: error instanceof DeliveryFailedError ? error.attempts : 1,
          reason: reasonOf(error),
        };
      }
    }
  }

  #abortSending(): void {
    this.#sending.abort(new DeliveryDroppedError());
    if (!this.#end.signal.aborted) this.#sending = new AbortController();
  }
}

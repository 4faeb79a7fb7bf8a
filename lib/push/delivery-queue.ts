import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Deferred, within } from '../server/deferred.js';
import { DeliveryDroppedError, undelivered } from './delivery-errors.js';
import type { PushNotification, PushNotificationSender } from './push-notification-sender.js';

/** Bounds of the queue. */
export interface DeliveryQueueOptions {
  /** Notifications that may wait for one webhook before those that can be merged are. Default 1,000. */
  readonly maxWaiting?: number;
}

/**
 * Makes one notification of the one that waits and the one that comes, so that nothing is lost for the receiver, or gives
 * `undefined` where that cannot be done. For a task as it stands the newer one is enough.
 */
export type MergeInto = (waiting: PushNotification) => PushNotification | undefined;

interface Entry {
  readonly notification: PushNotification;
  readonly merge: MergeInto | undefined;
}

/** What waits for one webhook. */
interface Lane {
  readonly waiting: Entry[];
  /** Replaced when the lane is emptied, so that what comes then is not aborted too. */
  abort: AbortController;
  sending: PushNotification | undefined;
}

/**
 * Hands notifications to a sender: those of one key in order and one at a time, those of different keys independently.
 * Nothing that goes wrong reaches the caller.
 */
export class DeliveryQueue {
  readonly #lanes = new Map<string, Lane>();
  readonly #maxWaiting: number;
  readonly #logger = new Logger('PushNotifications');
  /** Work of {@link defer}, in order. */
  #deferred: (() => void)[] = [];
  #idle: Deferred<void> | undefined;
  #ended = false;

  constructor(
    private readonly sender: PushNotificationSender,
    { maxWaiting = 1_000 }: DeliveryQueueOptions = {},
  ) {
    this.#maxWaiting = maxWaiting;
  }

  /** Notifications that are not delivered yet, also those that are being sent. */
  get size(): number {
    this.#catchUp();
    let size = 0;
    for (const lane of this.#lanes.values()) size += lane.waiting.length + (lane.sending ? 1 : 0);
    return size;
  }

  /**
   * Adds a notification for one webhook. Where `merge` is given on it and on the one before it, both may become one once
   * `maxWaiting` wait. Without it a notification is always kept, so that these may exceed the bound.
   */
  enqueue(key: string, notification: PushNotification, merge?: MergeInto): void {
    if (this.#ended) return;
    // What was deferred before comes before.
    this.#catchUp();
    let lane = this.#lanes.get(key);
    if (!lane) {
      lane = { waiting: [], abort: new AbortController(), sending: undefined };
      this.#lanes.set(key, lane);
      void this.#run(key, lane);
    }
    const { waiting } = lane;
    const last = waiting.length >= this.#maxWaiting ? waiting.at(-1) : undefined;
    const merged = last?.merge && merge?.(last.notification);
    if (merged) waiting[waiting.length - 1] = { notification: merged, merge };
    else waiting.push({ notification, merge });
  }

  /**
   * Runs `add`, which enqueues what one change means for all its webhooks, in the next turn of the event loop or before anything
   * else is done with the queue: a task with many webhooks changes as fast as one without.
   */
  defer(add: () => void): void {
    if (this.#deferred.push(add) === 1) setImmediate(() => this.#catchUp());
  }

  /** Forgets what waits for a webhook and aborts what is being sent: it gets nothing more of what was added so far. */
  drop(key: string): void {
    this.#catchUp();
    const lane = this.#lanes.get(key);
    if (lane) this.#empty(lane);
  }

  /** The webhooks that something waits for, or is being sent to. */
  keys(): string[] {
    this.#catchUp();
    return [...this.#lanes.keys()];
  }

  /**
   * Puts other notifications in the place of those that wait for a webhook. Where `revise` gives another one for what is being
   * sent, that is aborted and the other one sent instead.
   */
  revise(key: string, revise: (notification: PushNotification) => PushNotification): void {
    this.#catchUp();
    const lane = this.#lanes.get(key);
    if (!lane) return;
    for (const [at, { notification, merge }] of lane.waiting.entries()) {
      lane.waiting[at] = { notification: revise(notification), merge };
    }
    const { sending } = lane;
    const instead = sending && revise(sending);
    if (!instead || instead === sending) return;
    // It has been read, so nothing may be merged into it any more.
    lane.waiting.unshift({ notification: instead, merge: undefined });
    this.#abort(lane);
  }

  /** Waits until all is delivered, at most `ms` milliseconds, then drops the rest and takes no more. */
  async drain(ms: number): Promise<void> {
    this.#catchUp();
    if (this.#lanes.size > 0) {
      this.#idle ??= new Deferred();
      await within(ms, this.#idle.promise);
    }
    this.#ended = true;
    const undelivered = this.size;
    for (const lane of this.#lanes.values()) this.#empty(lane);
    if (undelivered > 0)
      this.#logger.warn(`Notifications that were not delivered before the end: ${undelivered}`);
    // What was aborted gets the chance to end.
    await nextTurn();
  }

  #catchUp(): void {
    const deferred = this.#deferred;
    if (deferred.length === 0) return;
    this.#deferred = [];
    for (const add of deferred) add();
  }

  #empty(lane: Lane): void {
    lane.waiting.length = 0;
    this.#abort(lane);
  }

  #abort(lane: Lane): void {
    lane.sending = undefined;
    lane.abort.abort(new DeliveryDroppedError());
    lane.abort = new AbortController();
  }

  async #run(key: string, lane: Lane): Promise<void> {
    // The task that changes goes on before its webhooks hear of it.
    await nextTurn();
    for (let entry = lane.waiting.shift(); entry; entry = lane.waiting.shift()) {
      lane.sending = entry.notification;
      await this.#deliver(entry.notification, lane.abort.signal);
      lane.sending = undefined;
    }
    this.#lanes.delete(key);
    if (this.#lanes.size > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  async #deliver(notification: PushNotification, signal: AbortSignal): Promise<void> {
    try {
      await this.sender.send(notification, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#logger.warn(undelivered(notification, error));
    }
  }
}

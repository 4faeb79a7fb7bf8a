import type { TaskStore } from '../../server/task-store.js';
import { PushNotificationConfigStore, type PushConfigRecord } from '../push-notification-config-store.js';
import type { DeadLetterPage, DeadLetterQuery, FailedDelivery } from './dead-letter.js';

/** A webhook with changes that it has not heard of, held by one worker for the time being. */
export interface ClaimedWebhook {
  /** Names the webhook from when it is made until it is deleted, also when it is replaced in between. */
  readonly uid: string;
  /** The webhook as it is now. */
  readonly record: PushConfigRecord;
  /** Number of the last event that is dealt with. */
  readonly delivered: number;
  /** Number of the last event of the task that webhooks are told of. */
  readonly target: number;
  /** The event of a dead letter that is to be sent again, which comes first. */
  readonly resend?: number;
}

/** Which webhooks are claimed. */
export interface ClaimRequest {
  /** At most so many webhooks. */
  readonly limit: number;
  /** Only those of these tasks. */
  readonly taskIds?: readonly string[];
}

/**
 * A store of webhooks that also knows how far each of them was told, so that no change is lost with a process.
 *
 * It keeps no notifications: the log of the task's events is the outbox, and a webhook is a place in it. `target` rises in the
 * transaction that stores an event, `delivered` when the event was delivered or given up. A webhook made for a task starts
 * with what happens from then on; one that replaces another keeps its place.
 *
 * Times are milliseconds by the clock of the store. `describePushOutbox()` of `nest-a2a/testing` is the contract.
 *
 * @publicApi
 */
export abstract class PushOutbox extends PushNotificationConfigStore {
  /**
   * Whether what `tasks` stores raises the targets here. An agent does not start with an outbox that never hears of its tasks, since
   * its webhooks would be told nothing. Default: it does.
   */
  hearsOf(_tasks: TaskStore): boolean {
    return true;
  }

  /**
   * Says that a worker is alive for `lease` milliseconds more: for so long it holds what it has claimed. Gives all of that, as it
   * is now.
   */
  abstract renew(agent: string, worker: string, lease: number): Promise<readonly ClaimedWebhook[]>;

  /** Claims webhooks of an agent that wait for something and that nobody holds, those that wait longest first. */
  abstract claim(agent: string, worker: string, request: ClaimRequest): Promise<readonly ClaimedWebhook[]>;

  /**
   * Event `seq` is dealt with: delivered or, with `failed`, given up and kept as a dead letter. One that was sent again replaces its
   * dead letter. Where nothing more waits, the claim ends.
   *
   * @returns the webhook as it is now while the worker holds it; nothing changes if it has lost the claim
   */
  abstract advance(
    worker: string,
    claim: ClaimedWebhook,
    seq: number,
    failed?: FailedDelivery,
  ): Promise<ClaimedWebhook | undefined>;

  /** A worker ends: what it holds is free at once. */
  abstract release(agent: string, worker: string): Promise<void>;

  /** One page of the dead letters of an agent, the newest first. */
  abstract deadLetters(agent: string, query: DeadLetterQuery): Promise<DeadLetterPage>;

  /** Lets a dead letter be sent again. `false` if there is none. */
  abstract resendDeadLetter(agent: string, id: string): Promise<boolean>;

  /** `false` if there is none. */
  abstract removeDeadLetter(agent: string, id: string): Promise<boolean>;

  /** Removes dead letters of an agent that are older than `age` milliseconds, and webhooks whose task never came to be. */
  abstract sweep(agent: string, age: number): Promise<void>;
}

const METHODS = ['claim', 'renew', 'advance', 'release'] as const satisfies (keyof PushOutbox)[];

/** Whether a store is an outbox too. Told by methods, so that a second copy of the package counts. */
export function isOutbox(store: PushNotificationConfigStore): store is PushOutbox {
  return METHODS.every((method) => typeof (store as Partial<PushOutbox>)[method] === 'function');
}

/** The id of the notification of an event: whoever delivers it, and however often. */
export function notificationId(uid: string, seq: number): string {
  return `${uid}-${seq}`;
}

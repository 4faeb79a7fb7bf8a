import type { JsonObject, Message, Task } from '../protocol/index.js';
import type { CallContext } from './call-context.js';
import type { PublishedEvent } from './published-event.js';

/** A task across all agents that share a bus. */
export interface TaskKey {
  readonly agent: string;
  readonly id: string;
}

/**
 * A request to the worker that drives a task, or the answer to one. Everything in it is JSON.
 *
 * - `cancel`: cancel the turn.
 * - `message`: hand a message to the running agent (§7.6.1).
 * - `webhooks`: the webhooks of the task were changed; read them again.
 * - `reply`: what came of a request; `refused` says why it was turned down, `failed` that it broke, and `taken` how
 *   the task stands with a message that was handed over. `gone` says that the worker has no turn on the task.
 */
export type TaskSignal = { readonly requestId: string } & (
  | (TaskRequest & { readonly type: 'cancel'; readonly metadata: JsonObject; readonly call: CallContext })
  | (TaskRequest & { readonly type: 'message'; readonly message: Message })
  | (TaskRequest & { readonly type: 'webhooks' })
  | {
      readonly type: 'reply';
      readonly refused?: string;
      readonly failed?: boolean;
      readonly gone?: boolean;
      readonly taken?: TakenMessage;
    }
);

interface TaskRequest {
  readonly taskId: string;
  /** The worker that wants the reply. */
  readonly from: string;
}

/** A task with a message in its history that its running agent has yet to see, and the number of its last event. */
export interface TakenMessage {
  readonly task: Task;
  readonly seq: number;
}

/** Events of one task that were stored together. */
export interface TaskEventBatch {
  /** Number of the last event before these: one that a follower has not seen went missing on the way to it. */
  readonly after: number;
  readonly events: readonly PublishedEvent[];
  /**
   * Announces that the task has events up to this number, and that those of them that are not in `events` are to be read from
   * the store. Absent where `events` has them all.
   */
  readonly announced?: number;
}

/** Ends a subscription. */
export type Unsubscribe = () => void;

/**
 * Carries live events and signals of tasks to everybody who follows them. It only wakes and fans out: the store
 * is the truth, so nothing is lost if the bus loses something. In process by default.
 *
 * @publicApi
 */
export abstract class TaskEventBus {
  /** Hands stored events to the followers of a task, in order. */
  abstract publish(key: TaskKey, batch: TaskEventBatch): void;

  /**
   * Calls `listener` for every batch published from now on, and `missed` whenever batches of other processes may have gone
   * by unseen: when a subscription took its time to begin, and when a connection was lost and is back.
   */
  abstract follow(key: TaskKey, listener: (batch: TaskEventBatch) => void, missed?: () => void): Unsubscribe;

  /** Sends a signal to a worker; nothing happens if it is gone. */
  abstract signal(worker: string, signal: TaskSignal): void;

  /** Calls `listener` for every signal sent to the worker from now on. */
  abstract onSignal(worker: string, listener: (signal: TaskSignal) => void): Unsubscribe;

  /** Whether what other processes publish arrives at the moment; while it does not, followers look into the store. */
  isConnected(): boolean {
    return true;
  }
}

import type { PublishedEvent } from './published-event.js';

/** A task across all agents that share a bus. */
export interface TaskKey {
  readonly agent: string;
  readonly id: string;
}

/** A request to whoever drives a task, or the answer to one. */
export type TaskSignal =
  | { readonly type: 'cancel'; readonly requestId: string; readonly call: string }
  | { readonly type: 'message'; readonly requestId: string; readonly message: string }
  | { readonly type: 'reply'; readonly requestId: string; readonly error?: string };

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
  abstract publish(key: TaskKey, events: readonly PublishedEvent[]): void;

  /** Calls `listener` for every event published from now on. */
  abstract follow(key: TaskKey, listener: (events: readonly PublishedEvent[]) => void): Unsubscribe;

  /** Sends a signal to everybody who listens for the task. */
  abstract signal(key: TaskKey, signal: TaskSignal): void;

  /** Calls `listener` for every signal sent to the task from now on. */
  abstract onSignal(key: TaskKey, listener: (signal: TaskSignal) => void): Unsubscribe;
}

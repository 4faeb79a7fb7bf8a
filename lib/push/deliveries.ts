import type { StoredRange, TaskNotice } from '../server/push-notifications.js';
import type { PushConfigRecord } from './push-notification-config-store.js';

/** Brings the changes of tasks to their webhooks: from memory, or from an outbox that outlives the process. */
export interface Deliveries {
  /** From here on it looks for what others have left. */
  start(): void;
  /**
   * Changes of a task that are stored, in order, and the webhooks that it has. `range` is absent where the changes are not all
   * that the store got. Neither waits nor throws.
   */
  deliver(
    taskId: string,
    notices: readonly TaskNotice[],
    webhooks: readonly PushConfigRecord[],
    range?: StoredRange,
  ): void;
  /** A webhook is gone: it gets nothing more of what happened so far. */
  drop(webhook: PushConfigRecord): void;
  /** Whether anything waits for a webhook of the task, or is on its way to one. */
  isBusy(taskId: string): boolean;
  /** What waits goes to the webhooks as they are now. */
  revise(taskId: string, webhooks: readonly PushConfigRecord[]): void;
  /** Goes on for at most `ms` milliseconds, then ends. */
  drain(ms: number): Promise<void>;
}

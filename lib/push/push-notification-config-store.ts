import type { Scope, TaskScope } from '../server/task-scope.js';
import type { RegisteredPushConfig } from './push-notification-sender.js';

/** A webhook and whose it is. */
export interface PushConfigRecord extends TaskScope {
  readonly config: RegisteredPushConfig;
  /** The protocol version that it was made with, `Major.Minor`. */
  readonly version: string;
}

/** One page of the webhooks of a task, ordered by id. */
export interface PushConfigPage {
  readonly configs: readonly PushConfigRecord[];
  /** Whether there are more. */
  readonly hasMore: boolean;
}

/**
 * Where the webhooks of tasks are kept. The default is in memory.
 *
 * @publicApi
 */
export abstract class PushNotificationConfigStore {
  /**
   * Keeps a config; one with the same task and id is replaced.
   *
   * @throws ResourceExhaustedError if the task has `limit` configs already and this is another one
   */
  abstract put(record: PushConfigRecord, limit: number): Promise<void>;
  /** The config inside `scope`, or `undefined`. */
  abstract get(taskId: string, id: string, scope: Scope): Promise<PushConfigRecord | undefined>;
  /** Configs of a task inside `scope`, ordered by id, those behind `after`, at most `limit`. */
  abstract list(
    taskId: string,
    scope: Scope,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<PushConfigPage>;
  /** Removes a config inside `scope`; without `id` every one of the task. Removing what is not there does nothing. */
  abstract remove(taskId: string, id: string | undefined, scope: Scope): Promise<void>;
}

import type {
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  TaskMoment,
  TaskPushNotificationConfig,
} from '../protocol/index.js';
import type { PublishedEvent } from './published-event.js';
import type { Scope, TaskScope } from './task-scope.js';

/** A webhook as a client asked for it, checked. */
export interface WantedWebhook {
  readonly config: TaskPushNotificationConfig;
  /** The protocol version of the request, `Major.Minor`. */
  readonly version: string;
}

/** Whose task it is. */
export type OwnedTask = TaskScope & { readonly id: string };

/** A webhook that came with a message to a task, while it is not certain that the message is taken. */
export interface AttachedWebhook {
  /** Leaves the webhooks of the task as they were before. */
  undo(): Promise<void>;
}

/** A change of a task, as webhooks see it. */
export interface TaskNotice {
  readonly event: PublishedEvent;
  /** The task after the change; absent where nobody wants to see it. */
  readonly moment: TaskMoment | undefined;
}

/** Events of a task that were stored together: those with a number above `after`, up to `seq`. */
export interface StoredRange {
  readonly after: number;
  readonly seq: number;
}

/** Tells the webhooks of one task what becomes of it. */
export interface TaskNotifier {
  /** Whether there may be anybody to tell. Asked for every write, so it costs nothing. */
  readonly isListening: boolean;
  /** Whether the webhooks are shown the task, and not only the event. */
  readonly showsTask: boolean;
  /**
   * The task is about to be stored for the first time; keeps the webhook that came with its message, so that no change of
   * the task goes without it.
   */
  appearing(): Promise<void> | undefined;
  /**
   * Takes changes that are stored, in order. Neither waits nor throws.
   *
   * @param range where the notices are all that streams show of it
   */
  notify(notices: readonly TaskNotice[], range?: StoredRange): void;
}

/**
 * The webhooks of an agent's tasks (§4.3), as the engine and the operations know them. Tasks are known to exist and to
 * be the caller's when it is asked.
 */
export abstract class PushNotifications {
  /** @throws InvalidParamsError for a config that cannot be kept; fields are named below `path` */
  abstract check(config: TaskPushNotificationConfig, path?: string): void;

  /** Keeps a webhook for a task (§3.1.7). @throws ResourceExhaustedError past the limit of the task */
  abstract create(task: OwnedTask, webhook: WantedWebhook): Promise<TaskPushNotificationConfig>;
  /** @throws TaskNotFoundError if there is no such config (§3.1.8) */
  abstract get(taskId: string, id: string, scope: Scope): Promise<TaskPushNotificationConfig>;
  /** One page (§3.1.9). @throws InvalidParamsError for a page token that is none */
  abstract list(
    request: ListTaskPushNotificationConfigsRequest,
    scope: Scope,
  ): Promise<ListTaskPushNotificationConfigsResponse>;
  /** Removes a webhook, also the deliveries that wait for it; does nothing if there is none (§3.1.10). */
  abstract delete(taskId: string, id: string, scope: Scope): Promise<void>;

  /** Keeps a webhook that comes with a message to a task. @throws ResourceExhaustedError */
  abstract attach(task: OwnedTask, webhook: WantedWebhook): Promise<AttachedWebhook>;

  /**
   * Tells of a task that is driven here from now on. It has none but `webhook` if it is new, otherwise those of the
   * store and those that come later.
   */
  abstract watch(task: OwnedTask, isNew: boolean, webhook?: WantedWebhook): TaskNotifier;
  /** Tells of changes from outside of any turn: looks up the webhooks for each of them. */
  abstract notifierOf(task: OwnedTask): TaskNotifier;
  /** The task is not driven here any more. */
  abstract unwatch(taskId: string, notifier: TaskNotifier): void;
  /** The webhooks of a task were changed elsewhere: reads them again if the task is driven here. */
  abstract reload(taskId: string): Promise<void>;
  /** The task is gone, and with it its webhooks. */
  abstract forget(taskId: string): Promise<void>;
}

import type { JsonObject } from './json.js';
import type { Message } from './message.js';
import type { TaskPushNotificationConfig } from './push.js';
import type { Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from './task.js';
import type { TaskState } from '../task-state.js';

/** How a send is to be carried out (§3.2.2). */
export interface SendMessageConfiguration {
  /** Media types that the client can use in answers. */
  acceptedOutputModes?: string[];
  /** A webhook for the task that the message makes or continues. */
  taskPushNotificationConfig?: TaskPushNotificationConfig;
  /** How many of the newest history messages the answer may carry: absent for all, 0 for none. */
  historyLength?: number;
  /**
   * `true` answers as soon as the task exists; the default waits for a terminal or interrupted state. It gives no
   * back-pressure: a client can send faster than the agent works, up to the limits of running turns.
   */
  returnImmediately?: boolean;
}

/** Input of SendMessage and SendStreamingMessage (§3.2.1). */
export interface SendMessageRequest<Raw = string> {
  tenant?: string;
  message: Message<Raw>;
  configuration?: SendMessageConfiguration;
  metadata?: JsonObject;
}

/** Answer of SendMessage: exactly one of the two. */
export type SendMessageResponse<Raw = string> =
  { task: Task<Raw>; message?: never } | { message: Message<Raw>; task?: never };

/** One item of a stream: exactly one of the four (§3.2.3). */
export type StreamResponse<Raw = string> =
  | { task: Task<Raw>; message?: never; statusUpdate?: never; artifactUpdate?: never }
  | { message: Message<Raw>; task?: never; statusUpdate?: never; artifactUpdate?: never }
  | { statusUpdate: TaskStatusUpdateEvent<Raw>; task?: never; message?: never; artifactUpdate?: never }
  | { artifactUpdate: TaskArtifactUpdateEvent<Raw>; task?: never; message?: never; statusUpdate?: never };

/** Input of GetTask (§3.1.3). */
export interface GetTaskRequest {
  tenant?: string;
  id: string;
  /** Absent for the whole history, 0 for none. */
  historyLength?: number;
}

/** Input of ListTasks (§3.1.4). Every filter is optional. */
export interface ListTasksRequest {
  tenant?: string;
  contextId?: string;
  status?: TaskState;
  /** 1 to 100; 50 when absent. */
  pageSize?: number;
  /** `nextPageToken` of the page before, used with the same filters. */
  pageToken?: string;
  historyLength?: number;
  /** Only tasks whose status is at least as new as this timestamp. */
  statusTimestampAfter?: string;
  /** Artifacts are left out unless this is `true`. */
  includeArtifacts?: boolean;
}

/** Answer of ListTasks, newest status first. */
export interface ListTasksResponse<Raw = string> {
  tasks: Task<Raw>[];
  /** Empty on the last page. */
  nextPageToken: string;
  pageSize: number;
  /** How many tasks match the filters, on all pages together. */
  totalSize: number;
}

/** Input of CancelTask (§3.1.5). */
export interface CancelTaskRequest {
  tenant?: string;
  id: string;
  metadata?: JsonObject;
}

/** Input of SubscribeToTask (§3.1.6). */
export interface SubscribeToTaskRequest {
  tenant?: string;
  id: string;
}

/** Input of GetTaskPushNotificationConfig (§3.1.8). */
export interface GetTaskPushNotificationConfigRequest {
  tenant?: string;
  taskId: string;
  id: string;
}

/** Input of ListTaskPushNotificationConfigs (§3.1.9). */
export interface ListTaskPushNotificationConfigsRequest {
  tenant?: string;
  taskId: string;
  /** Absent or 0 for the default. */
  pageSize?: number;
  pageToken?: string;
}

/** Answer of ListTaskPushNotificationConfigs. */
export interface ListTaskPushNotificationConfigsResponse {
  configs: TaskPushNotificationConfig[];
  /** Empty on the last page. */
  nextPageToken: string;
}

/** Input of DeleteTaskPushNotificationConfig (§3.1.10). */
export interface DeleteTaskPushNotificationConfigRequest {
  tenant?: string;
  taskId: string;
  id: string;
}

/** Input of GetExtendedAgentCard (§3.1.11). */
export interface GetExtendedAgentCardRequest {
  tenant?: string;
}

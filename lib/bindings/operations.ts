import {
  CancelTaskRequestSchema,
  DeleteTaskPushNotificationConfigRequestSchema,
  GetExtendedAgentCardRequestSchema,
  GetTaskPushNotificationConfigRequestSchema,
  GetTaskRequestSchema,
  ListTaskPushNotificationConfigsRequestSchema,
  ListTasksRequestSchema,
  SendMessageRequestSchema,
  SubscribeToTaskRequestSchema,
  TaskPushNotificationConfigSchema,
  type Schema,
} from '../protocol/index.js';
import type { OperationName } from '../server/operations.js';
import type { ServedCapabilities } from '../server/operations.js';

/** What every binding needs to know of an operation. */
export interface Operation {
  /** Its method on the handler. */
  readonly name: OperationName;
  /** The message it takes. */
  readonly request: Schema<object>;
  /** What the agent must be capable of; absent for operations that every agent has. */
  readonly capability?: keyof ServedCapabilities;
  /** Answers with a stream of events. */
  readonly stream?: boolean;
}

const streaming = { capability: 'streaming', stream: true } as const;
const push = { capability: 'pushNotifications' } as const;

/** The operations of an agent (§3.1). */
export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  sendMessage: { name: 'sendMessage', request: SendMessageRequestSchema },
  sendStreamingMessage: { name: 'sendStreamingMessage', request: SendMessageRequestSchema, ...streaming },
  getTask: { name: 'getTask', request: GetTaskRequestSchema },
  listTasks: { name: 'listTasks', request: ListTasksRequestSchema },
  cancelTask: { name: 'cancelTask', request: CancelTaskRequestSchema },
  subscribeToTask: { name: 'subscribeToTask', request: SubscribeToTaskRequestSchema, ...streaming },
  createTaskPushNotificationConfig: {
    name: 'createTaskPushNotificationConfig',
    request: TaskPushNotificationConfigSchema,
    ...push,
  },
  getTaskPushNotificationConfig: {
    name: 'getTaskPushNotificationConfig',
    request: GetTaskPushNotificationConfigRequestSchema,
    ...push,
  },
  listTaskPushNotificationConfigs: {
    name: 'listTaskPushNotificationConfigs',
    request: ListTaskPushNotificationConfigsRequestSchema,
    ...push,
  },
  deleteTaskPushNotificationConfig: {
    name: 'deleteTaskPushNotificationConfig',
    request: DeleteTaskPushNotificationConfigRequestSchema,
    ...push,
  },
  getExtendedAgentCard: {
    name: 'getExtendedAgentCard',
    request: GetExtendedAgentCardRequestSchema,
    capability: 'extendedAgentCard',
  },
};

import {
  AgentCardSchema,
  CancelTaskRequestSchema,
  CreateTaskPushNotificationConfigSchema,
  DeleteTaskPushNotificationConfigRequestSchema,
  GetExtendedAgentCardRequestSchema,
  GetTaskPushNotificationConfigRequestSchema,
  GetTaskRequestSchema,
  ListTaskPushNotificationConfigsRequestSchema,
  ListTaskPushNotificationConfigsResponseSchema,
  ListTasksRequestSchema,
  ListTasksResponseSchema,
  SendMessageRequestSchema,
  SendMessageResponseSchema,
  StreamResponseSchema,
  SubscribeToTaskRequestSchema,
  TaskPushNotificationConfigSchema,
  TaskSchema,
  type Schema,
} from '../codec/index.js';

/** The name of an operation: that of its method on the server's handler and on the client. */
export type OperationName =
  | 'sendMessage'
  | 'sendStreamingMessage'
  | 'getTask'
  | 'listTasks'
  | 'cancelTask'
  | 'subscribeToTask'
  | 'createTaskPushNotificationConfig'
  | 'getTaskPushNotificationConfig'
  | 'listTaskPushNotificationConfigs'
  | 'deleteTaskPushNotificationConfig'
  | 'getExtendedAgentCard';

/** What an agent may be capable of beyond the plain operations. */
export type CapabilityName = 'streaming' | 'pushNotifications' | 'extendedAgentCard';

/** What both ends of every binding need to know of an operation. */
export interface Operation {
  readonly name: OperationName;
  /** The message it takes. */
  readonly request: Schema<object>;
  /** The message it answers with, or each event of its stream; absent where the answer is empty. */
  readonly response?: Schema<object>;
  /** What the agent must be capable of; absent for operations that every agent has. */
  readonly capability?: CapabilityName;
  /** Answers with a stream of events. */
  readonly stream?: boolean;
}

const streaming = { capability: 'streaming', stream: true, response: StreamResponseSchema } as const;
const push = { capability: 'pushNotifications' } as const;

/** The operations of an agent (§3.1). */
export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  sendMessage: {
    name: 'sendMessage',
    request: SendMessageRequestSchema,
    response: SendMessageResponseSchema,
  },
  sendStreamingMessage: { name: 'sendStreamingMessage', request: SendMessageRequestSchema, ...streaming },
  getTask: { name: 'getTask', request: GetTaskRequestSchema, response: TaskSchema },
  listTasks: { name: 'listTasks', request: ListTasksRequestSchema, response: ListTasksResponseSchema },
  cancelTask: { name: 'cancelTask', request: CancelTaskRequestSchema, response: TaskSchema },
  subscribeToTask: { name: 'subscribeToTask', request: SubscribeToTaskRequestSchema, ...streaming },
  createTaskPushNotificationConfig: {
    name: 'createTaskPushNotificationConfig',
    request: CreateTaskPushNotificationConfigSchema,
    response: TaskPushNotificationConfigSchema,
    ...push,
  },
  getTaskPushNotificationConfig: {
    name: 'getTaskPushNotificationConfig',
    request: GetTaskPushNotificationConfigRequestSchema,
    response: TaskPushNotificationConfigSchema,
    ...push,
  },
  listTaskPushNotificationConfigs: {
    name: 'listTaskPushNotificationConfigs',
    request: ListTaskPushNotificationConfigsRequestSchema,
    response: ListTaskPushNotificationConfigsResponseSchema,
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
    response: AgentCardSchema,
    capability: 'extendedAgentCard',
  },
};

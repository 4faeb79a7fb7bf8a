import type {
  Bytes,
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '../../protocol/index.js';

/** What a script may hold in `raw` parts: bytes, or base64. */
/**
 * What goes in and out of each operation, in JSON form. The result of an operation that streams is one event of it: a
 * whole answer in the place of a stream.
 *
 * @publicApi
 */
export interface OperationMessages {
  sendMessage: { request: SendMessageRequest; result: SendMessageResponse<Bytes> };
  sendStreamingMessage: { request: SendMessageRequest; result: StreamResponse<Bytes> };
  getTask: { request: GetTaskRequest; result: Task<Bytes> };
  listTasks: { request: ListTasksRequest; result: ListTasksResponse<Bytes> };
  cancelTask: { request: CancelTaskRequest; result: Task<Bytes> };
  subscribeToTask: { request: SubscribeToTaskRequest; result: StreamResponse<Bytes> };
  createTaskPushNotificationConfig: {
    request: TaskPushNotificationConfig;
    result: TaskPushNotificationConfig;
  };
  getTaskPushNotificationConfig: {
    request: GetTaskPushNotificationConfigRequest;
    result: TaskPushNotificationConfig;
  };
  listTaskPushNotificationConfigs: {
    request: ListTaskPushNotificationConfigsRequest;
    result: ListTaskPushNotificationConfigsResponse;
  };
  deleteTaskPushNotificationConfig: {
    request: DeleteTaskPushNotificationConfigRequest;
    result: Record<string, never>;
  };
  getExtendedAgentCard: { request: GetExtendedAgentCardRequest; result: AgentCard };
  /** The public card, which is no operation of the protocol, and is asked for without a request. */
  agentCard: { request: undefined; result: AgentCard };
}

/** What a scripted agent can be asked for. */
export type ScriptedOperation = keyof OperationMessages;
export type RequestOf<O extends ScriptedOperation> = OperationMessages[O]['request'];
export type ResultOf<O extends ScriptedOperation> = OperationMessages[O]['result'];
/** One event of a scripted stream. */
export type ScriptedEvent = StreamResponse<Bytes>;

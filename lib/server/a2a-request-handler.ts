import {
  PushNotificationNotSupportedError,
  UnsupportedOperationError,
  type AgentCard,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetExtendedAgentCardRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type SendMessageResponse,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
} from '../protocol/index.js';
import type { CallContext } from './call-context.js';

/**
 * The eleven operations of an agent (§3.1), free of any binding.
 *
 * Each one refuses until overridden, and which are overridden decides what the card declares. Extend
 * {@link DefaultRequestHandler} to change one operation and keep the rest; extend this class to answer everything
 * from your own code. `sendMessage` is mandatory; the two streaming operations and the four push operations each
 * come together or not at all.
 *
 * @publicApi
 */
export abstract class A2ARequestHandler {
  /** Sends a message and answers with a task or a direct message (§3.1.1). */
  sendMessage(_request: SendMessageRequest, _context: CallContext): Promise<SendMessageResponse> {
    return unsupported('SendMessage');
  }

  /**
   * Sends a message and follows what comes of it (§3.1.2). Resolves when the first event is there, so that a
   * refusal is an ordinary error.
   */
  sendStreamingMessage(
    _request: SendMessageRequest,
    _context: CallContext,
  ): Promise<AsyncIterable<StreamResponse>> {
    return unsupported('SendStreamingMessage');
  }

  /** The task as it stands (§3.1.3). */
  getTask(_request: GetTaskRequest, _context: CallContext): Promise<Task> {
    return unsupported('GetTask');
  }

  /** One page of the caller's tasks, newest status first (§3.1.4). */
  listTasks(_request: ListTasksRequest, _context: CallContext): Promise<ListTasksResponse> {
    return unsupported('ListTasks');
  }

  /** Cancels a task and gives it as it stands then (§3.1.5). */
  cancelTask(_request: CancelTaskRequest, _context: CallContext): Promise<Task> {
    return unsupported('CancelTask');
  }

  /** Follows a task that is not finished; the first event is the task as it stands (§3.1.6). */
  subscribeToTask(
    _request: SubscribeToTaskRequest,
    _context: CallContext,
  ): Promise<AsyncIterable<StreamResponse>> {
    return unsupported('SubscribeToTask');
  }

  /** Registers a webhook (§3.1.7). */
  createTaskPushNotificationConfig(
    _request: TaskPushNotificationConfig,
    _context: CallContext,
  ): Promise<TaskPushNotificationConfig> {
    return noPush();
  }

  /** A registered webhook (§3.1.8). */
  getTaskPushNotificationConfig(
    _request: GetTaskPushNotificationConfigRequest,
    _context: CallContext,
  ): Promise<TaskPushNotificationConfig> {
    return noPush();
  }

  /** The webhooks of a task (§3.1.9). */
  listTaskPushNotificationConfigs(
    _request: ListTaskPushNotificationConfigsRequest,
    _context: CallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return noPush();
  }

  /** Removes a webhook; removing it again succeeds too (§3.1.10). */
  deleteTaskPushNotificationConfig(
    _request: DeleteTaskPushNotificationConfigRequest,
    _context: CallContext,
  ): Promise<void> {
    return noPush();
  }

  /** A card that says more than the public one (§3.1.11). */
  getExtendedAgentCard(_request: GetExtendedAgentCardRequest, _context: CallContext): Promise<AgentCard> {
    return unsupported('GetExtendedAgentCard');
  }
}

function unsupported(operation: string): Promise<never> {
  return Promise.reject(new UnsupportedOperationError(`This agent does not support ${operation}`));
}

function noPush(): Promise<never> {
  return Promise.reject(new PushNotificationNotSupportedError());
}

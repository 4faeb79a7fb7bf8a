import {
  TaskNotFoundError,
  type AgentCard,
  type ListTasksResponse,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
} from '../../lib/protocol/index.js';
import { A2ARequestHandler } from '../../lib/server/a2a-request-handler.js';
import type { CallContext } from '../../lib/server/call-context.js';

/** Answers every operation with what it was asked, and remembers the calls. */
export class EchoHandler extends A2ARequestHandler {
  readonly calls: { operation: string; request: any; context: CallContext }[] = [];

  get last() {
    return this.calls.at(-1);
  }

  override sendMessage = async (request: SendMessageRequest, context: CallContext) => {
    this.note('sendMessage', request, context);
    return { message: request.message };
  };

  override sendStreamingMessage = async (request: SendMessageRequest, context: CallContext) => {
    this.note('sendStreamingMessage', request, context);
    return events([{ message: request.message }]);
  };

  override getTask = async (request: { id: string }, context: CallContext): Promise<Task> => {
    this.note('getTask', request, context);
    if (request.id === 'nope') throw new TaskNotFoundError(request.id);
    return task(request.id);
  };

  override listTasks = async (request: object, context: CallContext): Promise<ListTasksResponse> => {
    this.note('listTasks', request, context);
    return { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };
  };

  override cancelTask = async (request: { id: string }, context: CallContext): Promise<Task> => {
    this.note('cancelTask', request, context);
    return task(request.id);
  };

  override subscribeToTask = async (request: { id: string }, context: CallContext) => {
    this.note('subscribeToTask', request, context);
    return events([{ task: task(request.id) }]);
  };

  override createTaskPushNotificationConfig = async (
    request: TaskPushNotificationConfig,
    context: CallContext,
  ) => {
    this.note('createTaskPushNotificationConfig', request, context);
    return request;
  };

  override getTaskPushNotificationConfig = async (
    request: { taskId: string; id: string },
    context: CallContext,
  ): Promise<TaskPushNotificationConfig> => {
    this.note('getTaskPushNotificationConfig', request, context);
    return { ...request, url: 'https://hook.example.com' };
  };

  override listTaskPushNotificationConfigs = async (request: object, context: CallContext) => {
    this.note('listTaskPushNotificationConfigs', request, context);
    return { configs: [], nextPageToken: '' };
  };

  override deleteTaskPushNotificationConfig = async (request: object, context: CallContext) => {
    this.note('deleteTaskPushNotificationConfig', request, context);
  };

  override getExtendedAgentCard = async (request: object, context: CallContext) => {
    this.note('getExtendedAgentCard', request, context);
    return { name: 'extended' } as AgentCard;
  };

  protected note(operation: string, request: object, context: CallContext): void {
    this.calls.push({ operation, request, context });
  }
}

export const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER' as const, parts: [{ text: 'hi' }] };

export function task(id: string): Task {
  return { id, contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } };
}

export async function* events(list: StreamResponse[]): AsyncGenerator<StreamResponse> {
  for (const event of list) yield await Promise.resolve(event);
}

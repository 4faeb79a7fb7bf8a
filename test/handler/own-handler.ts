import {
  A2ARequestHandler,
  TaskNotFoundError,
  type CallContext,
  type GetTaskRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
} from 'nest-a2a';

export const TASK: Task = { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } };
export const CONFIG: TaskPushNotificationConfig = { taskId: 't1', id: 'c1', url: 'https://hook.example.com' };

/** Answers everything from own code, and remembers who asked. */
export class OwnHandler extends A2ARequestHandler {
  readonly calls: [operation: string, request: object, context: CallContext][] = [];

  override async sendMessage(
    request: SendMessageRequest,
    context: CallContext,
  ): Promise<SendMessageResponse> {
    this.note('sendMessage', request, context);
    return { message: { messageId: 'r1', role: 'ROLE_AGENT', parts: request.message.parts } };
  }

  override async sendStreamingMessage(request: SendMessageRequest, context: CallContext) {
    this.note('sendStreamingMessage', request, context);
    return this.events();
  }

  override async getTask(request: GetTaskRequest, context: CallContext) {
    this.note('getTask', request, context);
    if (request.id !== TASK.id) throw new TaskNotFoundError(request.id);
    return TASK;
  }

  override async listTasks(request: object, context: CallContext): Promise<ListTasksResponse> {
    this.note('listTasks', request, context);
    return { tasks: [TASK], nextPageToken: '', pageSize: 50, totalSize: 1 };
  }

  override async cancelTask(request: object, context: CallContext): Promise<Task> {
    this.note('cancelTask', request, context);
    return { ...TASK, status: { state: 'TASK_STATE_CANCELED' } };
  }

  override async subscribeToTask(request: object, context: CallContext) {
    this.note('subscribeToTask', request, context);
    return this.events();
  }

  override async createTaskPushNotificationConfig(request: TaskPushNotificationConfig, context: CallContext) {
    this.note('createTaskPushNotificationConfig', request, context);
    return CONFIG;
  }

  override async getTaskPushNotificationConfig(request: object, context: CallContext) {
    this.note('getTaskPushNotificationConfig', request, context);
    return CONFIG;
  }

  override async listTaskPushNotificationConfigs(request: object, context: CallContext) {
    this.note('listTaskPushNotificationConfigs', request, context);
    return { configs: [CONFIG], nextPageToken: '' };
  }

  override async deleteTaskPushNotificationConfig(request: object, context: CallContext) {
    this.note('deleteTaskPushNotificationConfig', request, context);
  }

  private note(operation: string, request: object, context: CallContext): void {
    this.calls.push([operation, request, context]);
  }

  private async *events(): AsyncGenerator<StreamResponse> {
    yield { task: TASK };
    yield await Promise.resolve({
      statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' as const } },
    });
  }
}

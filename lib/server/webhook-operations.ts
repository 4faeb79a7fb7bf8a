import {
  InvalidParamsError,
  PushNotificationNotSupportedError,
  type DeleteTaskPushNotificationConfigRequest,
  type FieldViolation,
  type GetTaskPushNotificationConfigRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type SendMessageRequest,
  type TaskPushNotificationConfig,
} from '../protocol/index.js';
import type { CallContext } from './call-context.js';
import type { PushNotifications } from './push-notifications.js';
import type { TaskEngine } from './task-engine.js';

/** Where a webhook stands in a message that brings one. */
const INLINE = 'configuration.taskPushNotificationConfig';

/** The operations on webhooks (§3.1.7 to §3.1.10). A task that is not the caller's has none, and does not exist. */
export class WebhookOperations {
  constructor(private readonly engine: TaskEngine) {}

  async create(config: TaskPushNotificationConfig, call: CallContext): Promise<TaskPushNotificationConfig> {
    const { taskId } = config;
    if (taskId === undefined) throw new InvalidParamsError([{ field: 'taskId', description: 'is required' }]);
    this.#push.check(config);
    const task = await this.engine.load(taskId, await this.engine.scopeOf(call));
    const created = await this.#push.create(task, { config, version: call.version });
    await this.engine.remote.webhooksChanged(task);
    return created;
  }

  async get(
    { taskId, id }: GetTaskPushNotificationConfigRequest,
    call: CallContext,
  ): Promise<TaskPushNotificationConfig> {
    const task = await this.engine.load(taskId, await this.engine.scopeOf(call));
    return this.#push.get(taskId, id, task);
  }

  async list(
    request: ListTaskPushNotificationConfigsRequest,
    call: CallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    const task = await this.engine.load(request.taskId, await this.engine.scopeOf(call));
    return this.#push.list(request, task);
  }

  async delete({ taskId, id }: DeleteTaskPushNotificationConfigRequest, call: CallContext): Promise<void> {
    const task = await this.engine.load(taskId, await this.engine.scopeOf(call));
    await this.#push.delete(taskId, id, task);
    await this.engine.remote.webhooksChanged(task);
  }

  /** Checks a webhook that comes with a message, before anything is made of the message. */
  checkInline({ message, configuration }: SendMessageRequest, call: CallContext): void {
    const config = configuration?.taskPushNotificationConfig;
    if (!config) return;
    this.#push.check(config, INLINE);
    const violations: FieldViolation[] = [];
    if (config.taskId !== undefined && config.taskId !== message.taskId) {
      violations.push({
        field: `${INLINE}.taskId`,
        description: 'must be the task that the message names, or be left out',
      });
    }
    if (config.tenant !== undefined && config.tenant !== call.tenant) {
      violations.push({
        field: `${INLINE}.tenant`,
        description: 'must be the tenant of the request, or be left out',
      });
    }
    if (violations.length > 0) throw new InvalidParamsError(violations);
  }

  get #push(): PushNotifications {
    const { push } = this.engine.parts;
    if (!push) throw new PushNotificationNotSupportedError();
    return push;
  }
}

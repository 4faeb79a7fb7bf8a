import type { Logger } from '@nestjs/common';
import {
  TaskNotFoundError,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type TaskPushNotificationConfig,
} from '../protocol/index.js';
import { newId } from '../server/new-id.js';
import {
  PushNotifications,
  type AttachedWebhook,
  type OwnedTask,
  type TaskNotifier,
  type WantedWebhook,
} from '../server/push-notifications.js';
import { systemScope, type Scope } from '../server/task-scope.js';
import { saidBy } from '../server/thrown-value.js';
import type { Deliveries } from './deliveries.js';
import { decodeConfigToken, encodeConfigToken } from './push-config-page-token.js';
import { checkPushConfig, type UrlRule } from './push-config-rules.js';
import type { PushConfigRecord, PushNotificationConfigStore } from './push-notification-config-store.js';
import { TaskWatch, type WatchParts } from './task-watch.js';

/** What the push notifications of an agent are made of. */
export interface PushServiceParts {
  /** The name of the agent. */
  readonly agent: string;
  readonly store: PushNotificationConfigStore;
  readonly deliveries: Deliveries;
  readonly urls: UrlRule;
  /** Whether webhooks are shown the task after each change, or the event that made it. */
  readonly payload: 'task' | 'event';
  readonly configsPerTask: number;
  readonly logger: Logger;
}

const DEFAULT_PAGE_SIZE = 50;
const LARGEST_PAGE = 1_000;

/** Keeps the webhooks of an agent's tasks, and hands the changes of those tasks on to be delivered. */
export class PushService extends PushNotifications {
  /** The tasks that are driven here. */
  readonly #watches = new Map<string, TaskWatch>();
  readonly #watching: WatchParts;

  constructor(private readonly parts: PushServiceParts) {
    super();
    this.#watching = this.#watchParts();
  }

  /** How many tasks are watched. */
  get watched(): number {
    return this.#watches.size;
  }

  override check(config: TaskPushNotificationConfig, path = ''): void {
    checkPushConfig(config, this.parts.urls, path);
  }

  override async create(task: OwnedTask, webhook: WantedWebhook): Promise<TaskPushNotificationConfig> {
    const { config } = await this.#keep(task, webhook);
    await this.reload(task.id);
    return config;
  }

  override async get(taskId: string, id: string, scope: Scope): Promise<TaskPushNotificationConfig> {
    const record = await this.parts.store.get(taskId, id, scope);
    if (!record) throw new TaskNotFoundError(taskId);
    return record.config;
  }

  override async list(
    { taskId, pageSize = 0, pageToken }: ListTaskPushNotificationConfigsRequest,
    scope: Scope,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    const { configs, hasMore } = await this.parts.store.list(taskId, scope, {
      ...(pageToken && { after: decodeConfigToken(pageToken, taskId, scope) }),
      limit: Math.min(pageSize === 0 ? DEFAULT_PAGE_SIZE : pageSize, LARGEST_PAGE),
    });
    const last = configs.at(-1);
    return {
      configs: configs.map(({ config }) => config),
      nextPageToken: hasMore && last ? encodeConfigToken(last.config.id, taskId, scope) : '',
    };
  }

  override async delete(taskId: string, id: string, scope: Scope): Promise<void> {
    const { store, deliveries } = this.parts;
    const record = await store.get(taskId, id, scope);
    if (!record) return;
    await store.remove(taskId, id, scope);
    await this.reload(taskId);
    deliveries.drop(record);
  }

  override async attach(task: OwnedTask, webhook: WantedWebhook): Promise<AttachedWebhook> {
    const { store } = this.parts;
    const { id } = webhook.config;
    const replaced = id === undefined ? undefined : await store.get(task.id, id, task);
    const record = await this.#keep(task, webhook);
    await this.reload(task.id);
    return {
      undo: async () => {
        if (replaced) await store.put(replaced, Infinity);
        else await store.remove(task.id, record.config.id, task);
        await this.reload(task.id);
      },
    };
  }

  override watch(task: OwnedTask, isNew: boolean, wanted?: WantedWebhook): TaskNotifier {
    const watch = new TaskWatch(task, this.#watching, { isNew, wanted });
    this.#watches.set(task.id, watch);
    if (!isNew) void watch.reload();
    return watch;
  }

  override notifierOf(task: OwnedTask): TaskNotifier {
    return new TaskWatch(task, this.#watching).detach();
  }

  override unwatch(taskId: string, notifier: TaskNotifier): void {
    const watch = this.#watches.get(taskId);
    if (watch !== notifier) return;
    this.#watches.delete(taskId);
    watch.detach();
  }

  override async reload(taskId: string): Promise<void> {
    await this.#watches.get(taskId)?.reload();
    await this.#revise(taskId);
  }

  override async forget(taskId: string): Promise<void> {
    const { agent, store, logger } = this.parts;
    try {
      await store.remove(taskId, undefined, systemScope(agent));
      // What waits is still delivered: the task may be gone because it has finished.
      await this.#watches.get(taskId)?.reload();
    } catch (error) {
      logger.warn(`Task ${taskId}: its push notification configs could not be removed: ${saidBy(error)}`);
    }
  }

  /** What waits follows its webhook: to another URL, with other credentials, or nowhere. */
  async #revise(taskId: string): Promise<void> {
    const { deliveries, logger } = this.parts;
    if (!deliveries.isBusy(taskId)) return;
    try {
      deliveries.revise(taskId, await this.#all(taskId));
    } catch (error) {
      logger.warn(`Task ${taskId}: its push notification configs could not be read: ${saidBy(error)}`);
    }
  }

  async #keep({ agent, tenant, owner, id }: OwnedTask, webhook: WantedWebhook): Promise<PushConfigRecord> {
    const { config, version } = webhook;
    const { tenant: _tenant, id: configId = newId(), taskId: _taskId, ...rest } = config;
    const record: PushConfigRecord = {
      agent,
      ...(tenant !== undefined && { tenant }),
      ...(owner !== undefined && { owner }),
      config: { ...(tenant !== undefined && { tenant }), id: configId, taskId: id, ...rest },
      version,
    };
    await this.parts.store.put(record, this.parts.configsPerTask);
    return record;
  }

  /** What all watches need. */
  #watchParts(): WatchParts {
    const { payload, deliveries, logger } = this.parts;
    return {
      showsTask: payload === 'task',
      read: ({ id }) => this.#all(id),
      keep: (task, webhook) => this.#keep(task, webhook),
      deliver: ({ id }, notices, webhooks, range) => {
        if (webhooks.length > 0) deliveries.deliver(id, notices, webhooks, range);
      },
      failed: ({ id }, error) => {
        logger.warn(`Task ${id}: its push notification configs could not be read: ${saidBy(error)}`);
      },
    };
  }

  async #all(taskId: string): Promise<PushConfigRecord[]> {
    const { agent, store } = this.parts;
    const all: PushConfigRecord[] = [];
    for (let after: string | undefined; ;) {
      const page = await store.list(taskId, systemScope(agent), {
        ...(after !== undefined && { after }),
        limit: LARGEST_PAGE,
      });
      all.push(...page.configs);
      after = page.configs.at(-1)?.config.id;
      if (!page.hasMore || after === undefined) return all;
    }
  }
}

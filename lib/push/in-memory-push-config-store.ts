import { deepFreeze } from '../protocol/index.js';
import { isInScope, type Scope } from '../server/task-scope.js';
import { tooManyConfigs } from './push-config-rules.js';
import {
  PushNotificationConfigStore,
  type PushConfigPage,
  type PushConfigRecord,
} from './push-notification-config-store.js';

/** The webhooks of one task by their ids. */
type TaskConfigs = Map<string, PushConfigRecord>;

/**
 * The default store: in memory, gone when the process ends. Its webhooks go when their task goes.
 *
 * @publicApi
 */
export class InMemoryPushConfigStore extends PushNotificationConfigStore {
  readonly #agents = new Map<string, Map<string, TaskConfigs>>();

  /** How many tasks have webhooks. */
  get size(): number {
    return [...this.#agents.values()].reduce((sum, tasks) => sum + tasks.size, 0);
  }

  override async put(record: PushConfigRecord, limit: number): Promise<void> {
    const { agent, config } = record;
    const tasks = this.#agents.get(agent) ?? new Map<string, TaskConfigs>();
    const configs: TaskConfigs = tasks.get(config.taskId) ?? new Map<string, PushConfigRecord>();
    if (!configs.has(config.id) && configs.size >= limit) {
      throw tooManyConfigs(config.taskId, limit);
    }
    configs.set(config.id, deepFreeze(structuredClone(record)));
    tasks.set(config.taskId, configs);
    this.#agents.set(agent, tasks);
  }

  override async get(taskId: string, id: string, scope: Scope): Promise<PushConfigRecord | undefined> {
    const record = this.#agents.get(scope.agent)?.get(taskId)?.get(id);
    return record && isInScope(record, scope) ? record : undefined;
  }

  override async list(
    taskId: string,
    scope: Scope,
    { after, limit }: { readonly after?: string; readonly limit: number },
  ): Promise<PushConfigPage> {
    const behind = this.#inScope(taskId, scope)
      .filter(({ config }) => after === undefined || config.id > after)
      .sort((a, b) => (a.config.id < b.config.id ? -1 : 1));
    return { configs: behind.slice(0, limit), hasMore: behind.length > limit };
  }

  override async remove(taskId: string, id: string | undefined, scope: Scope): Promise<void> {
    const tasks = this.#agents.get(scope.agent);
    const configs = tasks?.get(taskId);
    if (!tasks || !configs) return;
    for (const { config } of this.#inScope(taskId, scope)) {
      if (id === undefined || config.id === id) configs.delete(config.id);
    }
    if (configs.size === 0) tasks.delete(taskId);
    if (tasks.size === 0) this.#agents.delete(scope.agent);
  }

  #inScope(taskId: string, scope: Scope): PushConfigRecord[] {
    const configs = this.#agents.get(scope.agent)?.get(taskId)?.values() ?? [];
    return [...configs].filter((record) => isInScope(record, scope));
  }
}

import type { DynamicModule } from '@nestjs/common';
import type { A2AModuleOptions } from 'nest-a2a';
import type { Settings } from './settings.js';

/** What keeps tasks and webhooks, and what carries live events between processes. */
export interface BackEnds {
  readonly imports: DynamicModule[];
  readonly options: Partial<A2AModuleOptions>;
}

/** The back-ends that are asked for. What is not asked for is not loaded: an agent in memory starts as fast as without them. */
export async function backEnds(settings: Settings): Promise<BackEnds> {
  const all = await Promise.all([storeOf(settings), busOf(settings)]);
  return {
    imports: all.flatMap(({ imports }) => imports),
    options: Object.assign({}, ...all.map(({ options }) => options)) as Partial<A2AModuleOptions>,
  };
}

const NONE: BackEnds = { imports: [], options: {} };

async function storeOf({ databaseUrl }: Settings): Promise<BackEnds> {
  if (databaseUrl === undefined) return NONE;
  const { A2ASqlModule, SqlPushNotificationConfigStore, SqlTaskStore } = await import('nest-a2a/sql');
  return {
    imports: [A2ASqlModule.forRoot({ url: databaseUrl, migrate: true })],
    options: { taskStore: SqlTaskStore, pushNotificationConfigStore: SqlPushNotificationConfigStore },
  };
}

async function busOf({ redisUrl, role }: Settings): Promise<BackEnds> {
  // A role without Redis is refused by the module, which says what is missing.
  if (redisUrl === undefined) return role === 'both' ? NONE : { imports: [], options: { role } };
  const { A2ARedisModule, BullMqDispatcher, RedisTaskEventBus } = await import('nest-a2a/redis');
  return {
    imports: [A2ARedisModule.forRoot({ url: redisUrl })],
    options: {
      eventBus: RedisTaskEventBus,
      ...(role !== 'both' && { role, dispatcher: new BullMqDispatcher({ url: redisUrl, concurrency: 100 }) }),
    },
  };
}

export { A2ARedisModule, type A2ARedisModuleAsyncOptions } from './a2a-redis.module.js';
export { RedisTaskEventBus } from './redis-task-event-bus.js';
export type { RedisClient, RedisOptions } from './redis-options.js';

export { A2ARedisModule, type A2ARedisModuleAsyncOptions } from './a2a-redis.module.js';
export { BullMqDispatcher, type BullMqDispatcherOptions } from './bull-mq-dispatcher.js';
export { RedisTaskEventBus } from './redis-task-event-bus.js';
export type { RedisClient, RedisOptions } from './redis-options.js';

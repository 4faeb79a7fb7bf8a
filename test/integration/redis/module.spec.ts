import { Module } from '@nestjs/common';
import { A2AModule, getTaskEventBusToken, TaskEventBus } from 'nest-a2a';
import { A2ARedisModule, RedisTaskEventBus } from 'nest-a2a/redis';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAgent } from '../../support/index.js';
import { hasRedis, RedisServer } from '../../support/redis-server.js';

const TARGET = { adapter: 'express', binding: 'http-json' } as const;
const complete = async (_context: unknown, task: { complete(): Promise<void> }) => task.complete();

@Module({ providers: [{ provide: 'REDIS_URL', useValue: 'redis://127.0.0.1:1' }], exports: ['REDIS_URL'] })
class SettingsModule {}

describe('A2ARedisModule', () => {
  it('gives the agents of an application one bus, which closes with it', { skip: !hasRedis }, async () => {
    const redis = await RedisServer.start();
    onTestFinished(() => redis.stop());
    const other = A2AModule.forRoot({
      name: 'other',
      path: 'other',
      card: { name: 'Other', description: 'For tests', version: '1.0.0' },
      executor: { execute: complete },
      eventBus: RedisTaskEventBus,
    });
    const agent = await startAgent({
      ...TARGET,
      execute: complete,
      eventBus: RedisTaskEventBus,
      root: { imports: [A2ARedisModule.forRoot({ url: redis.url, prefix: 'app' }), other] },
    });
    const bus = agent.app.get(RedisTaskEventBus, { strict: false });
    expect(agent.app.get(TaskEventBus)).toBe(bus);
    expect(agent.app.get(getTaskEventBusToken('other'), { strict: false })).toBe(bus);
    await expect.poll(() => bus.isConnected()).toBe(true);
    expect((await agent.send('go').task()).status.state).toBe('TASK_STATE_COMPLETED');
    await agent.close();
    expect(bus.isConnected()).toBe(false);
    const admin = new Redis(redis.url);
    await expect.poll(async () => admin.client('LIST')).not.toContain('name=nest-a2a');
    admin.disconnect();
  });

  it('takes its options from a factory, and starts although Redis is away', async () => {
    const redis = A2ARedisModule.forRootAsync({
      imports: [SettingsModule],
      inject: ['REDIS_URL'],
      useFactory: (url: string) => ({ url }),
    });
    const agent = await startAgent({
      ...TARGET,
      execute: complete,
      eventBus: RedisTaskEventBus,
      root: { imports: [redis] },
    });
    expect((await agent.send('go').task()).status.state).toBe('TASK_STATE_COMPLETED');
    expect(agent.log.of('warn').filter((line) => line.includes('Redis is away'))).toHaveLength(1);
  });
});

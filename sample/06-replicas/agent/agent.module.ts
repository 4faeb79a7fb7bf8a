import { Module } from '@nestjs/common';
import { A2AModule } from 'nest-a2a';
import { A2ARedisModule, RedisTaskEventBus } from 'nest-a2a/redis';
import { A2ASqlModule, SqlPushNotificationConfigStore, SqlTaskStore } from 'nest-a2a/sql';
import { StoryAgent } from './story.agent.js';

@Module({
  imports: [
    // What is true is in the database, and what happens is told by Redis. All replicas have the same.
    A2ASqlModule.forRoot({ url: process.env.DATABASE_URL ?? '', migrate: true }),
    A2ARedisModule.forRoot({ url: process.env.REDIS_URL ?? '' }),
    A2AModule.forRoot({
      executor: StoryAgent,
      card: {
        name: 'Story Agent',
        description: 'Tells a story, whoever of it is alive',
        version: '1.0.0',
        skills: [{ id: 'tell', name: 'Tell', description: 'Tells a story of some lines', tags: ['stories'] }],
      },
      taskStore: SqlTaskStore,
      pushNotificationConfigStore: SqlPushNotificationConfigStore,
      eventBus: RedisTaskEventBus,
      recovery: 'retry',
      // Shorter than the defaults: nobody watches a demonstration for half a minute.
      leaseDuration: 2_000,
      sweepInterval: 500,
    }),
  ],
})
export class AgentModule {}

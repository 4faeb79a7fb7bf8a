import { Module } from '@nestjs/common';
import { A2AModule } from 'nest-a2a';
import { A2ASqlModule, SqlPushNotificationConfigStore, SqlTaskStore } from 'nest-a2a/sql';
import { BakerAgent } from './baker.agent.js';

@Module({
  imports: [
    A2ASqlModule.forRoot({ url: process.env.DATABASE_URL ?? 'sqlite:bakery.db', migrate: true }),
    A2AModule.forRoot({
      executor: BakerAgent,
      card: {
        name: 'Baker Agent',
        description: 'Bakes to order, whatever happens',
        version: '1.0.0',
        skills: [{ id: 'bake', name: 'Bake', description: 'Bakes some loaves', tags: ['food'] }],
      },
      taskStore: SqlTaskStore,
      pushNotificationConfigStore: SqlPushNotificationConfigStore,
      // The baker can tell how far it was, so it may be run again. By default its task would fail.
      recovery: 'retry',
      // Shorter than the defaults: nobody watches a demonstration for half a minute.
      leaseDuration: 2_000,
      sweepInterval: 500,
      pushNotifications: { allow: ['127.0.0.1'], claimLease: 2_000, pollInterval: 500 },
    }),
  ],
})
export class AgentModule {}

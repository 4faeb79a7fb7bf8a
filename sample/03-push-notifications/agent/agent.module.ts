import { Module } from '@nestjs/common';
import { A2AModule } from 'nest-a2a';
import { BakeryAgent } from './bakery.agent.js';

@Module({
  imports: [
    A2AModule.forRoot({
      executor: BakeryAgent,
      card: {
        name: 'Bakery Agent',
        description: 'Bakes to order, and tells you when it is done',
        version: '1.0.0',
        skills: [{ id: 'bake', name: 'Bake', description: 'Bakes one bread', tags: ['food'] }],
      },
      pushNotifications: {
        // Webhooks in your own network are refused unless you name them: the shop of this sample is on this machine.
        allow: ['127.0.0.1'],
        onDelivery: ({ outcome, attempt, origin, duration }) => {
          console.log(`  agent  ${outcome} to ${origin} in ${duration} ms, attempt ${attempt}`);
        },
      },
    }),
  ],
})
export class AgentModule {}

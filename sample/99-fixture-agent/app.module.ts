import { Module, type DynamicModule } from '@nestjs/common';
import { A2AModule, type AgentCardInput } from 'nest-a2a';
import { backEnds } from './back-ends.js';
import { FixtureAgent } from './fixture.agent.js';
import { PROFILES, type Profile } from './profiles.js';
import type { Settings } from './settings.js';

const CARD: AgentCardInput = {
  name: 'Fixture Agent',
  description: 'Does what a message asks for, so that a test kit can see everything an agent may do',
  version: '1.0.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [
    {
      id: 'fixture',
      name: 'Fixture',
      description: 'Behaves as the id or the text of a message says',
      tags: ['test'],
    },
  ],
};

@Module({})
export class AppModule {
  static async with(settings: Settings): Promise<DynamicModule> {
    const { card, extendedCard, ...options }: Profile = PROFILES[settings.profile];
    const behind = await backEnds(settings);
    return {
      module: AppModule,
      imports: [
        ...behind.imports,
        A2AModule.forRoot({
          path: settings.path,
          executor: FixtureAgent,
          card: { ...CARD, ...card },
          ...(extendedCard !== undefined && {
            extendedCard: extendedCard && { ...CARD, ...card, ...extendedCard },
          }),
          // Nobody waits for what a test left behind.
          shutdownTimeout: 1_000,
          // The bound would push out seeded tasks.
          limits: { finishedTasks: Infinity },
          ...behind.options,
          ...options,
        }),
      ],
    };
  }
}

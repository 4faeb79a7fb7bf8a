import { Module, type DynamicModule } from '@nestjs/common';
import { A2AClientModule, A2AModule } from 'nest-a2a';
import { TripAgent } from './trip.agent.js';

/** An agent that plans trips, and asks another one for the weather. */
@Module({})
export class AppModule {
  /** @param weather where the weather agent is; its card says the rest */
  static with(weather: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        A2AClientModule.forRoot({ agents: { weather: { url: weather } } }),
        A2AModule.forRoot({
          executor: TripAgent,
          card: {
            name: 'Trip Agent',
            description: 'Finds the best day to go',
            version: '1.0.0',
            skills: [
              {
                id: 'best-day',
                name: 'Best day',
                description: 'The day with the best weather for a trip to a city',
                tags: ['travel'],
                examples: ['When shall I go to Lisbon?'],
              },
            ],
          },
        }),
      ],
    };
  }
}

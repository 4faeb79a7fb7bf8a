import { Module } from '@nestjs/common';
import { A2AModule } from 'nest-a2a';
import { ForecastModule } from './forecast.module.js';
import { WeatherAgent } from './weather.agent.js';

@Module({
  imports: [
    A2AModule.forRoot({
      // What the executor injects.
      imports: [ForecastModule],
      executor: WeatherAgent,
      card: {
        name: 'Weather Agent',
        description: 'Tells what the weather will be like, day by day',
        version: '1.0.0',
        skills: [
          {
            id: 'forecast',
            name: 'Forecast',
            description: 'The weather of the next days in a city',
            tags: ['weather'],
            examples: ['What is the weather in Colombo?', 'Lisbon for 5 days'],
          },
        ],
      },
    }),
  ],
})
export class AppModule {}

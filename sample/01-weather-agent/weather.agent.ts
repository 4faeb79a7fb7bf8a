import { Injectable } from '@nestjs/common';
import type { AgentExecutor, RequestContext, TaskUpdater } from 'nest-a2a';
import { ForecastService } from './forecast.service.js';

/** Streams a forecast day by day, and asks back when it does not know the place. */
@Injectable()
export class WeatherAgent implements AgentExecutor {
  constructor(private readonly forecasts: ForecastService) {}

  async execute(context: RequestContext, task: TaskUpdater): Promise<void> {
    const city = this.forecasts.cityIn(context.text);
    if (!city) {
      // Ends the turn. The user's answer comes as the next message on this task and starts a new one.
      await task.requireInput(`Which city? I know ${this.forecasts.cities.join(', ')}.`);
      return;
    }

    await task.working(`Looking at the sky over ${city}`);
    const forecast = await task.addArtifact([{ text: `Forecast for ${city}\n` }], { name: 'forecast' });
    // The signal aborts when the client cancels the task: the loop throws, and there is nothing more to do.
    for await (const day of this.forecasts.days(city, daysIn(context.text), context.signal)) {
      await task.appendArtifact(forecast, [{ text: `${day}\n` }]);
    }
    await task.complete();
  }
}

/** "… for 5 days" asks for five; three otherwise. */
function daysIn(text: string): number {
  const days = Number(/(\d+) days?/.exec(text)?.[1] ?? 3);
  return Math.min(Math.max(days, 1), 60);
}

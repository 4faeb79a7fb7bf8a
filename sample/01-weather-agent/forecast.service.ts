import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

const SKIES = ['sunny', 'light clouds', 'scattered showers', 'heavy rain', 'sunny', 'breezy', 'fog at dawn'];
const WARMTH: Readonly<Record<string, number>> = {
  Colombo: 30,
  Lisbon: 24,
  Oslo: 12,
  Tokyo: 21,
  Wellington: 16,
};

/** A stand-in for whatever your application really asks: a database, a model, another service. */
@Injectable()
export class ForecastService {
  readonly cities = Object.keys(WARMTH);

  /** The city that a text names, if it names one that is known here. */
  cityIn(text: string): string | undefined {
    const words = text.toLowerCase();
    return this.cities.find((city) => words.includes(city.toLowerCase()));
  }

  /** One line for each day, a moment apart, until `signal` aborts. */
  async *days(city: string, count: number, signal: AbortSignal): AsyncGenerator<string> {
    const warmth = WARMTH[city] ?? 20;
    for (let day = 0; day < count; day += 1) {
      await pause(250, undefined, { signal });
      const sky = SKIES[(day + city.length) % SKIES.length] ?? 'sunny';
      yield `Day ${day + 1}: ${sky}, ${warmth + (day % 3)} °C`;
    }
  }
}

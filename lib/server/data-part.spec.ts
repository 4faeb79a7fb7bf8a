import { Type } from 'class-transformer';
import { Allow, IsArray, IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { InvalidParamsError, type Message } from '../protocol/index.js';
import { dataAs } from './data-part.js';

class Day {
  @IsString() date!: string;
}

class Forecast {
  @IsString() city!: string;
  @IsInt() @Min(1) days!: number;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Day) list: Day[] = [];
  @Allow() extra?: unknown;
}

class Undecorated {
  city?: string;
}

const message = (...parts: Message['parts']): Message => ({ messageId: 'm-1', role: 'ROLE_USER', parts });

async function violationsOf(data: unknown): Promise<[string, string][]> {
  const error: unknown = await dataAs(Forecast, message({ text: 'hi' }, { data: data as never })).catch(
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(InvalidParamsError);
  return (error as InvalidParamsError).violations.map(({ field, description }) => [field, description]);
}

describe('dataAs', () => {
  it('gives the first data part as an instance of the class', async () => {
    const forecast = await dataAs(
      Forecast,
      message(
        { text: 'hi' },
        { data: { city: 'Colombo', days: 2, list: [{ date: 'today' }] } },
        { data: { city: 1 } },
      ),
    );
    expect(forecast).toBeInstanceOf(Forecast);
    expect(forecast.list[0]).toBeInstanceOf(Day);
    expect(forecast).toEqual({ city: 'Colombo', days: 2, list: [{ date: 'today' }] });
  });

  it('names every fault by its path', async () => {
    expect(await violationsOf({ city: 7, days: 0, list: [{ date: 'ok' }, { date: 1 }] })).toEqual([
      ['message.parts[1].data.city', 'city must be a string'],
      ['message.parts[1].data.days', 'days must not be less than 1'],
      ['message.parts[1].data.list[1].date', 'date must be a string'],
    ]);
  });

  it.each([null, 0, 'text', [1], true])('refuses data that is %j', async (data) => {
    expect(await violationsOf(data)).toEqual([['message.parts[1].data', 'must be an object']]);
  });

  it('refuses a message without data', async () => {
    const error: unknown = await dataAs(Forecast, message({ text: 'hi' })).catch((e: unknown) => e);
    expect((error as InvalidParamsError).violations).toEqual([
      { field: 'message.parts', description: 'no part has "data"' },
    ]);
  });

  it.each([
    '{"city":"x","days":1,"list":[],"__proto__":{"polluted":true}}',
    '{"city":"x","days":1,"list":[],"constructor":{"prototype":{"polluted":true}}}',
    '{"city":"x","days":1,"list":[],"extra":{"constructor":{"name":1},"prototype":1,"__proto__":{"polluted":true}}}',
    '{"city":"x","days":1,"list":[],"extra":{"toString":1,"valueOf":null,"hasOwnProperty":{}}}',
  ])('keeps its prototypes clean of %s', async (json) => {
    const forecast = await dataAs(Forecast, message({ data: JSON.parse(json) as never }));
    expect(forecast).toBeInstanceOf(Forecast);
    expect(Object.getPrototypeOf(forecast)).toBe(Forecast.prototype);
    expect('polluted' in forecast).toBe(false);
    expect('polluted' in {}).toBe(false);
  });

  it('faults such keys inside what is validated like any others', async () => {
    expect(
      await violationsOf(
        JSON.parse('{"city":{"constructor":{"name":1}},"days":1,"list":[{"constructor":1}]}'),
      ),
    ).toEqual([
      ['message.parts[1].data.city', 'city must be a string'],
      ['message.parts[1].data.list[0].date', 'date must be a string'],
    ]);
  });

  it('names what an array in the place of an object is', async () => {
    const violations = await violationsOf({ city: 'x', days: 1, list: [[{ date: 1 }], 'text'] });
    expect(violations.map(([field]) => field)).toEqual([
      'message.parts[1].data.list[0][0].date',
      'message.parts[1].data.list[1]',
    ]);
  });

  it('tells the developer, not the caller, that a class has no rules', async () => {
    await expect(dataAs(Undecorated, message({ data: { city: 'x' } }))).rejects.toThrow(TypeError);
  });
});

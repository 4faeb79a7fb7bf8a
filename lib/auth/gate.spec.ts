import { expect, it } from 'vitest';
import { UnavailableError } from '../protocol/index.js';
import { Gate } from './gate.js';

it('lets tasks run up to its bound, others wait, and refuses more than may wait', async () => {
  const gate = new Gate(2, 1);
  const ends: ((value: string) => void)[] = [];
  const task = () => gate.run(() => new Promise<string>((resolve) => ends.push(resolve)));
  const [first, second, third] = [task(), task(), task()];
  await expect(task()).rejects.toThrow(UnavailableError);
  expect(ends).toHaveLength(2);
  ends[0]!('done');
  expect(await first).toBe('done');
  await Promise.resolve();
  expect(ends).toHaveLength(3);
  ends[1]!('done');
  ends[2]!('done');
  await Promise.all([second, third]);
});

it('gives the place of a task that fails to the next one', async () => {
  const gate = new Gate(1, 10);
  const failing = gate.run(async () => {
    throw new Error('failed');
  });
  const next = gate.run(async () => 'ran');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('ran');
});

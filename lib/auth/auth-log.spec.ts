import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AuthLog } from './auth-log.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('AuthLog writes a few lines in a minute and counts the rest', () => {
  const lines: string[] = [];
  const log = new AuthLog({
    warn: (line: string) => lines.push(line),
    error: (line: string, stack: string) => lines.push(`${line} ${stack}`),
  });
  for (let count = 0; count < 1_000; count++) log.write('warn', `refusal ${count}`);
  expect(lines).toHaveLength(10);
  vi.advanceTimersByTime(60_000);
  log.write('error', 'with\r\nlines\u001b[0m', 'stack');
  expect(lines.slice(10)).toEqual(['990 more refusals were not logged', 'with lines [0m stack']);
});

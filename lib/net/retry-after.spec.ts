import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retryAfterOf } from './retry-after.js';

describe('retryAfterOf', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 30, 12, 0, 0) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each<[string | readonly string[], number]>([
    ['0', 0],
    [' 7 ', 7_000],
    [['3', '9'], 3_000],
    ['Mon, 30 Nov 2026 12:00:05 GMT', 5_000],
    ['Monday, 30-Nov-26 12:01:00 GMT', 60_000],
    ['Mon Nov 30 12:00:01 2026', 1_000],
    ['Mon, 30 Nov 2026 11:00:00 GMT', 0],
  ])('%s asks for %d ms', (header, asked) => {
    expect(retryAfterOf(header)).toBe(asked);
  });

  it.each([undefined, '', [], '-5', '1.5', '1e3', 'soon', 'in 5', '2026-11-30', 'Mon, at 12:00:05'])(
    '%s says nothing',
    (header) => {
      expect(retryAfterOf(header)).toBeUndefined();
    },
  );
});

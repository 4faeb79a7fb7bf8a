import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../test/support/cpu-time.js';
import { exceedsNesting, parseJsonBody } from './json-body.js';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('parseJsonBody', () => {
  it('reads what JSON.parse reads, and finds its depth', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseJsonBody(Buffer.from(text), 100)).toEqual(JSON.parse(text));
        const padded = Buffer.from(text + ' '.repeat(50));
        for (const nesting of [1, 2, 3, 8])
          expect(exceedsNesting(padded, nesting)).toBe(depthOf(value) > nesting);
      }),
    );
  });

  it.each([
    ['"\\\\"', '[["\\\\"]]', true],
    ['an escaped quote', '["\\"[[[["]', false],
    ['an escaped backslash', '["\\\\",[[1]]]', true],
    ['an open string', '["[[[[', false],
    ['no JSON', '[}[}[}[}', false],
  ])('%s', (_what, text, exceeds) => {
    expect(exceedsNesting(Buffer.from(text + ' '.repeat(10)), 1)).toBe(exceeds);
  });

  it.each([
    [Buffer.from('{"a":'), 'The body is not valid JSON'],
    [Buffer.from([0x22, 0xc3, 0x28, 0x22]), 'The body is not valid UTF-8'],
    [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'The body is not valid UTF-8'],
  ])('refuses %s', (bytes, message) => {
    expect(() => parseJsonBody(bytes, 100)).toThrow(message);
  });

  it('is linear in a body of backslashes and quotes', () => {
    const bytes = Buffer.from(`["${'\\"'.repeat(500_000)}${'\\'.repeat(500_000)}"]`);
    const started = cpuTime();
    exceedsNesting(bytes, 100);
    expect(cpuTime() - started).toBeLessThan(2_000);
  });
});

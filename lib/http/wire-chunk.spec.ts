import { describe, expect, it } from 'vitest';
import { wireBytes, wireChunk } from './wire-chunk.js';

// The last letter of ASCII and the first behind it, one whose low byte is ASCII too, a pair and half of one.
const LETTERS = ['', 'a', '\x7f', '\x80', 'é', 'ÿ', 'Ł', '€', '😀', '\ud83d'];

describe('wireChunk', () => {
  it.each(LETTERS)('gives text with %j as UTF-8, however long it is', (letter) => {
    for (const text of [letter, `abc${letter}`, `${'abc'.repeat(10_000)}${letter}`]) {
      expect(wireBytes(text).equals(Buffer.from(text))).toBe(true);
      expect(Buffer.from(wireChunk(text)).equals(Buffer.from(text))).toBe(true);
    }
  });

  it('leaves short text as it is', () => {
    expect([wireChunk('é'), Buffer.isBuffer(wireChunk('a'.repeat(16 * 1024)))]).toEqual(['é', true]);
  });
});

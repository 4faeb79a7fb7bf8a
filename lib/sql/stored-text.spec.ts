import { describe, expect, it } from 'vitest';
import { originalText, storedKey, storedText } from './stored-text.js';

const ODD = ['', 'plain', 'é漢😀', '"', '"quoted"', '#1', 'a\0b', '\0', '\ud800', 'x\udc00y', '"\0'];

describe('Texts in a database', () => {
  it('come back as they were, and hold nothing that a database cannot', () => {
    for (const text of ODD) {
      const stored = storedText(text);
      expect(originalText(stored)).toBe(text);
      expect(stored).not.toContain('\0');
      expect(Buffer.from(stored).toString()).toBe(stored);
    }
    expect(storedText('plain é漢😀')).toBe('plain é漢😀');
  });

  it('are told apart as keys, however long, and fit into an index', () => {
    const long = [200, 201, 5_000].map((length) => 'x'.repeat(length));
    const texts = [
      ...ODD,
      ...long,
      ...long.map((text) => `${text}\0`),
      `${long[2]}y`,
      '漢'.repeat(67),
      '漢'.repeat(66),
    ];
    // What looks like the key of another one is one of its own.
    texts.push(...texts.map(storedKey).filter((key) => !texts.includes(key)));
    const keys = texts.map(storedKey);
    expect(new Set(keys).size).toBe(texts.length);
    for (const key of keys) expect(Buffer.byteLength(key)).toBeLessThanOrEqual(200);
    expect(storedKey('plain')).toBe('plain');
  });
});

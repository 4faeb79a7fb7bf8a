import { describe, expect, it } from 'vitest';
import { parseUrl } from './parse-url.js';

describe('parseUrl', () => {
  it('gives the URL that a text is, or nothing', () => {
    expect(parseUrl('https://a.example/x')?.host).toBe('a.example');
    expect(parseUrl('../y', 'https://a.example/x/z')?.href).toBe('https://a.example/y');
    expect(['', 'x', 'https://', '/x'].map((text) => parseUrl(text))).toEqual(Array(4).fill(undefined));
  });

  it('takes names with other letters however often it is asked', () => {
    const seen = new Set<string | undefined>();
    for (let at = 0; at < 100_000; at++) {
      parseUrl(`https://a.example/${at}`);
      if (at % 1_000 === 0) seen.add(parseUrl('https://bücher.example/')?.host);
    }
    expect([...seen]).toEqual(['xn--bcher-kva.example']);
  });
});

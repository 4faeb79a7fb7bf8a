import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  it('O-CARD-06: writes the example of RFC 8785', () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('O-CARD-06: sorts by UTF-16 code units, as RFC 8785 does', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6', '__proto__'];
    const value: unknown = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`);
    const written = Object.keys(JSON.parse(canonicalJson(value)) as object);
    expect(new Set(written)).toEqual(new Set(names));
    expect(canonicalJson(value)).toBe(
      `{"\\r":0,"1":0,"__proto__":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\ud83d\ude00":0,"\ufb33":0}`,
    );
  });

  it.each([NaN, Infinity, '\ud800', { '\udc00': 1 }, [undefined]])('refuses %o', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it('has one zero', () => {
    expect(canonicalJson([-0, 0, 1.0])).toBe('[0,0,1]');
  });
});

import { describe, expect, it } from 'vitest';
import { readStaticOptions } from './static-options.js';

describe('readStaticOptions', () => {
  it('fills in the defaults', () => {
    expect(readStaticOptions({}, false)).toEqual({
      name: 'default',
      path: 'a2a',
      bindings: ['http-json', 'json-rpc'],
      serves03: false,
      guards: [],
      decorators: [],
      mayAuthenticate: true,
      faults: [],
    });
    expect(readStaticOptions({ path: undefined, name: undefined }, false).path).toBe('a2a');
  });

  it.each([
    [{ v0_3: true }, true, []],
    [{ v0_3: false }, false, []],
    [{}, false, []],
    [{ v0_3: undefined }, false, []],
    [{ v0_3: 'yes' }, false, ['compat.v0_3 must be true or false']],
    [{ v03: true }, false, ['compat.v03 is no version that can be served; "v0_3" is']],
    [true, false, ['compat must be an object']],
  ])('reads %j as what is served beside 1.0', (compat, serves03, expected) => {
    for (const isAsync of [false, true]) {
      const statics = readStaticOptions({ compat: compat as object }, isAsync);
      expect(statics.serves03).toBe(serves03);
      expect(statics.faults.map(({ field, description }) => `${field} ${description}`)).toEqual(expected);
    }
  });

  it.each([
    ['a2a', 'a2a'],
    ['/a2a/', 'a2a'],
    ['//agents///weather.v1/', 'agents/weather.v1'],
  ])('reads the path %s as %s', (path, expected) => {
    expect(readStaticOptions({ path }, false)).toMatchObject({ path: expected, faults: [] });
  });

  it.each(['', '/', 'a b', 'a/{b}', 'a/:b', 'a/*', '..', './a', 'a%20b', 'ä', 'a?b', 1, null])(
    'refuses the path %j',
    (path) => {
      expect(readStaticOptions({ path: path as string }, false).faults).toHaveLength(1);
    },
  );
});

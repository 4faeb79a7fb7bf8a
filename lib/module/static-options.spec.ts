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

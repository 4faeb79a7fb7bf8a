import { describe, expect, it } from 'vitest';
import { activateExtensions, askedExtensions, askedVersion, negotiateVersion } from './service-parameters.js';

describe('negotiateVersion', () => {
  it.each([
    ['1.0', '1.0'],
    [' 1.0 ', '1.0'],
    ['1.0.3', '1.0'],
  ])('takes %j', (asked, version) => {
    expect(negotiateVersion(asked, ['1.0'])).toBe(version);
  });

  it('takes no version for 0.3 where that is served', () => {
    for (const asked of [undefined, '', '0.3', '0.3.0'])
      expect(negotiateVersion(asked, ['1.0', '0.3'], '0.3')).toBe('0.3');
  });

  it.each([
    [
      undefined,
      '1.0',
      'without the header A2A-Version means version 0.3, and what it calls is of version 1.0',
    ],
    ['0.3', '1.0', 'Version "0.3" is asked for, and what it calls is of version 1.0'],
    ['1.0', '0.3', 'Version "1.0" is asked for, and what it calls is of version 0.3'],
    ['9.9', '0.3', 'Version "9.9" is asked for, which is not served here; served: 1.0, 0.3'],
  ])('O-VER-01: %j does not go with a method or path of %s', (asked, spoken, message) => {
    expect(() => negotiateVersion(asked, ['1.0', '0.3'], spoken)).toThrow(message);
  });

  it.each(['1', '1.', '1.0.', '1.1', '01.0', 'v1.0', '1.0-rc', '1.0, 1.0', '1.0.0.0', 'x'.repeat(5_000)])(
    'refuses %j and says what to send',
    (asked) => {
      expect(() => negotiateVersion(asked, ['1.0', '0.3'])).toThrow(
        /served: 1\.0, 0\.3\. Send the header "A2A-Version: 1\.0"/,
      );
    },
  );
});

describe('askedVersion', () => {
  it('prefers a header that says something', () => {
    expect(askedVersion('1.0', { 'A2A-Version': '2.0' })).toBe('1.0');
    expect(askedVersion('', { 'A2a-vErsion': '1.0' })).toBe('1.0');
    expect(askedVersion(undefined, { 'a2a-version': ['1.0', '2.0'] })).toBe('1.0');
    expect(askedVersion(undefined, {})).toBeUndefined();
  });
});

describe('activateExtensions', () => {
  const [x, y, z] = [{ uri: 'x:1' }, { uri: 'y:1' }, { uri: 'z:1', required: true }];

  it.each([
    ['y:1, x:1,y:1', [x, y], ['x:1', 'y:1']],
    [undefined, [x, y], []],
    ['other:1', [x], []],
    ['z:1', [z], ['z:1']],
    ['x:1', [], []],
    ['X:1', [x], []],
  ])('of %j asked and %o declared', (asked, declared, active) => {
    const { uris } = askedExtensions({ 'a2a-extensions': asked }, ['1.0']);
    expect(activateExtensions(uris, declared)).toEqual(active);
  });

  it('names the required ones that are missing', () => {
    expect(() => activateExtensions(new Set(['x:1']), [x, z, { uri: 'w:1', required: true }])).toThrow(
      'z:1, w:1',
    );
  });
});

describe('askedExtensions', () => {
  const both = { 'a2a-extensions': 'x:1', 'x-a2a-extensions': 'y:1, z:1' };

  it('O-V03-06: reads the header of 0.3 too where that is served, and says which were used', () => {
    expect(askedExtensions(both, ['1.0'])).toEqual({ uris: new Set(['x:1']), headers: ['A2A-Extensions'] });
    expect(askedExtensions(both, ['1.0', '0.3'])).toEqual({
      uris: new Set(['x:1', 'y:1', 'z:1']),
      headers: ['A2A-Extensions', 'X-A2A-Extensions'],
    });
    expect(askedExtensions({ 'x-a2a-extensions': 'y:1' }, ['1.0', '0.3']).headers).toEqual([
      'X-A2A-Extensions',
    ]);
    expect(askedExtensions({}, ['1.0', '0.3']).uris.size).toBe(0);
  });
});

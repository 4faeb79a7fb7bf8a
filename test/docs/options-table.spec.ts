import { describe, expect, it } from 'vitest';
import { HTTP_DEFAULTS } from '../../lib/http/http-options.js';
import { STATIC_DEFAULTS } from '../../lib/module/static-options.js';
import { ENGINE_DEFAULTS } from '../../lib/server/engine-options.js';
import { readDocument, tableBelow } from './markdown.js';
import { propertiesOf } from './type-check.js';

const rows = tableBelow(readDocument('README.md'), 'Options');
const described = rows.map(([name = '']) => name.replaceAll('`', ''));
const defaults = Object.fromEntries(described.map((name, index) => [name, rows[index]?.[1]]));

/** A default as the table writes it. */
function written(value: unknown): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : `\`[${value.map((item) => `'${item}'`).join(', ')}]\``;
  return `\`${String(value).replaceAll(/\B(?=(\d{3})+$)/g, '_')}\``;
}

/** Defaults with the names of their groups in front. */
function flat(group: object, prefix = ''): [name: string, value: unknown][] {
  return Object.entries(group).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flat(value, `${prefix}${name}.`)
      : [[prefix + name, value]],
  );
}

describe('the table of options in the README', () => {
  it('has every option, and no other', { timeout: 60_000 }, () => {
    const [options, limits, extras] = propertiesOf(
      'lib/index.ts',
      'A2AModuleOptions',
      'A2ALimits',
      'A2AModuleExtras',
    );
    const existing = [
      ...options!.filter((name) => name !== 'limits'),
      ...limits!.map((name) => `limits.${name}`),
    ];
    expect([...described].sort()).toEqual([...existing, ...extras!].sort());
  });

  it.each([ENGINE_DEFAULTS, HTTP_DEFAULTS, STATIC_DEFAULTS].flatMap((group) => flat(group)))(
    'has the default of %s',
    (name, value) => {
      expect(defaults[name]).toBe(written(value));
    },
  );
});

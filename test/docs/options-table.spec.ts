import { describe, expect, it } from 'vitest';
import { HTTP_DEFAULTS } from '../../lib/http/http-options.js';
import { STATIC_DEFAULTS } from '../../lib/module/static-options.js';
import { PUSH_DEFAULTS } from '../../lib/push/push-options.js';
import { ENGINE_DEFAULTS } from '../../lib/server/engine-options.js';
import { readDocument, tableBelow } from './markdown.js';
import { propertiesOf } from './type-check.js';

const rows = tableBelow(readDocument('docs/options.md'), 'Options');
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

/** The number that a doc comment calls the default. */
function documented(doc: string): number | undefined {
  const [, digits, unit] = /Default:? ([\d,]+)( MiB)?/.exec(doc) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits.replaceAll(',', '')) * (unit === undefined ? 1 : 1024 * 1024);
}

describe('the table of options', () => {
  const [options, push, limits, extras] = propertiesOf(
    'lib/index.ts',
    'A2AModuleOptions',
    'PushNotificationOptions',
    'A2ALimits',
    'A2AModuleExtras',
  );
  const existing = [
    ...options!.filter(({ name }) => name !== 'limits' && name !== 'pushNotifications'),
    ...push!.map(({ name, doc }) => ({ name: `pushNotifications.${name}`, doc })),
    ...limits!.map(({ name, doc }) => ({ name: `limits.${name}`, doc })),
    ...extras!,
  ];

  it('has every option, and no other', () => {
    expect([...described].sort()).toEqual(existing.map(({ name }) => name).sort());
  });

  const groups = [ENGINE_DEFAULTS, HTTP_DEFAULTS, STATIC_DEFAULTS, { pushNotifications: PUSH_DEFAULTS }];
  it.each(groups.flatMap((group) => flat(group)))('has the default of %s', (name, value) => {
    expect(defaults[name]).toBe(written(value));
  });

  it('S-77: has the limits that are to bound returnImmediately, which gives no back-pressure', () => {
    const [, warning = ''] =
      /`returnImmediately` gives no back-pressure:([^]*?)\n\n/.exec(readDocument('README.md')) ?? [];
    const limits = [...warning.matchAll(/`(limits\..+?)`/g)].map(([, name]) => name);
    expect(limits).not.toEqual([]);
    expect(described).toEqual(expect.arrayContaining(limits));
  });

  it('has the numbers that the doc comments give', () => {
    const numbers = existing.flatMap(({ name, doc }) => {
      const value = documented(doc);
      return value === undefined ? [] : [[name, written(value)]];
    });
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers).toEqual(numbers.map(([name = '']) => [name, defaults[name]]));
  });
});

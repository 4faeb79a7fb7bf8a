import type { FieldViolation } from '../protocol/index.js';
import { parseUrl } from '../net/parse-url.js';

/** What is wrong with the value of an option, if anything is. It goes behind the path of the option. */
export type Check = (value: unknown) => string | undefined;

/** One check for each option of a group, no more and no fewer. */
export type Checks<Group> = Readonly<Record<keyof Group, Check>>;

type Values = Readonly<Record<string, unknown>>;

/** The options of a group, `undefined` and `null` counting as absent; `undefined` for what is no group. */
export function valuesOf(group: unknown): Values | undefined {
  if (typeof group !== 'object' || group === null || Array.isArray(group)) return undefined;
  return Object.fromEntries(
    Object.entries(group).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** The faults of a group's options one by one, those that are missing or unknown included. */
export function groupFaults<Group>(
  group: unknown,
  path: string,
  checks: Checks<Group>,
  required: readonly (keyof Group & string)[] = [],
): FieldViolation[] {
  const values = valuesOf(group);
  if (!values) return [fault(path, 'must be an object')];
  const missing = required.filter((key) => values[key] === undefined);
  return [
    ...missing.map((key) => fault(`${path}.${key}`, 'is required')),
    ...Object.entries(values).flatMap(([key, value]) => {
      const check = Object.hasOwn(checks, key) ? checks[key as keyof Group] : unknownOption(checks);
      const description = check(value);
      return description === undefined ? [] : [fault(`${path}.${key}`, description)];
    }),
  ];
}

/** The fault of a group that has none or several of the options of which it needs one. */
export function exactlyOneFault(group: unknown, path: string, keys: readonly string[]): FieldViolation[] {
  const values = valuesOf(group);
  if (!values) return [];
  const given = keys.filter((key) => values[key] !== undefined);
  if (given.length === 1) return [];
  const names = `${keys.slice(0, -1).join(', ')} and ${keys.at(-1) ?? ''}`;
  return [
    fault(path, `needs exactly one of ${names}${given.length === 0 ? '' : `, not ${given.join(' and ')}`}`),
  ];
}

export function fault(field: string, description: string): FieldViolation {
  return { field, description };
}

function unknownOption(checks: object): Check {
  return () => `is no option; there are ${Object.keys(checks).join(', ')}`;
}

/** Checks that several groups share. */
export const text: Check = (value) =>
  typeof value === 'string' && value.trim() !== '' ? undefined : 'must be a text that is not empty';

export const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');

export const callable: Check = (value) => (typeof value === 'function' ? undefined : 'must be a function');

export const texts: Check = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((each) => text(each) === undefined)
    ? undefined
    : 'must be a list of texts that are not empty';

export const textOrTexts: Check = (value) =>
  text(value) === undefined || texts(value) === undefined
    ? undefined
    : 'must be a text that is not empty, or a list of such';

/** Scopes as OAuth writes them (RFC 6749, section 3.3): none of them holds a space. */
export const scopes: Check = (value) =>
  Array.isArray(value) &&
  value.every((scope) => typeof scope === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
    ? undefined
    : 'must be a list of scopes, which hold neither spaces nor quotes';

/** A number of seconds or milliseconds from `least` to `most`. */
export function between(least: number, most: number): Check {
  return (value) =>
    typeof value === 'number' && value >= least && value <= most
      ? undefined
      : `must be a number from ${least} to ${most}`;
}

/** An absolute URL of one of the schemes, without a user, whose password would end up in logs. */
export function url(...schemes: readonly string[]): Check {
  return (value) => {
    const parsed = typeof value === 'string' ? parseUrl(value) : undefined;
    if (!parsed || !schemes.includes(parsed.protocol.slice(0, -1)) || parsed.hostname === '') {
      return `must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
    }
    if (parsed.username !== '' || parsed.password !== '') return 'must not hold a user or password';
    return parsed.hash === '' ? undefined : 'must not hold a fragment';
  };
}

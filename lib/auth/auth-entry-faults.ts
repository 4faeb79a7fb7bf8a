import type { FieldViolation } from '../protocol/index.js';
import { introspectionFaults } from './introspection/introspection-faults.js';
import { fault, scopes, valuesOf } from './option-checks.js';
import { jwtFaults } from './jwt/jwt-faults.js';

/** What checks the options of each kind of entry. */
const KINDS: Readonly<Record<string, (options: unknown, path: string) => FieldViolation[]>> = {
  jwt: jwtFaults,
  introspection: introspectionFaults,
  basic: () => [],
  ldap: () => [],
};

/** What stands against the option `auth`, each fault with a path such as `auth[1].jwt.issuer`. */
export function authEntryFaults(entries: unknown): FieldViolation[] {
  if (!Array.isArray(entries)) return [fault('auth', 'must be a list of entries')];
  if (entries.length === 0) {
    return [fault('auth', 'has no entry: leave it out to let everybody in')];
  }
  return entries.flatMap((entry: unknown, index) => entryFaults(entry, `auth[${index}]`));
}

function entryFaults(entry: unknown, path: string): FieldViolation[] {
  const values = valuesOf(entry);
  const names = Object.keys(KINDS).join(', ');
  if (!values) return [fault(path, `must be an object with one of ${names}`)];
  const { scopes: needed, ...rest } = values;
  const kinds = Object.keys(rest).filter((key) => Object.hasOwn(KINDS, key));
  const unknown = Object.keys(rest).filter((key) => !Object.hasOwn(KINDS, key));
  const faults = unknown.map((key) => fault(`${path}.${key}`, `is no option; there are ${names}, scopes`));
  if (kinds.length !== 1) faults.push(fault(path, `must have exactly one of ${names}`));
  const scopesFault = needed === undefined ? undefined : scopes(needed);
  if (scopesFault !== undefined) faults.push(fault(`${path}.scopes`, scopesFault));
  return [...faults, ...kinds.flatMap((kind) => KINDS[kind]?.(rest[kind], `${path}.${kind}`) ?? [])];
}

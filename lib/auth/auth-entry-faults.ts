import type { FieldViolation } from '../protocol/index.js';
import type { AuthEntry } from './auth-options.js';
import { basicFaults } from './basic/basic-faults.js';
import { defaultAuthority } from './basic/basic-verifier.js';
import { introspectionFaults } from './introspection/introspection-faults.js';
import { jwtFaults } from './jwt/jwt-faults.js';
import { ldapFaults } from './ldap/ldap-faults.js';
import { fault, scopes, valuesOf } from './option-checks.js';

/** What checks the options of each kind of entry. */
const KINDS: Readonly<Record<string, (options: unknown, path: string) => FieldViolation[]>> = {
  jwt: jwtFaults,
  introspection: introspectionFaults,
  basic: basicFaults,
  ldap: ldapFaults,
};

/** What stands against the option `auth`, each fault with a path such as `auth[1].jwt.issuer`. */
export function authEntryFaults(entries: unknown): FieldViolation[] {
  if (!Array.isArray(entries)) return [fault('auth', 'must be a list of entries')];
  if (entries.length === 0) return [fault('auth', 'has no entry: leave it out to let everybody in')];
  const faults = entries.flatMap((entry: unknown, index) => entryFaults(entry, `auth[${index}]`));
  return faults.length > 0 ? faults : sharedAuthorities(entries as AuthEntry[]);
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

/** Two stores of users that go by one authority would make one owner of two people with the same name. */
function sharedAuthorities(entries: readonly AuthEntry[]): FieldViolation[] {
  const seen = new Map<string, string>();
  const faults: FieldViolation[] = [];
  for (const [index, entry] of entries.entries()) {
    // An authority that is written down is shared on purpose.
    if (!('basic' in entry) || typeof entry.basic.authority === 'string') continue;
    const path = `auth[${index}].basic`;
    const authority = defaultAuthority(entry.basic);
    const other = seen.get(authority);
    if (other === undefined) seen.set(authority, path);
    else faults.push(fault(`${path}.authority`, `is required, since ${other} would go by the same one`));
  }
  return faults;
}

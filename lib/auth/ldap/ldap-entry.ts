import type { Entry } from 'ldapts';
import { CredentialRejectedError } from '../credential-verifier.js';

/**
 * Whom an entry names: the one value of its attribute.
 *
 * @throws CredentialRejectedError if it has none or several, since the order of several is nobody's choice
 */
export function identityIn(entry: Entry, attribute: string): string {
  const [identity, ...others] = valuesOf(entry, attribute);
  if (identity !== undefined && identity.trim() !== '' && others.length === 0) return identity;
  throw new CredentialRejectedError(`the entry has not exactly one value of ${attribute}`);
}

/** The scopes that the values of an attribute name: of a DN, the value of its first part. */
export function scopesIn(entry: Entry, attribute: string | undefined): string[] {
  if (attribute === undefined) return [];
  return valuesOf(entry, attribute).map(
    (value) => /^[a-z][\w.-]*=([^,+\\]+),.*=/i.exec(value)?.[1]?.trim() ?? value,
  );
}

/** The texts of an attribute. Names of attributes are the same in upper and lower case. */
function valuesOf(entry: Entry, attribute: string): string[] {
  const name = Object.keys(entry).find((key) => key.toLowerCase() === attribute.toLowerCase());
  const value = name === undefined ? undefined : entry[name];
  return [value].flat().filter((each) => typeof each === 'string');
}

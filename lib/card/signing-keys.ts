import { createPrivateKey, createPublicKey, KeyObject } from 'node:crypto';
import type { JsonWebKey } from '../net/json-web-key.js';
import type { FieldViolation } from '../protocol/index.js';
import {
  SIGNING_ALGORITHMS,
  type CardSigningAlgorithm,
  type CardSigningKey,
  type SigningOptions,
} from './signing-options.js';
import { parseUrl } from '../net/parse-url.js';

/** Where the keys are below the base path. */
export const KEY_SET_PATH = '/.well-known/jwks.json';

/** A key that can be used. */
export interface SigningKey {
  readonly key: KeyObject;
  readonly kid: string;
  readonly alg: CardSigningAlgorithm;
  readonly jku: string | undefined;
}

/** RSA keys below it can be broken (RFC 7518 3.3). */
const LEAST_RSA_BITS = 2048;

/** What is wrong with the option `signing`; it never says a key. */
export function signingFaults(signing: unknown, hasPublicUrl: boolean): FieldViolation[] {
  if (signing === undefined || signing === null) return [];
  const keys = Array.isArray(signing) ? (signing as unknown[]) : [signing];
  const faults = keys.flatMap((key, index) =>
    keyFaults(key, Array.isArray(signing) ? `signing[${index}]` : 'signing'),
  );
  if (keys.length === 0) faults.push({ field: 'signing', description: 'must have at least one key' });
  const kids = keys.map((key) => (key as Partial<CardSigningKey> | null)?.kid);
  if (new Set(kids).size < kids.length) {
    faults.push({ field: 'signing', description: 'must give each key a "kid" of its own' });
  }
  if (!hasPublicUrl) {
    // With the address that a caller chose in it, anybody could get a signed card of a host of their own.
    faults.push({
      field: 'publicUrl',
      description: 'is missing: "signing" needs it, so that the card names a fixed address',
    });
  }
  return faults;
}

/** The keys of valid options. */
export function signingKeys(signing: SigningOptions): SigningKey[] {
  const given = (Array.isArray(signing) ? signing : [signing]) as readonly CardSigningKey[];
  return given.map(({ key, kid, alg, jku }) => ({ key: privateKey(key), kid, alg, jku }));
}

/** The key set that clients check signatures with: public keys only. */
export function publicKeySet(keys: readonly SigningKey[]): { keys: JsonWebKey[] } {
  return {
    keys: keys.map(({ key, kid, alg }) => ({
      ...createPublicKey(key).export({ format: 'jwk' }),
      kid,
      alg,
      use: 'sig',
    })),
  };
}

function keyFaults(given: unknown, field: string): FieldViolation[] {
  if (typeof given !== 'object' || given === null) {
    return [{ field, description: 'must be an object with "key", "kid" and "alg"' }];
  }
  const { key, kid, alg, jku } = given as Readonly<Record<string, unknown>>;
  const faults: FieldViolation[] = [];
  if (typeof kid !== 'string' || kid === '') {
    faults.push({ field: `${field}.kid`, description: 'must be a text that is not empty' });
  }
  if (jku !== undefined && (typeof jku !== 'string' || !/^https?:\/\//i.test(jku) || !parseUrl(jku))) {
    faults.push({ field: `${field}.jku`, description: 'must be an absolute http or https URL' });
  }
  if (typeof alg !== 'string' || !Object.hasOwn(SIGNING_ALGORITHMS, alg)) {
    const known = Object.keys(SIGNING_ALGORITHMS).join(', ');
    return [...faults, { field: `${field}.alg`, description: `must be one of ${known}` }];
  }
  const fault = privateKeyFault(key, alg as CardSigningAlgorithm);
  return fault === undefined ? faults : [...faults, { field: `${field}.key`, description: fault }];
}

function privateKeyFault(given: unknown, alg: CardSigningAlgorithm): string | undefined {
  let key: KeyObject;
  try {
    key = privateKey(given as CardSigningKey['key']);
  } catch {
    return 'must be a private key: PEM, a JWK or a KeyObject';
  }
  const { type, curve }: { type: string; curve?: string } = SIGNING_ALGORITHMS[alg];
  const { asymmetricKeyType, asymmetricKeyDetails: details } = key;
  if (asymmetricKeyType !== type || (curve !== undefined && details?.namedCurve !== curve)) {
    return `must be a key for ${alg}`;
  }
  const bits = details?.modulusLength;
  return bits !== undefined && bits < LEAST_RSA_BITS
    ? `must have at least ${LEAST_RSA_BITS} bits`
    : undefined;
}

/** @throws Error if it is no private key */
function privateKey(given: CardSigningKey['key']): KeyObject {
  if (given instanceof KeyObject) {
    if (given.type !== 'private') throw new Error('no private key');
    return given;
  }
  return createPrivateKey(typeof given === 'string' ? given : { key: given, format: 'jwk' });
}

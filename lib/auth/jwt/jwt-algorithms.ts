import { createPublicKey } from 'node:crypto';
import type { JsonWebKey } from '../../net/json-web-key.js';

type SubtleAlgorithm = Parameters<typeof crypto.subtle.verify>[0];

interface JwtAlgorithm {
  /** How WebCrypto calls it; key and hash come with the imported key. */
  readonly subtle: SubtleAlgorithm;
  /** Bytes that its secret must have, for the HS ones (RFC 7518, section 3.2). */
  readonly secretBytes?: number;
}

const RSA = { subtle: { name: 'RSASSA-PKCS1-v1_5' } };
const EDWARDS = { subtle: { name: 'Ed25519' } };

/** All that a token may be signed with; which of them it is, is the choice of the options. */
const ALGORITHMS: ReadonlyMap<string, JwtAlgorithm> = new Map<string, JwtAlgorithm>([
  ['RS256', RSA],
  ['RS384', RSA],
  ['RS512', RSA],
  ['PS256', { subtle: { name: 'RSA-PSS', saltLength: 32 } }],
  ['PS384', { subtle: { name: 'RSA-PSS', saltLength: 48 } }],
  ['PS512', { subtle: { name: 'RSA-PSS', saltLength: 64 } }],
  ['ES256', { subtle: { name: 'ECDSA', hash: 'SHA-256' } }],
  ['ES384', { subtle: { name: 'ECDSA', hash: 'SHA-384' } }],
  ['ES512', { subtle: { name: 'ECDSA', hash: 'SHA-512' } }],
  ['EdDSA', EDWARDS],
  ['Ed25519', EDWARDS],
  ['HS256', { subtle: { name: 'HMAC' }, secretBytes: 32 }],
  ['HS384', { subtle: { name: 'HMAC' }, secretBytes: 48 }],
  ['HS512', { subtle: { name: 'HMAC' }, secretBytes: 64 }],
]);

/** Those that are verified with a public key. */
export const KEY_ALGORITHMS: readonly string[] = [...ALGORITHMS.keys()].filter(
  (name) => ALGORITHMS.get(name)?.secretBytes === undefined,
);

/** The HS algorithms that a secret of so many bytes is long enough for. */
export function secretAlgorithms(bytes: number): string[] {
  return [...ALGORITHMS.keys()].filter((name) => (ALGORITHMS.get(name)?.secretBytes ?? Infinity) <= bytes);
}

/** How WebCrypto calls an algorithm. */
export function subtleAlgorithm(name: string): SubtleAlgorithm | undefined {
  return ALGORITHMS.get(name)?.subtle;
}

/** Bits that an RSA key must have (RFC 7518, section 3.3). */
export const LEAST_MODULUS = 2_048;

/** The algorithms of each curve (RFC 7518, section 3.4; RFC 8037; RFC 9864). */
const OF_CURVE: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['P-256', ['ES256']],
  ['P-384', ['ES384']],
  ['P-521', ['ES512']],
  ['Ed25519', ['EdDSA', 'Ed25519']],
]);

/** What a readable public key may be used to verify; nothing for one that is too weak or for another use. */
export function algorithmsOfKey(jwk: JsonWebKey): string[] {
  const { kty, crv, alg, use, key_ops: uses } = jwk;
  if ((use ?? 'sig') !== 'sig' || (Array.isArray(uses) && !uses.includes('verify'))) return [];
  const fitting = kty === 'RSA' ? rsaAlgorithms(jwk) : (OF_CURVE.get(crv) ?? []);
  return fitting.filter((name) => alg === undefined || alg === name);
}

function rsaAlgorithms(jwk: JsonWebKey): string[] {
  const { modulusLength = 0 } = createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyDetails ?? {};
  return modulusLength < LEAST_MODULUS ? [] : KEY_ALGORITHMS.filter((name) => /^[RP]S/.test(name));
}

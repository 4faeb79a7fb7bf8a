import type * as jose from 'jose';
import type { JwtOptions } from './jwt-options.js';
import { publicJwk } from './public-key.js';

export type Jose = typeof jose;

/** The key that a token says it was signed with. Rejects where there is none, or more than one fits. */
export type KeyFinder = (header: jose.JWSHeaderParameters) => Promise<jose.CryptoKey>;

/** The keys of a set. They are imported once each, so whoever keeps the finder keeps them. */
export function keysOf({ createLocalJWKSet }: Jose, jwks: unknown): KeyFinder {
  return createLocalJWKSet(jwks as jose.JSONWebKeySet);
}

/** The keys that the options hold themselves. */
export function keysInMemory(library: Jose, options: JwtOptions): KeyFinder {
  if (options.secret !== undefined) return secretKey(options.secret);
  if (options.jwks !== undefined) return keysOf(library, options.jwks);
  const { kid: _, ...jwk } = publicJwk(options.publicKey) as Record<string, unknown>;
  const find = keysOf(library, { keys: [jwk] });
  return ({ alg }) => find({ alg });
}

function secretKey(secret: string | Uint8Array): KeyFinder {
  const bytes = Buffer.from(secret);
  const byAlgorithm = new Map<string, Promise<jose.CryptoKey>>();
  return ({ alg = '' }) => {
    const known = byAlgorithm.get(alg);
    if (known) return known;
    const algorithm = { name: 'HMAC', hash: `SHA-${alg.slice(2)}` };
    const key = crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    byAlgorithm.set(alg, key);
    return key;
  };
}

import type { JsonWebKeyInput, KeyObject } from 'node:crypto';

/** What signs in each algorithm: the type of the key and, of elliptic curves, its name. */
export const SIGNING_ALGORITHMS = {
  ES256: { type: 'ec', curve: 'prime256v1' },
  ES384: { type: 'ec', curve: 'secp384r1' },
  ES512: { type: 'ec', curve: 'secp521r1' },
  EdDSA: { type: 'ed25519' },
  RS256: { type: 'rsa' },
  RS384: { type: 'rsa' },
  RS512: { type: 'rsa' },
  PS256: { type: 'rsa' },
  PS384: { type: 'rsa' },
  PS512: { type: 'rsa' },
} as const;

/** An algorithm that cards can be signed with (RFC 7518). */
export type CardSigningAlgorithm = keyof typeof SIGNING_ALGORITHMS;

/**
 * A key that signs the agent's cards (§8.4). Needs the package `jose`.
 *
 * @publicApi
 */
export interface CardSigningKey {
  /** The private key: PEM (PKCS #8), a JWK, or what `node:crypto` makes of one. */
  readonly key: string | JsonWebKeyInput['key'] | KeyObject;
  /** Its id, by which clients find it in a key set. */
  readonly kid: string;
  readonly alg: CardSigningAlgorithm;
  /** Where clients find the key. Default: the key set that the agent serves, `BASE/.well-known/jwks.json`. */
  readonly jku?: string;
}

/** One key, or several while one takes over from another: each signs. */
export type SigningOptions = CardSigningKey | readonly CardSigningKey[];

import type * as jose from 'jose';
import { getOrMake } from '../../server/get-or-make.js';
import type { JwtOptions } from './jwt-options.js';
import { publicJwk } from './public-key.js';

export type Jose = typeof jose;

/** What a token says of the key that it was signed with. */
export interface KeyName {
  readonly alg: string;
  readonly kid?: string | undefined;
}

/**
 * The key of that name, in a promise unless it is at hand.
 *
 * Rejects with jose's errors where there is none, or where several fit: then the error iterates over them.
 */
export type KeyFinder = (name: KeyName) => jose.CryptoKey | Promise<jose.CryptoKey>;

/** Where keys come from. */
export interface KeySource {
  readonly find: KeyFinder;
  /** Tells the present keys from newer ones. */
  readonly version?: unknown;
  /** Looks for newer keys, for a token that those of a version did not sign. Resolves to whether there are any. */
  renew?(version: unknown): Promise<boolean>;
  /** Fetches the keys now; rejects if that fails. */
  preload?(): Promise<void>;
  close?(): void;
}

/**
 * The keys of a set. Each is imported once for an algorithm, so whoever keeps the finder keeps them.
 *
 * @throws Error if it is no set
 */
export function keysOf({ createLocalJWKSet }: Jose, jwks: unknown): KeyFinder {
  const find = createLocalJWKSet(jwks as jose.JSONWebKeySet);
  const found = new Map<string, jose.CryptoKey>();
  return ({ alg, kid }) => {
    const name = kid === undefined ? alg : `${alg} ${kid}`;
    const import_ = async () => {
      const key = await find(kid === undefined ? { alg } : { alg, kid });
      found.set(name, key);
      return key;
    };
    return found.get(name) ?? import_();
  };
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
  const keys = new Map<string, Promise<jose.CryptoKey>>();
  return ({ alg }) =>
    getOrMake(keys, alg, () => {
      const algorithm = { name: 'HMAC', hash: `SHA-${alg.slice(2)}` };
      return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    });
}

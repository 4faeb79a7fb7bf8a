import { createPublicKey } from 'node:crypto';
import type { JsonWebKey } from '../../net/json-web-key.js';

/**
 * A public key, given in PEM or as a JWK, as a JWK.
 *
 * @throws Error saying what is wrong with it; its text never holds the key
 */
export function publicJwk(key: unknown): JsonWebKey {
  if (typeof key === 'string') return fromPem(key);
  if (typeof key !== 'object' || key === null || Array.isArray(key))
    throw new Error('is neither PEM nor a JWK');
  const jwk = key as JsonWebKey & { kty?: unknown };
  if (jwk.kty === 'oct') throw new Error('is a shared secret: the option "secret" takes such');
  if (jwk.d !== undefined) throw new Error('is a private key: whoever only verifies must not have it');
  try {
    createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    throw new Error('is no public key that can be read');
  }
  return jwk;
}

function fromPem(pem: string): JsonWebKey {
  // Node would derive the public key, and so hide that the agent holds what signs.
  if (pem.includes('PRIVATE KEY')) {
    throw new Error('is a private key: whoever only verifies must not have it');
  }
  try {
    return createPublicKey(pem).export({ format: 'jwk' });
  } catch {
    throw new Error('is no public key that can be read');
  }
}

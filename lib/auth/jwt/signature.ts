import type { CryptoKey } from 'jose';
import { CredentialRejectedError } from '../credential-verifier.js';
import { subtleAlgorithm } from './jwt-algorithms.js';
import type { KeyFinder } from './jwt-keys.js';
import type { SignedToken } from './signed-token.js';

/** Keys that are tried where a token does not say which one it means. */
const MOST_CANDIDATES = 16;
/** Bits that an RSA key must have (RFC 7518, section 3.3). */
const LEAST_MODULUS = 2_048;

/**
 * Refuses a token that was not signed by the key that it names, or by one of those that fit if it names none.
 *
 * On WebCrypto itself: a check then costs half of what jose's takes beyond the signature.
 *
 * @throws CredentialRejectedError; whatever finding the key throws
 */
export async function checkSignature(token: SignedToken, find: KeyFinder): Promise<void> {
  try {
    if (await isSignedBy(await find(token), token)) return;
  } catch (error) {
    if (!isSeveralKeys(error)) throw error;
    let tried = 0;
    for await (const key of error) {
      if (await isSignedBy(key, token)) return;
      if (++tried === MOST_CANDIDATES) break;
    }
  }
  throw new CredentialRejectedError('the signature of the token does not fit');
}

async function isSignedBy(key: CryptoKey, { alg, signature, signed }: SignedToken): Promise<boolean> {
  const algorithm = subtleAlgorithm(alg);
  const { modulusLength = Infinity } = key.algorithm as { modulusLength?: number };
  if (algorithm === undefined || modulusLength < LEAST_MODULUS) return false;
  return crypto.subtle.verify(algorithm, key, signature, signed);
}

/** jose says so by an error that goes over the keys. */
function isSeveralKeys(error: unknown): error is AsyncIterable<CryptoKey> {
  return typeof error === 'object' && error !== null && Symbol.asyncIterator in error;
}

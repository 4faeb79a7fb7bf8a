import type { CryptoKey } from 'jose';
import { CredentialRejectedError } from '../credential-verifier.js';
import { LEAST_MODULUS, subtleAlgorithm } from './jwt-algorithms.js';
import type { KeyFinder, KeySource } from './jwt-keys.js';
import type { SignedToken } from './signed-token.js';

/** Keys that are tried where a token does not say which one it means. */
const MOST_CANDIDATES = 16;

/**
 * Refuses a token that none of the keys signed that are known, or become known for it.
 *
 * @throws CredentialRejectedError; whatever finding the key throws
 */
export async function checkSignature(token: SignedToken, keys: KeySource): Promise<void> {
  const { version } = keys;
  if (await isSigned(token, keys.find)) return;
  if ((await keys.renew?.(version)) && (await isSigned(token, keys.find))) return;
  throw new CredentialRejectedError('the signature of the token does not fit');
}

/**
 * Whether a token was signed by the key that it names, or by one of those that fit if it names none.
 *
 * On WebCrypto itself: a check then costs half of what jose's takes beyond the signature.
 */
async function isSigned(token: SignedToken, find: KeyFinder): Promise<boolean> {
  try {
    return await isSignedBy(await find(token), token);
  } catch (error) {
    if (!isSeveralKeys(error)) throw error;
    let tried = 0;
    for await (const key of error) {
      if (await isSignedBy(key, token)) return true;
      if (++tried === MOST_CANDIDATES) break;
    }
  }
  return false;
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

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { BasicCredential } from './credential-verifier.js';
import { LruMap } from './lru-map.js';

const MOST_USERS = 10_000;

/**
 * Which credential of a user was last found to be right. It is kept as a hash under a key that only this process has.
 *
 * It spares what is right the cost that guesses must pay.
 */
export class KnownCredentials {
  readonly #key = randomBytes(32);
  readonly #hashes = new LruMap<string, Buffer>(MOST_USERS);

  /** Whether the credential is the one that was added last, with the same `proof`. */
  has(credential: BasicCredential, proof = ''): boolean {
    const known = this.#hashes.get(credential.username);
    return known !== undefined && timingSafeEqual(known, this.#hashOf(credential, proof));
  }

  /** @param proof What the credential was checked against: with another one it is not known. */
  add(credential: BasicCredential, proof = ''): void {
    this.#hashes.set(credential.username, this.#hashOf(credential, proof));
  }

  forget(username: string): void {
    this.#hashes.delete(username);
  }

  #hashOf({ username, password }: BasicCredential, proof: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([username, password, proof]))
      .digest();
  }
}

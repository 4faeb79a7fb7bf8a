import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from '@nestjs/common';
import type { CryptoKey } from 'jose';
import { UnavailableError } from '../../protocol/index.js';
import { fetchJson, reasonOf, shownUrl } from '../fetch-json.js';
import type { KeyFinder, KeyName, KeySource } from './jwt-keys.js';

/** Seconds: whatever the answer says, so that a slip of the provider neither floods it nor pins a key for ever. */
const SHORTEST_AGE = 60;
const LONGEST_AGE = 86_400;
/** When in the life of a set the next one is fetched. */
const REFRESH_AT = 0.8;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

interface KeySet {
  readonly find: KeyFinder;
  readonly text: string;
}

export interface JwksCacheOptions {
  readonly url: string;
  /** Seconds. */
  readonly maxAge: number;
  /** Seconds. */
  readonly cooldown: number;
  /** Makes the keys of a set usable, or throws if it is none. */
  readonly keysOf: (jwks: unknown) => KeyFinder;
  readonly logger: Logger;
}

/**
 * The keys that an issuer publishes.
 *
 * They are fetched anew before they expire, and when a token was signed with a key that is not among them. While that fails the
 * last set goes on to be used; only as long as there was none at all nothing can be told.
 */
export class JwksCache implements KeySource {
  readonly #options: JwksCacheOptions;
  #set: KeySet | undefined;
  #fetching: Promise<void> | undefined;
  #failures = 0;
  #failure = '';
  #nextAttempt = -Infinity;
  /** When keys were last fetched for the sake of a token that none of them signed. */
  #missedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: JwksCacheOptions) {
    this.#options = options;
  }

  /** Throws UnavailableError while no set was ever fetched, and whatever finding a key in a set throws. */
  readonly find: KeyFinder = (name) => {
    const set = this.#set;
    if (!set) return this.#findInFirst(name);
    const key = set.find(name);
    return key instanceof Promise ? this.#orInNewer(key, set, name) : key;
  };

  get version(): KeySet | undefined {
    return this.#set;
  }

  /** A key may be replaced by one of the same name, or of none. */
  async renew(version: KeySet | undefined): Promise<boolean> {
    return (version && (await this.#newerThan(version))) !== version;
  }

  /** Fetches the keys now. */
  async preload(): Promise<void> {
    await this.#fetch();
    if (!this.#set) throw new Error(`no keys from ${shownUrl(this.#options.url)}: ${this.#failure}`);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Finds a key in a set that is fetched for it, so that there is no newer one to ask for. */
  async #findInFirst(name: KeyName): Promise<CryptoKey> {
    const pause = this.#nextAttempt - performance.now();
    if (this.#fetching !== undefined || pause <= 0) await this.#fetch();
    if (!this.#set) {
      const retryAfter = Math.max(1, Math.ceil((this.#nextAttempt - performance.now()) / 1_000));
      throw new UnavailableError('The keys of the issuer are not known yet', { retryAfter });
    }
    try {
      return await this.#set.find(name);
    } catch (error) {
      if (isMiss(error)) this.#missedAt = performance.now();
      throw error;
    }
  }

  async #orInNewer(key: Promise<CryptoKey>, set: KeySet, name: KeyName): Promise<CryptoKey> {
    try {
      return await key;
    } catch (error) {
      if (!isMiss(error)) throw error;
      return (await this.#newerThan(set)).find(name);
    }
  }

  /** The set that replaces one without the key that is needed; the same one during the cool-down. */
  async #newerThan(set: KeySet): Promise<KeySet> {
    const now = performance.now();
    const isDue = now - this.#missedAt >= this.#options.cooldown * 1_000;
    if (this.#set === set && (this.#fetching !== undefined || isDue)) {
      if (!this.#fetching) this.#missedAt = now;
      await this.#fetch();
    }
    return this.#set ?? set;
  }

  /** Fetches a set, or waits for the one that is being fetched. Never rejects. */
  #fetch(): Promise<void> {
    return (this.#fetching ??= this.#attempt().finally(() => {
      this.#fetching = undefined;
    }));
  }

  async #attempt(): Promise<void> {
    clearTimeout(this.#timer);
    const { url, logger, keysOf } = this.#options;
    try {
      const headers = { accept: 'application/jwk-set+json, application/json' };
      const answer = await fetchJson({ url, headers });
      // Keys that did not change stay imported.
      if (this.#set?.text !== answer.text) this.#set = { find: keysOf(answer.value), text: answer.text };
      if (this.#failures > 0) logger.log(`The keys from ${shownUrl(url)} could be fetched again`);
      this.#failures = 0;
      this.#fetchAfter(REFRESH_AT * 1_000 * this.#lifeOf(answer.headers));
    } catch (error) {
      this.#failure = reasonOf(error);
      const stale = this.#set ? ', so the last ones go on to be used' : '';
      logger.warn(`The keys from ${shownUrl(url)} could not be fetched${stale}: ${this.#failure}`);
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(16, this.#failures++));
      this.#nextAttempt = performance.now() + pause;
      this.#fetchAfter(pause);
    }
  }

  #fetchAfter(ms: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#fetch(), ms).unref();
  }

  /** Seconds for which a set is good. */
  #lifeOf(headers: IncomingHttpHeaders): number {
    const control = headers['cache-control'] ?? '';
    if (/\bno-(cache|store)\b/i.test(control)) return SHORTEST_AGE;
    const age = /\bmax-age=(\d+)/i.exec(control)?.[1];
    return Math.min(
      LONGEST_AGE,
      Math.max(SHORTEST_AGE, age === undefined ? this.#options.maxAge : Number(age)),
    );
  }
}

function isMiss(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_JWKS_NO_MATCHING_KEY';
}

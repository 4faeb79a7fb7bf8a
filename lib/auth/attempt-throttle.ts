import { createHash } from 'node:crypto';
import { UnavailableError } from '../protocol/index.js';
import { Deferred } from '../server/deferred.js';
import { CredentialRejectedError, type BasicCredential } from './credential-verifier.js';
import { KnownCredentials } from './known-credentials.js';
import { LruMap } from './lru-map.js';

/**
 * How failed attempts with a name and a password are slowed.
 *
 * @publicApi
 */
export interface AttemptThrottleOptions {
  /** Failures in a row for one user name that cost nothing. Default 3. */
  freeFailures?: number;
  /** Milliseconds that the next attempt waits; doubled by each further failure. Default 500. */
  delay?: number;
  /** Milliseconds of the longest delay. Default 4,000. */
  maxDelay?: number;
  /** Milliseconds without a failure after which those of a name are forgotten. Default 900,000. */
  forgetAfter?: number;
}

/** A credential that one entry does not accept, while another one, which may, cannot tell. */
export class DoubtfulCredentialError extends CredentialRejectedError {}

const MOST_NAMES = 10_000;
const MOST_WAITING = 1_000;
const LONGEST_WAIT = 10_000;
const LONGEST_KEY = 64;

interface Attempts {
  failures: number;
  failedAt: number;
  /** Those that wait or run. */
  present: number;
  running: number;
  /** When the next one may start, once the free ones are used up. */
  nextAt: number;
  /** Settles with the next attempt that does. */
  settled: Deferred<void>;
}

/**
 * Slows the guessing of passwords, by user name and never by address: many users may share the address of a proxy.
 *
 * A credential that was right before passes at once, so a guesser does not lock out who knows the password. One
 * throttle goes around all entries that are alternatives, since a user of the second one fails in the first.
 */
export class AttemptThrottle {
  readonly #options: Required<AttemptThrottleOptions>;
  readonly #names = new LruMap<string, Attempts>(MOST_NAMES);
  readonly #known = new KnownCredentials();
  readonly #sleepers = new Map<NodeJS.Timeout, Deferred<void>>();
  #waiting = 0;
  #isClosed = false;

  constructor(options: AttemptThrottleOptions = {}) {
    this.#options = {
      freeFailures: options.freeFailures ?? 3,
      delay: options.delay ?? 500,
      maxDelay: options.maxDelay ?? 4_000,
      forgetAfter: options.forgetAfter ?? 900_000,
    };
  }

  /**
   * Does `attempt` when it is the turn of the credential; a {@link CredentialRejectedError} of it counts as a failure,
   * a {@link DoubtfulCredentialError} unless the credential was right before.
   *
   * @throws UnavailableError if the attempt would have to wait for too long; whatever `attempt` throws
   */
  async run<T>(credential: BasicCredential, attempt: () => Promise<T>): Promise<T> {
    const key = keyOf(credential.username);
    const attempts = this.#names.get(key) ?? newAttempts();
    this.#names.set(key, attempts);
    attempts.present++;
    try {
      await this.#turn(attempts, credential);
      return await this.#outcome(attempts, credential, attempt);
    } finally {
      attempts.present--;
      if (attempts.present === 0 && attempts.failures === 0) this.#names.delete(key);
    }
  }

  /** Ends all waiting, so that a shutdown need not wait for it. */
  close(): void {
    this.#isClosed = true;
    for (const [timer, sleeper] of this.#sleepers) {
      clearTimeout(timer);
      sleeper.reject(new UnavailableError());
    }
    this.#sleepers.clear();
  }

  /** Resolves when an attempt may start, and has counted it as running by then. */
  async #turn(attempts: Attempts, credential: BasicCredential): Promise<void> {
    while (!this.#known.has(credential)) {
      const now = performance.now();
      if (now - attempts.failedAt > this.#options.forgetAfter) attempts.failures = 0;
      if (attempts.failures >= this.#options.freeFailures) {
        await this.#slot(attempts, now);
        break;
      }
      // Attempts whose outcome is open count too: else many at once would all be free.
      if (attempts.failures + attempts.running < this.#options.freeFailures) break;
      await this.#wait(attempts.settled.promise);
    }
    attempts.running++;
  }

  async #outcome<T>(attempts: Attempts, credential: BasicCredential, attempt: () => Promise<T>): Promise<T> {
    const wasKnown = this.#known.has(credential);
    try {
      const result = await attempt();
      // What is known passes anyway. If it wiped failures out, a busy user would set guesses free with each request.
      if (!wasKnown) {
        this.#known.add(credential);
        attempts.failures = attempts.nextAt = 0;
      }
      return result;
    } catch (error) {
      const isExcused = wasKnown && error instanceof DoubtfulCredentialError;
      if (error instanceof CredentialRejectedError && !isExcused) this.#failed(attempts, credential);
      throw error;
    } finally {
      attempts.running--;
      attempts.settled.resolve();
      attempts.settled = new Deferred();
    }
  }

  /** Waits for the next free slot of a name; there is one per delay. */
  async #slot(attempts: Attempts, now: number): Promise<void> {
    const at = Math.max(now, attempts.nextAt);
    if (at - now > LONGEST_WAIT) throw overloaded(at - now);
    attempts.nextAt = at + this.#delayAfter(attempts.failures);
    if (at > now) await this.#wait(this.#sleep(at - now));
  }

  #failed(attempts: Attempts, credential: BasicCredential): void {
    // It was right once, and is no longer.
    if (this.#known.has(credential)) this.#known.forget(credential.username);
    attempts.failures++;
    attempts.failedAt = performance.now();
    attempts.nextAt = Math.max(attempts.nextAt, attempts.failedAt + this.#delayAfter(attempts.failures));
  }

  #delayAfter(failures: number): number {
    const { freeFailures, delay, maxDelay } = this.#options;
    return failures < freeFailures
      ? 0
      : Math.min(maxDelay, delay * 2 ** Math.min(30, failures - freeFailures));
  }

  async #wait(until: Promise<void>): Promise<void> {
    if (this.#isClosed) throw new UnavailableError();
    if (this.#waiting >= MOST_WAITING) throw overloaded(this.#options.maxDelay);
    this.#waiting++;
    try {
      await until;
    } finally {
      this.#waiting--;
    }
  }

  #sleep(ms: number): Promise<void> {
    const sleeper = new Deferred<void>();
    const timer = setTimeout(() => {
      this.#sleepers.delete(timer);
      sleeper.resolve();
    }, ms).unref();
    this.#sleepers.set(timer, sleeper);
    return sleeper.promise;
  }
}

function newAttempts(): Attempts {
  return { failures: 0, failedAt: -Infinity, present: 0, running: 0, nextAt: 0, settled: new Deferred() };
}

/**
 * One key for all spellings that a directory may take for one name, with other accents and invisible characters too, short
 * also for names that are not.
 */
function keyOf(username: string): string {
  const letters = username.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
  const name = letters.trim().replace(/\s+/g, ' ').toLowerCase();
  return name.length > LONGEST_KEY ? createHash('sha256').update(name).digest('base64') : name;
}

function overloaded(ms: number): UnavailableError {
  return new UnavailableError('Too many attempts for this user are waiting', {
    retryAfter: Math.ceil(ms / 1_000),
  });
}

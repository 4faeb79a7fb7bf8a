import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import { saidWithCause } from '../../server/thrown-value.js';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** Gets over the time in which a store does not answer, with one line in the log when it begins and one when it is over. */
export class StoreOutage {
  #isAway = false;

  constructor(private readonly logger: Logger) {}

  /** Tries until it succeeds; rejects when `signal` aborts. */
  async bridge<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      const result = await this.attempt(attempt);
      if (result) return result.value;
      // Not all at the same time.
      await sleep(wait * (0.5 + Math.random() / 2), undefined, { signal });
    }
  }

  /** Tries once; `undefined` if it failed. */
  async attempt<T>(attempt: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    try {
      const value = await attempt();
      if (this.#isAway) this.logger.log('Push notifications: the store answers again');
      this.#isAway = false;
      return { value };
    } catch (error) {
      if (!this.#isAway) {
        this.logger.warn(`Push notifications wait, since the store does not answer: ${saidWithCause(error)}`);
      }
      this.#isAway = true;
      return undefined;
    }
  }
}

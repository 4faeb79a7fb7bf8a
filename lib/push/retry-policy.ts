import { retryAfterOf } from '../net/retry-after.js';

/**
 * When a delivery is tried again: after a connection failure or a timeout, and after an answer with one of `statusCodes`.
 *
 * @publicApi
 */
export interface RetryConfig {
  /** How often, after the first attempt. Default 3. */
  count?: number;
  /** Milliseconds before the first of them. Default 1,000. */
  interval?: number;
  /** How much longer each wait is than the one before. Default 2. */
  factor?: number;
  /** Milliseconds that a wait never exceeds, unless the webhook asks for more by `Retry-After`. Default 10,000. */
  maxInterval?: number;
  /** Answers that are worth another attempt. Default 408, 429, 500, 502, 503 and 504. */
  statusCodes?: readonly number[];
}

/** Milliseconds that a webhook may ask us to wait; more is taken as this. */
const MAX_RETRY_AFTER = 300_000;

/** Milliseconds to wait as a webhook asks for it, within bounds; 0 if it does not. */
export function waitAskedFor(header: string | undefined): number {
  return Math.min(retryAfterOf(header) ?? 0, MAX_RETRY_AFTER);
}

function settled(config: RetryConfig | false | null): RetryConfig {
  return config === false || config === null ? { count: 0 } : config;
}

/** Decides whether and when to try again. */
export class RetryPolicy {
  readonly count: number;
  readonly #interval: number;
  readonly #factor: number;
  readonly #maxInterval: number;
  readonly #statusCodes: ReadonlySet<number>;

  /** `false` or `null` tries once. */
  constructor(config: RetryConfig | false | null = {}) {
    const { count = 3, interval = 1_000, factor = 2, maxInterval = 10_000, statusCodes } = settled(config);
    this.count = count;
    this.#interval = interval;
    this.#factor = factor;
    this.#maxInterval = maxInterval;
    this.#statusCodes = new Set(statusCodes ?? [408, 429, 500, 502, 503, 504]);
  }

  /** Whether an answer is worth another attempt. */
  covers(status: number): boolean {
    return this.#statusCodes.has(status);
  }

  /** Milliseconds to wait after the `attempt`-th one has failed, or `undefined` to give up. */
  waitAfter(attempt: number, retryAfter: number): number | undefined {
    if (attempt > this.count) return undefined;
    return Math.max(Math.min(this.#interval * this.#factor ** (attempt - 1), this.#maxInterval), retryAfter);
  }
}

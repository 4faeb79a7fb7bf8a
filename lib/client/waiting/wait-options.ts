import { InvalidParamsError, type FieldViolation } from '../../protocol/index.js';
import type { BackOff } from '../timing/back-off.js';

/**
 * How often a task is asked for while it is waited for.
 *
 * @publicApi
 */
export interface PollOptions {
  /** Milliseconds before it is asked for again. Default 1,000. */
  readonly interval?: number;
  /** What the interval is multiplied by each time. Default 1.5. */
  readonly backoff?: number;
  /** Milliseconds that the interval grows to. Default 10,000. */
  readonly maxInterval?: number;
  /** How many of the newest history messages to ask for: 0 for none, which is cheapest. Default: all. */
  readonly historyLength?: number;
}

/** How long a task is waited for. */
export interface WaitOptions {
  /** Milliseconds until the waiting ends with a PollTimeoutError, a send included. Required, so that no wait is endless. */
  readonly timeout: number;
  readonly poll?: PollOptions;
  /** Ends the waiting; it rejects with the signal's reason. The task goes on. */
  readonly signal?: AbortSignal;
}

/**
 * The back-off of `options`.
 *
 * @throws InvalidParamsError naming every option that makes no sense, a missing `timeout` first
 */
export function pollRules({ timeout, poll = {} }: Partial<WaitOptions> = {}): BackOff {
  const { interval = 1_000, backoff = 1.5, maxInterval = 10_000 } = poll;
  const violations: FieldViolation[] = [];
  const check = (field: string, value: unknown, least: number, what: string): void => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= least) return;
    violations.push({ field, description: `must be ${what}` });
  };
  check('timeout', timeout, Number.MIN_VALUE, 'a positive number of milliseconds: waiting needs an end');
  check('poll.interval', interval, 0, 'a number of milliseconds');
  check('poll.backoff', backoff, 1, 'a number of at least 1');
  check('poll.maxInterval', maxInterval, 0, 'a number of milliseconds');
  if (violations.length > 0) throw new InvalidParamsError(violations);
  return { delay: interval, backoff, maxDelay: maxInterval };
}

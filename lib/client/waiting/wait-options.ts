import { InvalidParamsError } from '../../protocol/index.js';
import { withoutAbsent } from '../../options/absent.js';
import {
  COUNT,
  DURATION,
  FACTOR,
  GROUP,
  ruleFaults,
  type OptionRule,
  type OptionRules,
} from '../../options/option-rules.js';
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

const TIMEOUT: OptionRule = {
  holds: (value) => typeof value === 'number' && value > 0 && value < Infinity,
  message: 'must be a positive number of milliseconds: waiting needs an end',
  isRequired: true,
};

const POLL_RULES: OptionRules<PollOptions> = {
  interval: DURATION,
  backoff: FACTOR,
  maxInterval: DURATION,
  historyLength: COUNT,
};

/**
 * The back-off of `options`.
 *
 * @throws InvalidParamsError naming every option that makes no sense, a missing `timeout` first
 */
export function pollRules({ timeout, poll }: Partial<WaitOptions> = {}): BackOff {
  const violations = [
    ...ruleFaults({ timeout: TIMEOUT, poll: GROUP }, { timeout, poll }),
    ...ruleFaults(POLL_RULES, poll, 'poll.'),
  ];
  if (violations.length > 0) throw new InvalidParamsError(violations);
  const { interval = 1_000, backoff = 1.5, maxInterval = 10_000 } = withoutAbsent(poll ?? {});
  return { delay: interval, backoff, maxDelay: maxInterval };
}

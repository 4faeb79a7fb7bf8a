import { InvalidParamsError, type FieldViolation } from '../../protocol/index.js';
import { withoutAbsent } from '../../options/absent.js';
import {
  COUNT,
  DURATION,
  FACTOR,
  isObject,
  ruleFaults,
  type OptionRules,
} from '../../options/option-rules.js';
import { delayBefore, type BackOff } from '../timing/back-off.js';

/**
 * How a stream that breaks is taken up again. It only ever subscribes to the task or asks for it: the message is never
 * sent twice.
 *
 * @publicApi
 */
export interface ReconnectPolicy {
  /** How many attempts in a row may fail; one that brings new events starts the count again. Default 5. */
  readonly maxAttempts?: number;
  /** Milliseconds before the first attempt. Default 1,000. A server's SSE `retry` or `Retry-After` makes it longer. */
  readonly delay?: number;
  /** What the delay is multiplied by after each failed attempt. Default 2. */
  readonly backoff?: number;
  /** Milliseconds that the delay grows to. Default 30,000. */
  readonly maxDelay?: number;
  /** The share of the delay that chance adds to it, so that clients do not come back all at once. Default 0.2. */
  readonly jitter?: number;
}

/** A policy with every field. */
export type ReconnectRules = Required<ReconnectPolicy>;

const DEFAULTS: ReconnectRules = { maxAttempts: 5, delay: 1_000, backoff: 2, maxDelay: 30_000, jitter: 0.2 };

const RULES: OptionRules<ReconnectPolicy> = {
  maxAttempts: COUNT,
  delay: DURATION,
  backoff: FACTOR,
  maxDelay: DURATION,
  jitter: {
    holds: (value) => typeof value === 'number' && value >= 0 && value <= 1,
    message: 'must be a number from 0 to 1',
  },
};

/** What is wrong with a policy. A number is short for `maxAttempts`. */
export function reconnectFaults(policy: unknown, field = 'reconnect'): FieldViolation[] {
  if (isObject(policy)) return ruleFaults(RULES, policy, `${field}.`);
  return COUNT.holds(policy) ? [] : [{ field, description: 'must be a number of attempts, or a policy' }];
}

/**
 * The rules of a policy; without one nothing reconnects.
 *
 * @throws InvalidParamsError naming every field that makes no sense
 */
export function reconnectRules(policy: ReconnectPolicy | number = 0): ReconnectRules {
  const faults = reconnectFaults(policy);
  if (faults.length > 0) throw new InvalidParamsError(faults);
  return { ...DEFAULTS, ...(typeof policy === 'number' ? { maxAttempts: policy } : withoutAbsent(policy)) };
}

/** Milliseconds to wait before attempt `attempt`, counted from 1, and never less than the server asks for. */
export function reconnectDelay(
  attempt: number,
  { jitter, ...rules }: ReconnectRules & BackOff,
  hint: number,
): number {
  const delay = Math.max(delayBefore(attempt, rules), hint);
  return delay * (1 + jitter * Math.random());
}

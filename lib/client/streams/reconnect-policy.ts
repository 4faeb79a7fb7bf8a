import { InvalidParamsError, type FieldViolation } from '../../protocol/index.js';
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

/** What each field must be. */
const RULES: Record<keyof ReconnectPolicy, readonly [(value: number) => boolean, string]> = {
  maxAttempts: [(value) => value === Infinity || (Number.isInteger(value) && value >= 0), 'a whole number'],
  delay: [(value) => value >= 0, 'a number of milliseconds'],
  backoff: [(value) => value >= 1, 'a number of at least 1'],
  maxDelay: [(value) => value >= 0, 'a number of milliseconds'],
  jitter: [(value) => value >= 0 && value <= 1, 'a number from 0 to 1'],
};

/**
 * The rules of a policy. A number is short for `maxAttempts`; without a policy nothing reconnects.
 *
 * @throws InvalidParamsError naming every field that makes no sense
 */
export function reconnectRules(policy: ReconnectPolicy | number = 0, field = 'reconnect'): ReconnectRules {
  const given = typeof policy === 'number' ? { maxAttempts: policy } : policy;
  const rules = { ...DEFAULTS };
  const violations: FieldViolation[] = [];
  for (const [name, [fits, what]] of Object.entries(RULES) as [
    keyof ReconnectPolicy,
    (typeof RULES)['delay'],
  ][]) {
    const value: unknown = given[name];
    if (value === undefined) continue;
    if (typeof value === 'number' && fits(value)) rules[name] = value;
    else violations.push({ field: `${field}.${name}`, description: `must be ${what}` });
  }
  if (violations.length > 0) throw new InvalidParamsError(violations);
  return rules;
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

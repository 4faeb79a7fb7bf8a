import { withoutAbsent } from '../options/absent.js';
import { COUNT, DURATION, isObject, ruleFaults, type OptionRules } from '../options/option-rules.js';
import { InvalidParamsError, type FieldViolation } from '../protocol/index.js';

/**
 * How calls that change nothing are tried again: after 429, 502, 503, 504, and where the connection failed. Messages are
 * never sent again, unless no byte of the request was written.
 *
 * @publicApi
 */
export interface RetryOptions {
  /** How often a call is tried again. Default 2; 0 for never. */
  readonly attempts?: number;
  /** Milliseconds before the first new attempt, doubled for each further one. Default 200. */
  readonly delay?: number;
  /** Milliseconds that a wait has at most. A server that asks for more with `Retry-After` gets no new attempt. Default 5,000. */
  readonly maxDelay?: number;
}

const DEFAULTS: Required<RetryOptions> = { attempts: 2, delay: 200, maxDelay: 5_000 };

const RULES: OptionRules<RetryOptions> = { attempts: COUNT, delay: DURATION, maxDelay: DURATION };

/** What is wrong with these. */
export function retryFaults(options: unknown, field = 'retry'): FieldViolation[] {
  if (isObject(options)) return ruleFaults(RULES, options, `${field}.`);
  return options === false ? [] : [{ field, description: 'must be an object, or false' }];
}

/**
 * The options with every one of them there.
 *
 * @throws InvalidParamsError naming every one that makes no sense
 */
export function retryRules(options: RetryOptions | false): Required<RetryOptions> {
  const faults = retryFaults(options);
  if (faults.length > 0) throw new InvalidParamsError(faults);
  return { ...DEFAULTS, ...(options === false ? { attempts: 0 } : withoutAbsent(options)) };
}

import { validateHeaderName } from 'node:http';
import { UrlGuard } from '../net/url-guard.js';
import type { PushNotificationOptions } from '../push/push-options.js';
import type { RetryConfig } from '../push/retry-policy.js';
import {
  BOUND,
  DURATION,
  FACTOR,
  FLAG,
  FUNCTION,
  isObject,
  type OptionRule,
  type OptionRules,
} from '../options/option-rules.js';

const HOSTS: OptionRule = {
  holds: (value) => isListOf(value, (host) => typeof host === 'string' && isHostRule(host)),
  message: 'must be a list of hosts: names, *.names, addresses, CIDR ranges, or any but a range with a port',
};

/** A pause of nothing would be a busy loop. */
const DURATION_ABOVE_0: OptionRule = {
  holds: (value) => DURATION.holds(value) && (value as number) >= 1,
  message: DURATION.message.replace('from 0', 'from 1'),
};

/** The option `pushNotifications`. */
export const PUSH_RULES: OptionRules<PushNotificationOptions> = {
  payload: { holds: (value) => value === 'task' || value === 'event', message: 'must be "task" or "event"' },
  maxWaiting: BOUND,
  drainTimeout: DURATION,
  pollInterval: DURATION_ABOVE_0,
  claimLease: DURATION_ABOVE_0,
  claimedWebhooks: BOUND,
  deadLetterAge: DURATION,
  timeout: BOUND,
  retryConfig: {
    holds: (value) => value === false || isObject(value),
    message: 'must be an object or false',
  },
  tokenHeader: { holds: isHeaderName, message: 'must be the name of an HTTP header' },
  validateUrl: FLAG,
  allow: HOSTS,
  deny: HOSTS,
  ports: {
    holds: (value) => isListOf(value, (port) => isWhole(port, 1) && (port as number) < 65_536),
    message: 'must be a list of port numbers',
  },
  concurrency: BOUND,
  concurrencyPerHost: BOUND,
  onDelivery: FUNCTION,
  resolve: FUNCTION,
};

/** The option `pushNotifications.retryConfig`. */
export const RETRY_RULES: OptionRules<RetryConfig> = {
  count: { holds: (value) => isWhole(value, 0), message: 'must be a whole number, 0 or more' },
  interval: DURATION,
  factor: FACTOR,
  maxInterval: DURATION,
  statusCodes: {
    holds: (value) => isListOf(value, (status) => isWhole(status, 100) && (status as number) < 600),
    message: 'must be a list of HTTP status codes',
  },
};

function isListOf(value: unknown, holds: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(holds);
}

function isWhole(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function isHostRule(host: string): boolean {
  return succeeds(() => new UrlGuard({ allow: [host] }));
}

function isHeaderName(value: unknown): boolean {
  return succeeds(() => validateHeaderName(value as string));
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

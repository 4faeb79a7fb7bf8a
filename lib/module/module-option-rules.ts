import type { AttemptThrottleOptions } from '../auth/attempt-throttle.js';
import { publicUrlFault } from '../card/index.js';
import type { A2ALimits, A2AModuleOptions } from './a2a-module-options.js';
import {
  BOUND,
  DURATION,
  FLAG,
  FUNCTION,
  GROUP,
  INTERVAL,
  isObject,
  isPositiveInteger,
  type OptionRule,
  type OptionRules,
} from '../options/option-rules.js';
import { isClassOrInstance, isSwappable, type Place } from './option-shapes.js';

/** The options of the module. */
export const MODULE_OPTION_RULES: OptionRules<A2AModuleOptions> = {
  card: {
    isRequired: true,
    holds: (value) => typeof value === 'function' || isObject(value),
    message: 'is required: a card, or a function that gives one',
  },
  executor: {
    holds: isClassOrInstance('executor'),
    message: 'must be a class or an object with a method "execute"',
  },
  handler: {
    holds: isClassOrInstance('handler'),
    message: 'must be a class that extends A2ARequestHandler, or an instance of one',
  },
  taskStore: swappable('taskStore', 'TaskStore'),
  eventBus: swappable('eventBus', 'TaskEventBus'),
  dispatcher: swappable('dispatcher', 'TaskDispatcher'),
  ownerResolver: swappable('ownerResolver', 'TaskOwnerResolver'),
  // Looked at entry by entry.
  auth: { holds: () => true, message: '' },
  authThrottle: {
    holds: (value) => value === false || isObject(value),
    message: 'must be an object, or false',
  },
  onAuth: FUNCTION,
  caller: FUNCTION,
  extendedCard: {
    holds: (value) => typeof value === 'function' || isObject(value),
    message: 'must be a card, a function that gives one, or null',
  },
  pushNotificationSender: swappable('pushNotificationSender', 'PushNotificationSender'),
  pushNotificationConfigStore: swappable('pushNotificationConfigStore', 'PushNotificationConfigStore'),
  pushNotifications: GROUP,
  capabilities: GROUP,
  publicUrl: {
    holds: (value) => publicUrlFault(value) === undefined,
    message: 'must be a URL that starts with http:// or https:// and has no query, fragment or user',
  },
  // What is in it is checked apart.
  signing: { holds: (value) => typeof value === 'object', message: 'must be a key, or a list of keys' },
  tenants: { holds: isTenantRule, message: 'must be a list of names, true, or a function' },
  validateInputModes: FLAG,
  unsafeExtendedCardWithoutAuth: FLAG,
  hideErrorMessages: FLAG,
  cardMaxAge: DURATION,
  keepAliveInterval: DURATION,
  streamIdleTimeout: DURATION,
  cancelTimeout: DURATION,
  silenceTimeout: DURATION,
  shutdownTimeout: DURATION,
  storePatience: DURATION,
  turnTimeout: BOUND,
  leaseDuration: INTERVAL,
  sweepInterval: INTERVAL,
  recovery: {
    holds: (value) => value === 'fail' || value === 'retry',
    message: "must be 'fail' or 'retry'",
  },
  recoveryAttempts: BOUND,
  role: {
    holds: (value) => value === 'both' || value === 'api' || value === 'worker',
    message: "must be 'both', 'api' or 'worker'",
  },
  requeueAfter: INTERVAL,
  eventPollInterval: INTERVAL,
  idempotencyWindow: DURATION,
  limits: GROUP,
};

/** The option `capabilities`. */
export const CAPABILITY_RULES: OptionRules<Required<A2AModuleOptions>['capabilities']> = {
  streaming: FLAG,
  pushNotifications: FLAG,
};

/** The option `authThrottle`. */
export const THROTTLE_RULES: OptionRules<AttemptThrottleOptions> = {
  freeFailures: BOUND,
  delay: DURATION,
  maxDelay: DURATION,
  forgetAfter: DURATION,
};

/** The option `limits`. */
export const LIMIT_RULES: OptionRules<A2ALimits> = {
  bodySize: BOUND,
  nesting: BOUND,
  partsPerMessage: BOUND,
  openStreams: BOUND,
  runningTurns: BOUND,
  runningTurnsPerOwner: BOUND,
  waitingTurns: BOUND,
  followerLag: BOUND,
  queuedEvents: BOUND,
  pushConfigsPerTask: BOUND,
  finishedTasks: {
    holds: (value) => value === Infinity || isPositiveInteger(value),
    message: 'must be a positive integer or Infinity',
  },
};

function swappable(place: Place, type: string): OptionRule {
  return { holds: isSwappable(place), message: `must be a ${type}: a class, an instance or a provider` };
}

function isTenantRule(value: unknown): boolean {
  if (value === true || typeof value === 'function') return true;
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '');
}

import { authEntryFaults } from '../auth/auth-entry-faults.js';
import { deriveCard, signingFaults, type AgentCardInput } from '../card/index.js';
import { isA2AError, type FieldViolation } from '../protocol/index.js';
import { DefaultRequestHandler } from '../server/default-request-handler.js';
import type { A2AModuleOptions } from './a2a-module-options.js';
import { CAPABILITY_RULES, LIMIT_RULES, MODULE_OPTION_RULES, THROTTLE_RULES } from './module-option-rules.js';
import { ruleFaults } from '../options/option-rules.js';
import { unknownOption } from '../options/spelling.js';
import { PUSH_RULES, RETRY_RULES } from './push-option-rules.js';
import { STATIC_DEFAULTS } from './static-options.js';

/** Everything that is wrong with the options as they were written. */
export function optionFaults(options: Partial<A2AModuleOptions> | null | undefined): FieldViolation[] {
  if (typeof options !== 'object' || options === null) {
    return [{ field: 'options', description: 'must be an object' }];
  }
  return [
    ...ruleFaults(
      MODULE_OPTION_RULES,
      options,
      '',
      unknownAmong({ ...MODULE_OPTION_RULES, ...STATIC_DEFAULTS }),
    ),
    ...ruleFaults(CAPABILITY_RULES, options.capabilities, 'capabilities.', unknownAmong(CAPABILITY_RULES)),
    ...ruleFaults(LIMIT_RULES, options.limits, 'limits.', unknownAmong(LIMIT_RULES)),
    ...ruleFaults(THROTTLE_RULES, options.authThrottle, 'authThrottle.', unknownAmong(THROTTLE_RULES)),
    ...cardFaults(options.card, 'card'),
    ...cardFaults(options.extendedCard, 'extendedCard'),
    ...pushFaults(options.pushNotifications),
    ...signingFaults(options.signing, (options.publicUrl ?? '') !== ''),
    ...executorFaults(options),
    ...authFaults(options),
    ...roleFaults(options),
  ];
}

function roleFaults({ role, dispatcher }: Partial<A2AModuleOptions>): FieldViolation[] {
  const isApart = role === 'api' || role === 'worker';
  if (!isApart || (dispatcher ?? undefined) !== undefined) return [];
  return [
    { field: 'role', description: 'needs a "dispatcher", which brings turns from one process to another' },
  ];
}

function pushFaults(push: A2AModuleOptions['pushNotifications'] | null): FieldViolation[] {
  const group = 'pushNotifications.';
  return [
    ...ruleFaults(PUSH_RULES, push, group, unknownAmong(PUSH_RULES)),
    ...ruleFaults(RETRY_RULES, push?.retryConfig, `${group}retryConfig.`, unknownAmong(RETRY_RULES)),
  ];
}

function unknownAmong(known: object): (property: string) => string {
  return (property) => {
    if (property in STATIC_DEFAULTS && property in known) {
      return 'belongs beside "useFactory", since routes are made before it runs';
    }
    return unknownOption(property, Object.keys(known));
  };
}

/** A constant card must be valid before anybody fetches it; a function is asked later. */
function cardFaults(card: unknown, path: string): readonly FieldViolation[] {
  if (typeof card !== 'object' || card === null) return [];
  const capabilities = { streaming: false, pushNotifications: false, extendedAgentCard: false };
  try {
    deriveCard(card as AgentCardInput, { capabilities }, path);
    return [];
  } catch (error) {
    if (isA2AError(error)) return error.violations;
    throw error;
  }
}

function authFaults(options: Partial<A2AModuleOptions>): FieldViolation[] {
  // Configuration files write null for nothing.
  const has = (key: 'auth' | 'authThrottle' | 'onAuth' | 'caller') =>
    (options[key] ?? undefined) !== undefined;
  if (!has('auth')) {
    return (['authThrottle', 'onAuth'] as const)
      .filter(has)
      .map((field) => ({ field, description: 'does nothing without "auth"' }));
  }
  const faults = authEntryFaults(options.auth);
  if (!has('caller')) return faults;
  const description = 'is for guards of your own: with "auth" its entries say who calls';
  return [...faults, { field: 'caller', description }];
}

/** Exactly one thing must answer, and it must have what it needs. */
function executorFaults(options: Partial<A2AModuleOptions>): FieldViolation[] {
  const executor = options.executor ?? undefined;
  const handler = options.handler ?? undefined;
  if (executor === undefined && handler === undefined) {
    return [{ field: 'executor', description: 'is missing: give either "executor" or "handler"' }];
  }
  if (
    executor === undefined &&
    typeof handler === 'function' &&
    handler.prototype instanceof DefaultRequestHandler
  ) {
    return [
      {
        field: 'executor',
        description: 'is missing: "handler" extends DefaultRequestHandler, which drives it',
      },
    ];
  }
  // A class may extend or inject the default handler; an instance was made elsewhere, with whatever it drives.
  if (executor !== undefined && typeof handler === 'object') {
    return [
      { field: 'executor', description: 'would never run, since "handler" is an instance made elsewhere' },
    ];
  }
  return [];
}

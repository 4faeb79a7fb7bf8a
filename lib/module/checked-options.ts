import type { ModulesContainer } from '@nestjs/core';
import type { AuthEntry } from '../auth/auth-options.js';
import { trimPublicUrl } from '../card/index.js';
import { resolveHttpOptions, type ResolvedHttpOptions } from '../http/index.js';
import {
  ENGINE_DEFAULTS,
  resolveEngineOptions,
  type EngineOptions,
  type ResolvedEngineOptions,
} from '../server/engine-options.js';
import { PUSH_DEFAULTS, type PushNotificationOptions } from '../push/push-options.js';
import type { FieldViolation } from '../protocol/index.js';
import type { A2AModuleOptions } from './a2a-module-options.js';
import { registerAgent } from './agent-registry.js';
import { optionFaults } from './check-options.js';
import { A2AOptionsError } from './options-error.js';
import type { StaticOptions } from './static-options.js';

/** The options of push notifications, with the defaults of those that are not the sender's. */
export type CheckedPushOptions = PushNotificationOptions &
  Required<Pick<PushNotificationOptions, keyof typeof PUSH_DEFAULTS>> & { readonly configsPerTask: number };

/** The options of an agent that passed every check, with their defaults. */
export interface CheckedOptions extends StaticOptions {
  readonly given: A2AModuleOptions;
  readonly engine: ResolvedEngineOptions;
  readonly http: ResolvedHttpOptions;
  readonly push: CheckedPushOptions;
  readonly publicUrl: string | undefined;
  /** Seconds. */
  readonly cardMaxAge: number;
}

/** @throws A2AOptionsError with everything that is wrong */
export function checkOptions(
  statics: StaticOptions,
  options: A2AModuleOptions | undefined,
  application: ModulesContainer,
): CheckedOptions {
  const hasTenants = servesTenants(options ?? {});
  const faults = [
    ...statics.faults,
    ...registerAgent(application, { ...statics, hasTenants }),
    ...optionFaults(options),
    ...reservedTenantFaults(statics, options),
  ];
  if (options === undefined || faults.length > 0) throw new A2AOptionsError(statics.name, faults);
  const given = withoutNulls({
    ...options,
    ...(options.limits && { limits: withoutNulls(options.limits) }),
    ...(options.authThrottle && { authThrottle: withoutNulls(options.authThrottle) }),
    ...(options.auth && { auth: options.auth.map(entryWithoutNulls) }),
  });
  // Here null says something: an extended card is declared and there is none yet.
  if (options.extendedCard === null) given.extendedCard = null;
  return {
    ...statics,
    given,
    http: resolveHttpOptions(given),
    engine: resolveEngineOptions(engineOptions(given)),
    push: pushOptions(given),
    publicUrl: given.publicUrl === undefined ? undefined : trimPublicUrl(given.publicUrl),
    cardMaxAge: given.cardMaxAge ?? 300,
  };
}

/** The name that no tenant can have where 0.3 is served, since its HTTP+JSON binding has its paths there. */
export const RESERVED_TENANT = 'v1';

function reservedTenantFaults(
  { serves03 }: StaticOptions,
  options: A2AModuleOptions | undefined,
): FieldViolation[] {
  const tenants = options?.tenants;
  if (!serves03 || !Array.isArray(tenants) || !tenants.includes(RESERVED_TENANT)) return [];
  const description = 'must not be "v1", which is part of the paths of protocol 0.3 ("compat")';
  return [{ field: `tenants[${tenants.indexOf(RESERVED_TENANT)}]`, description }];
}

/** Whether an agent serves any tenant, as far as its options say. */
export function servesTenants({ tenants }: Partial<A2AModuleOptions>): boolean {
  return Array.isArray(tenants) ? tenants.length > 0 : Boolean(tenants);
}

/** The options that concern the engine. */
function engineOptions(given: A2AModuleOptions): EngineOptions {
  return { ...pick(given, ENGINE_DEFAULTS), limits: pick(given.limits ?? {}, ENGINE_DEFAULTS.limits) };
}

function pushOptions({ pushNotifications = {}, limits }: A2AModuleOptions): CheckedPushOptions {
  const { retryConfig, ...others } = pushNotifications;
  const given = Object.entries(withoutNulls(others)).filter(([, value]) => (value as unknown) !== undefined);
  return {
    ...PUSH_DEFAULTS,
    ...(Object.fromEntries(given) as PushNotificationOptions),
    // Here `null` means something.
    ...(retryConfig !== undefined && { retryConfig }),
    configsPerTask: limits?.pushConfigsPerTask ?? 100,
  };
}

function pick<T extends object>(from: T, keysOf: object): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key in keysOf)) as Partial<T>;
}

function entryWithoutNulls(entry: AuthEntry): AuthEntry {
  const isGroup = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(withoutNulls(entry)).map(([key, value]) => [
      key,
      isGroup(value) ? withoutNulls(value as object) : value,
    ]),
  ) as AuthEntry;
}

/** Configuration files have no `undefined`. */
function withoutNulls<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null)) as T;
}

import { IsOptional } from 'class-validator';
import { publicUrlFault } from '../card/index.js';
import { Bound, Duration, Flag, Is, isObject, isPositiveInteger } from './option-rules.js';
import { isClassOrInstance, isSwappable } from './option-shapes.js';

// These classes check plain copies of what users write. The messages go behind the path of the field.

/** The options of the module, group by group. */
export class ModuleOptionsDto {
  @Is(
    (value) => typeof value === 'function' || isObject(value),
    'must be a card or a function that gives one',
  )
  card!: unknown;

  @IsOptional()
  @Is(isClassOrInstance('executor'), 'must be a class or an object with a method "execute"')
  executor: unknown;

  @IsOptional()
  @Is(isClassOrInstance('handler'), 'must be a class that extends A2ARequestHandler, or an instance of one')
  handler: unknown;

  @IsOptional()
  @Is(isSwappable('taskStore'), 'must be a TaskStore: a class, an instance or a provider')
  taskStore: unknown;

  @IsOptional()
  @Is(isSwappable('eventBus'), 'must be a TaskEventBus: a class, an instance or a provider')
  eventBus: unknown;

  @IsOptional()
  @Is(isSwappable('ownerResolver'), 'must be a TaskOwnerResolver: a class, an instance or a provider')
  ownerResolver: unknown;

  @IsOptional()
  @Is(isObject, 'must be an object')
  capabilities: unknown;

  @IsOptional()
  @Is(
    (value) => publicUrlFault(value) === undefined,
    'must be a URL that starts with http:// or https:// and has no query, fragment or user',
  )
  publicUrl: unknown;

  @IsOptional()
  @Is(isTenantRule, 'must be a list of names, true, or a function')
  tenants: unknown;

  @IsOptional() @Flag() validateInputModes: unknown;
  @IsOptional() @Flag() unsafeExtendedCardWithoutAuth: unknown;
  @IsOptional() @Flag() hideErrorMessages: unknown;
  @IsOptional() @Duration() cardMaxAge: unknown;
  @IsOptional() @Duration() keepAliveInterval: unknown;
  @IsOptional() @Duration() streamIdleTimeout: unknown;
  @IsOptional() @Duration() cancelTimeout: unknown;
  @IsOptional() @Duration() silenceTimeout: unknown;
  @IsOptional() @Duration() shutdownTimeout: unknown;
  @IsOptional() @Bound() turnTimeout: unknown;

  @IsOptional()
  @Is(isObject, 'must be an object')
  limits: unknown;
}

/** The option `capabilities`. */
export class CapabilitiesDto {
  @IsOptional() @Flag() streaming: unknown;
  @IsOptional() @Flag() pushNotifications: unknown;
}

/** The option `limits`. */
export class LimitsDto {
  @IsOptional() @Bound() bodySize: unknown;
  @IsOptional() @Bound() nesting: unknown;
  @IsOptional() @Bound() partsPerMessage: unknown;
  @IsOptional() @Bound() openStreams: unknown;
  @IsOptional() @Bound() runningTurns: unknown;
  @IsOptional() @Bound() runningTurnsPerOwner: unknown;
  @IsOptional() @Bound() followerLag: unknown;
  @IsOptional() @Bound() queuedEvents: unknown;
  @IsOptional()
  @Is((value) => value === Infinity || isPositiveInteger(value), 'must be a positive integer or Infinity')
  finishedTasks: unknown;
}

function isTenantRule(value: unknown): boolean {
  if (value === true || typeof value === 'function') return true;
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '');
}

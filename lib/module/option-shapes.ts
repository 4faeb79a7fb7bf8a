import type { Type } from '@nestjs/common';
import { A2ARequestHandler } from '../server/a2a-request-handler.js';

/** The keys of a Nest provider without its `provide`. */
const PROVIDER_KEYS = ['useClass', 'useValue', 'useFactory', 'useExisting'] as const;

/** The operations of a handler, by the names of their methods. */
const OPERATIONS = Object.getOwnPropertyNames(A2ARequestHandler.prototype).filter(
  (name) => name !== 'constructor',
);

/** What an object must be able to do to take a place. Told by methods, so that a second copy of the package counts. */
export const METHODS = {
  executor: ['execute'],
  handler: OPERATIONS,
  taskStore: ['get', 'put', 'list', 'remove'],
  eventBus: ['publish', 'follow', 'signal', 'onSignal'],
  dispatcher: ['dispatch', 'waiting', 'work'],
  ownerResolver: ['resolveOwner'],
  pushNotificationSender: ['send'],
  pushNotificationConfigStore: ['put', 'get', 'list', 'remove'],
} as const satisfies Record<string, readonly string[]>;

/** A place that users can fill. */
export type Place = keyof typeof METHODS;

/** The key that makes a value a provider shape, or `undefined` if it is none. */
export function providerKey(value: object): (typeof PROVIDER_KEYS)[number] | undefined {
  return PROVIDER_KEYS.find((key) => Object.hasOwn(value, key));
}

/** Whether a value is something to call `new` on. */
export function isClass(value: unknown): value is Type<object> {
  return typeof value === 'function' && typeof value.prototype === 'object';
}

/** Whether an object has the methods of a place. */
export function fits(place: Place, value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return METHODS[place].every((method) => typeof (value as Record<string, unknown>)[method] === 'function');
}

/** A class or an instance. What a class makes is checked once it is made: methods may be properties of the instance. */
export function isClassOrInstance(place: Place): (value: unknown) => boolean {
  return (value) => isClass(value) || fits(place, value);
}

/** A class, an instance, or a provider shape. */
export function isSwappable(place: Place): (value: unknown) => boolean {
  return (value) => {
    const key = typeof value === 'object' && value !== null ? providerKey(value) : undefined;
    if (key === undefined) return isClassOrInstance(place)(value);
    const given = (value as Record<string, unknown>)[key];
    switch (key) {
      case 'useClass':
        return isClass(given);
      case 'useValue':
        return fits(place, given);
      case 'useFactory':
        return typeof given === 'function';
      case 'useExisting':
        return given !== null && given !== undefined;
    }
  };
}

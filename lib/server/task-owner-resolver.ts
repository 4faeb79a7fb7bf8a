import type { CallContext } from './call-context.js';

/**
 * Decides who owns what a caller makes, and so what the caller may see.
 *
 * `undefined` is a scope of its own: such callers share one pool, apart from every named owner. A resolver
 * authenticates nobody; it maps what authentication established.
 *
 * @publicApi
 */
export abstract class TaskOwnerResolver {
  abstract resolveOwner(context: CallContext): string | undefined | Promise<string | undefined>;
}

/**
 * The owner that a resolver decides on.
 *
 * @throws TypeError if it is neither a text nor absent: stores would each make something else of it
 */
export async function ownerOf(owners: TaskOwnerResolver, call: CallContext): Promise<string | undefined> {
  return checkedOwner(await owners.resolveOwner(call));
}

/**
 * What a resolver has answered, if it is an owner.
 *
 * @throws TypeError if it is not
 */
export function checkedOwner(owner: unknown): string | undefined {
  // An own resolver may be untyped, and databases give `null` for what is absent.
  if (owner === undefined || owner === null) return undefined;
  if (typeof owner !== 'string')
    throw new TypeError(`The owner of a task must be a text, not a ${typeof owner}`);
  return owner;
}

/** The default: the identity within its authority; without authentication one shared pool. */
export class IdentityOwnerResolver extends TaskOwnerResolver {
  override resolveOwner({ identity, authority }: CallContext): string | undefined {
    return identity === undefined ? undefined : JSON.stringify([authority ?? null, identity]);
  }
}

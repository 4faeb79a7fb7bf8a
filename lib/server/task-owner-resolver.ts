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

/** The default: the identity within its authority; without authentication one shared pool. */
export class IdentityOwnerResolver extends TaskOwnerResolver {
  override resolveOwner({ identity, authority }: CallContext): string | undefined {
    return identity === undefined ? undefined : JSON.stringify([authority ?? null, identity]);
  }
}

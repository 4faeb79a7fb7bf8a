import { Logger } from '@nestjs/common';
import { AuthenticationError } from '../protocol/index.js';
import { authenticatedOf } from './authenticated-request.js';
import type { Principal } from './credential-verifier.js';

/**
 * Who calls, as the application's own guard found out; no identity for a caller that is known to nobody.
 *
 * @publicApi
 */
export type RequestCaller = Partial<Principal>;

/**
 * Reads who calls from the adapter's request, behind the application's own guards.
 *
 * @publicApi
 */
export type CallerMapper = {
  // A method, so that a function may name the type of its adapter's request.
  map(request: object): RequestCaller | undefined;
}['map'];

/** A caller with what the context of a call holds. */
type Caller = RequestCaller & Pick<Principal, 'scopes'>;

const NOBODY: Caller = { scopes: [] };
/** Who calls, as the entries of `auth` found out. */
export function authenticatedCaller(request: unknown): Caller {
  const authenticated = authenticatedOf(request as object);
  // Never anonymous by mistake.
  if (!authenticated) throw new AuthenticationError();
  return authenticated.principal;
}

/** Who calls, as the application says, or as `request.user` does, where guards and passport leave who it is. */
export function callerMapper(mapper: CallerMapper | undefined): (request: unknown) => Caller {
  if (!mapper) return callerOfRequest();
  return (request) => {
    const caller = mapper(request as object) ?? NOBODY;
    // Untyped, an async function would make everybody the same nobody.
    if (caller instanceof Promise) throw new TypeError('The option "caller" must not be an async function');
    const { identity, authority, scopes = [] } = caller;
    if (identity === undefined) return scopes.length === 0 ? NOBODY : { scopes };
    if (typeof identity !== 'string' || identity === '') throw new AuthenticationError();
    return { identity, ...(authority !== undefined && { authority }), scopes };
  };
}

function callerOfRequest(): (request: unknown) => Caller {
  let isWarned = false;
  return (request) => {
    // Middleware on Fastify sees Node's request only.
    const { user = (request as { raw?: { user?: unknown } }).raw?.user } = request as { user?: unknown };
    if (user === undefined || user === null) return NOBODY;
    const caller = callerOfUser(user);
    if (caller) return caller;
    if (!isWarned) {
      new Logger('A2A').warn(
        'request.user names nobody, so such requests are refused: say who calls with the option "caller"',
      );
    }
    isWarned = true;
    throw new AuthenticationError();
  };
}

function callerOfUser(user: unknown): Caller | undefined {
  if (typeof user === 'string' && user !== '') return { identity: user, scopes: [] };
  const claims = Object(user) as Readonly<Record<string, unknown>>;
  const identity = firstText(claims, ['identity', 'sub', 'userId', 'id', 'username']);
  if (identity === undefined) return undefined;
  const authority = firstText(claims, ['authority', 'iss']);
  const scopes = scopesOf(claims.scopes ?? claims.scope);
  return { identity, ...(authority !== undefined && { authority }), scopes };
}

function firstText(claims: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = claims[name];
    if (typeof value === 'string' && value !== '') return value;
    if (Number.isFinite(value) || typeof value === 'bigint') return String(value);
  }
  return undefined;
}

function scopesOf(scopes: unknown): readonly string[] {
  if (typeof scopes === 'string') return scopes.split(' ').filter((scope) => scope !== '');
  return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
}

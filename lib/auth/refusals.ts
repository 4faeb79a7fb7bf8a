import {
  AuthenticationError,
  AuthorizationError,
  InternalError,
  ResourceExhaustedError,
  UnavailableError,
  type A2AError,
} from '../protocol/index.js';
import type { EntryFailure, EntryLabel } from './auth-entry.js';
import type { AuthScheme } from './authorization-header.js';

const CHALLENGES: Readonly<Record<AuthScheme, string>> = { Bearer: '', Basic: ', charset="UTF-8"' };

/** What one agent answers to requests that no entry admits. It names no resource: nothing was looked at yet. */
export class Refusals {
  readonly #realm: string;
  readonly #schemes: readonly AuthScheme[];

  constructor(agent: string, entries: readonly EntryLabel[]) {
    this.#realm = `realm="${agent.replaceAll(/["\\]/g, '\\$&')}"`;
    this.#schemes = [...new Set(entries.map(({ scheme }) => scheme))];
  }

  /**
   * The answer after all entries were asked. A caller that is known and lacks a scope is told so; otherwise an entry
   * that could not tell might have admitted the caller, so that it is too early for a no.
   */
  of(failures: readonly EntryFailure[]): A2AError {
    let later: A2AError | undefined;
    for (const failure of failures) {
      if (failure.kind === 'insufficient') return this.#forbidden(failure);
      if (failure.kind === 'unavailable') later ??= withoutCause(failure.error);
    }
    if (later) return later;
    // The guard has logged the cause.
    if (failures.some(({ kind }) => kind === 'failed')) return new InternalError();
    const isRejected = failures.some(({ kind, scheme }) => kind === 'rejected' && scheme === 'Bearer');
    return new AuthenticationError(
      this.#schemes.map((scheme) =>
        scheme === 'Bearer' && isRejected
          ? `${this.#challenge(scheme)}, error="invalid_token"`
          : this.#challenge(scheme),
      ),
    );
  }

  #challenge(scheme: AuthScheme): string {
    return `${scheme} ${this.#realm}${CHALLENGES[scheme]}`;
  }

  #forbidden({ scheme, required, missing }: EntryFailure & { readonly kind: 'insufficient' }): A2AError {
    const requiredScopes = required.join(' ');
    const challenge = `${this.#challenge(scheme)}, error="insufficient_scope", scope="${requiredScopes}"`;
    return new AuthorizationError(undefined, {
      metadata: { requiredScopes, missingScopes: missing.join(' ') },
      // Basic has no such parameters (RFC 6750 §3).
      ...(scheme === 'Bearer' && { headers: { 'WWW-Authenticate': challenge } }),
    });
  }
}

// With its cause each refused request would be logged as a fault of the server.
function withoutCause({ httpStatus, retryAfter }: A2AError): A2AError {
  const options = retryAfter === undefined ? {} : { retryAfter };
  return httpStatus === 429
    ? new ResourceExhaustedError('Too many attempts to authenticate', options)
    : new UnavailableError('Callers cannot be authenticated right now', options);
}

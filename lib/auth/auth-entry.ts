import { isA2AError, type A2AError } from '../protocol/index.js';
import type { AuthScheme } from './authorization-header.js';
import {
  CredentialRejectedError,
  type BasicCredential,
  type CredentialVerifier,
  type Principal,
} from './credential-verifier.js';

/** An entry of `auth` at work. */
export type WorkingEntry = EntryLabel & { readonly scopes: readonly string[] } & (
    | { readonly scheme: 'Bearer'; readonly verifier: CredentialVerifier<string> }
    | { readonly scheme: 'Basic'; readonly verifier: CredentialVerifier<BasicCredential> }
  );

/** What others than the entry itself may know of it. */
export interface EntryLabel {
  /** Where it stands in the options, such as `auth[1].jwt`. */
  readonly entry: string;
  readonly scheme: AuthScheme;
}

/** Why an entry did not admit a request. */
export type EntryFailure = EntryLabel & { readonly reason: string } & (
    | { readonly kind: 'absent' | 'rejected' }
    | { readonly kind: 'unavailable'; readonly error: A2AError }
    | { readonly kind: 'failed'; readonly error: unknown }
    | {
        readonly kind: 'insufficient';
        readonly principal: Principal;
        readonly required: readonly string[];
        readonly missing: readonly string[];
      }
  );

/** Asks an entry about a credential; gives the principal if it admits, and never rejects. */
export async function askEntry<C>(
  label: EntryLabel,
  scopes: readonly string[],
  verifier: CredentialVerifier<C>,
  credential: C,
): Promise<Principal | EntryFailure> {
  let principal: Principal;
  try {
    principal = await verifier.verify(credential);
  } catch (error) {
    return failureOf(label, error);
  }
  // A verifier of the application may be untyped.
  if (typeof principal.identity !== 'string' || principal.identity === '') {
    return { ...label, kind: 'rejected', reason: 'the credential names no one' };
  }
  const missing = scopes.filter((scope) => !principal.scopes.includes(scope));
  if (missing.length === 0) return principal;
  return {
    ...label,
    kind: 'insufficient',
    reason: `lacks ${missing.join(' ')}`,
    principal,
    required: scopes,
    missing,
  };
}

export function isFailure(outcome: Principal | EntryFailure): outcome is EntryFailure {
  return 'kind' in outcome;
}

function failureOf({ entry, scheme }: EntryLabel, error: unknown): EntryFailure {
  const label = { entry, scheme };
  if (error instanceof CredentialRejectedError) return { ...label, kind: 'rejected', reason: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  const isPassing = isA2AError(error) && (error.httpStatus === 503 || error.httpStatus === 429);
  return isPassing
    ? { ...label, kind: 'unavailable', reason, error }
    : { ...label, kind: 'failed', reason, error };
}

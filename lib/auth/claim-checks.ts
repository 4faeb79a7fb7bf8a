import { CredentialRejectedError } from './credential-verifier.js';
import type { Claims } from './token-claims.js';

/**
 * Refuses a token outside of its time (RFC 7519, sections 4.1.4 and 4.1.5).
 *
 * @param tolerance Seconds that clocks may differ.
 * @throws CredentialRejectedError
 */
export function checkTimes({ exp, nbf }: Claims, tolerance: number): void {
  const now = Math.floor(Date.now() / 1_000);
  if (exp !== undefined && !(isTime(exp) && exp > now - tolerance)) {
    throw new CredentialRejectedError('the token is expired, or its "exp" is no number');
  }
  if (nbf !== undefined && !(isTime(nbf) && nbf <= now + tolerance)) {
    throw new CredentialRejectedError('the token is not valid yet, or its "nbf" is no number');
  }
}

/** @throws CredentialRejectedError if the token is not for one of the audiences */
export function checkAudience({ aud }: Claims, audiences: readonly string[]): void {
  const named: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.some((audience) => named.includes(audience))) {
    throw new CredentialRejectedError('the token is for another audience, or names none');
  }
}

/** @throws CredentialRejectedError if the token is of another issuer, or names none */
export function checkIssuer({ iss }: Claims, issuer: string): void {
  if (iss !== issuer) throw new CredentialRejectedError('the token is of another issuer, or names none');
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

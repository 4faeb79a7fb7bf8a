import { isUtf8 } from 'node:buffer';
import { CredentialRejectedError } from '../credential-verifier.js';
import type { Claims } from '../token-claims.js';

/** Longer than any header that Node takes by default; refused before anything is decoded. */
const LONGEST_TOKEN = 16_384;
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** `typ` of the header of access tokens, with and without `application/` (RFC 7519, section 5.1; RFC 9068). */
const TYPES: ReadonlySet<unknown> = new Set(['jwt', 'at+jwt']);

/** A token in its parts. Nothing of it is true before its signature is verified. */
export interface SignedToken {
  readonly alg: string;
  readonly kid: string | undefined;
  /** Whether its type says that it is an access token. */
  readonly isTyped: boolean;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
  readonly payload: string;
}

/**
 * Takes a JWS in compact form apart (RFC 7515, section 7.1). Keys in its header and addresses of such are not read.
 *
 * @throws CredentialRejectedError if it is none, or of a type or with an extension that is not known here
 */
export function readToken(token: string): SignedToken {
  if (token.length > LONGEST_TOKEN) throw new CredentialRejectedError('the token is too long');
  if (!COMPACT.test(token)) throw new CredentialRejectedError('the token is no JWT');
  const headEnd = token.indexOf('.');
  const payloadEnd = token.lastIndexOf('.');
  const { alg, kid, typ, crit, b64 } = readClaims(token.slice(0, headEnd), 'header');
  if (typeof alg !== 'string') throw new CredentialRejectedError('the token names no algorithm');
  if (kid !== undefined && typeof kid !== 'string') throw new CredentialRejectedError('its "kid" is no text');
  // There is no extension that this library knows (RFC 7515, section 4.1.11).
  if (crit !== undefined || b64 !== undefined) {
    throw new CredentialRejectedError('the token needs an extension that is not known here');
  }
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : (typ ?? 'jwt');
  if (!TYPES.has(type)) throw new CredentialRejectedError('the token is of another type than JWT or at+jwt');
  return {
    alg,
    kid,
    isTyped: type === 'at+jwt',
    signed: Buffer.from(token.slice(0, payloadEnd)),
    signature: Buffer.from(token.slice(payloadEnd + 1), 'base64url'),
    payload: token.slice(headEnd + 1, payloadEnd),
  };
}

/**
 * The JSON object that a part of a token holds.
 *
 * @throws CredentialRejectedError if it holds none
 */
export function readClaims(part: string, name: string): Claims {
  const bytes = Buffer.from(part, 'base64url');
  try {
    // Broken characters would all read the same, and so would two names that are made of such.
    const value: unknown = isUtf8(bytes) ? JSON.parse(bytes.toString()) : undefined;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Claims;
  } catch {
    // Falls through, for the same answer.
  }
  throw new CredentialRejectedError(`the ${name} of the token is no JSON object`);
}

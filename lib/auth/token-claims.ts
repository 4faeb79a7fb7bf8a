import { CredentialRejectedError } from './credential-verifier.js';

/** What a token or an introspection answer says, not trusted to have any shape. */
export type Claims = Readonly<Record<string, unknown>>;

/** How issuers mark tokens that are no access tokens, in one of the claims below. */
const OTHER_KINDS = new Set(['id', 'id_token', 'refresh', 'refresh_token', 'offline', 'logout']);
const KIND_CLAIMS = ['typ', 'token_use', 'token_type', 'type'];

/** Claims that only ID tokens have (OpenID Connect Core, sections 3.1.3.6 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['at_hash', 'c_hash', 's_hash'];

/** Claims that no ID token has. */
const ACCESS_CLAIMS = ['scope', 'scp', 'client_id'];

/**
 * Whom a valid token names: its `sub`, or else its `username`.
 *
 * @throws CredentialRejectedError if it names no one
 */
export function identityOf(claims: Claims): string {
  const identity = claims.sub ?? claims.username;
  if (typeof identity === 'string' && identity.trim() !== '') return identity;
  throw new CredentialRejectedError('the token names no one: it has neither "sub" nor "username"');
}

/**
 * Who vouches for the identity: where the token was checked, and the issuer that it names.
 *
 * @throws CredentialRejectedError if `iss` is no text
 */
export function authorityOf(source: string, issuer: unknown): string {
  if (issuer === undefined || issuer === null) return source;
  if (typeof issuer !== 'string') throw new CredentialRejectedError('"iss" is no text');
  // A URL holds no space, so two pairs never look the same.
  return `${source} ${issuer}`;
}

/** The scopes of `scope` and `scp`, each a text with spaces between them or a list. */
export function scopesOf(claims: Claims): string[] {
  const lists = [claims.scope, claims.scp].map((value): unknown[] => {
    if (typeof value === 'string') return value.split(' ');
    return Array.isArray(value) ? value : [];
  });
  const scopes = lists.flat().filter((scope) => typeof scope === 'string' && scope !== '');
  return [...new Set(scopes as string[])];
}

/**
 * Refuses tokens that are valid but must not be used as bearer tokens: ID tokens and refresh tokens, where their
 * issuer marks them, and tokens bound to a key whose possession nothing here proves (RFC 9449, RFC 8705).
 *
 * A `nonce` alone marks an ID token only if nothing speaks for an access token, since some issuers copy it there.
 *
 * @throws CredentialRejectedError
 */
export function refuseOtherTokens(claims: Claims, isMarkedAsAccessToken = false): void {
  for (const name of KIND_CLAIMS) {
    const kind = claims[name];
    if (typeof kind === 'string' && OTHER_KINDS.has(kind.toLowerCase())) {
      throw new CredentialRejectedError(`the token is no access token: "${name}" is ${kind.toLowerCase()}`);
    }
  }
  const ofIdToken = ID_TOKEN_CLAIMS.find((name) => claims[name] !== undefined);
  if (ofIdToken !== undefined) {
    throw new CredentialRejectedError(`the token is an ID token: it has "${ofIdToken}"`);
  }
  const isAccessToken =
    isMarkedAsAccessToken ||
    KIND_CLAIMS.some((name) => typeof claims[name] === 'string') ||
    ACCESS_CLAIMS.some((name) => claims[name] !== undefined);
  if (claims.nonce !== undefined && !isAccessToken) {
    throw new CredentialRejectedError(
      'the token is an ID token: it has "nonce" and nothing of an access token',
    );
  }
  if (claims.cnf !== undefined && claims.cnf !== null) {
    throw new CredentialRejectedError('the token is bound to a key ("cnf"), so it is no bearer token');
  }
}

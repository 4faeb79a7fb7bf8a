import { SignJWT } from 'jose';
import type { JwtOptions } from 'nest-a2a';

export const SECRET = 'a-secret-for-tests-with-32-bytes!!';
export const ISSUER = 'https://idp.example.com';

/** An entry `jwt` that takes the tokens of {@link tokenOf}. */
export const JWT: JwtOptions = { issuer: ISSUER, audience: 'agent', secret: SECRET };

export interface TokenClaims {
  issuer?: string;
  audience?: string;
  scope?: string;
  secret?: string;
  expiresIn?: string;
  notBefore?: string;
  type?: string;
}

/** A token of a user; without a user it names no one. */
export function tokenOf(user: string | undefined, claims: TokenClaims = {}): Promise<string> {
  const { issuer = ISSUER, audience = 'agent', scope, secret = SECRET, expiresIn = '5m', notBefore } = claims;
  const token = new SignJWT(scope === undefined ? {} : { scope })
    .setProtectedHeader({ alg: 'HS256', ...(claims.type !== undefined && { typ: claims.type }) })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(expiresIn);
  if (user !== undefined) token.setSubject(user);
  if (notBefore !== undefined) token.setNotBefore(notBefore);
  return token.sign(new TextEncoder().encode(secret));
}

export function bearer(token: string): { Authorization: string } {
  return { Authorization: `Bearer ${token}` };
}

export function basic(username: string, password: string): { Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

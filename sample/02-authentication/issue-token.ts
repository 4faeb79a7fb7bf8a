import { SignJWT } from 'jose';
import { AUDIENCE, ISSUER, SECRET } from './settings.js';

/** A token as the issuer of this demonstration makes it. */
export function issueToken(user: string, scope: string): Promise<string> {
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(user)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET));
}

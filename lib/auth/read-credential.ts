import type { Authorization, Reading } from './authorization-header.js';
import type { BasicCredential } from './credential-verifier.js';

const NOTHING: Reading<never> = {};
// RFC 6750 §2.1 and RFC 7617 §2: base64, here without the variant that is meant for URLs.
const TOKEN = /^[\w.~+/-]+=*$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The token of `Bearer` (RFC 6750). */
export function readBearer({ scheme, value, fault }: Authorization): Reading<string> {
  if (scheme !== 'bearer') return NOTHING;
  if (fault !== undefined) return { fault };
  if (value === '') return { fault: 'an empty token' };
  if (!TOKEN.test(value)) return { fault: 'a token with characters that no token has' };
  return { credential: value };
}

/** Name and password of `Basic` (RFC 7617), as UTF-8. The password may hold colons. */
export function readBasic({ scheme, value, fault }: Authorization): Reading<BasicCredential> {
  if (scheme !== 'basic') return NOTHING;
  if (fault !== undefined) return { fault };
  if (!BASE64.test(value) || value.replace(/=+$/, '').length % 4 === 1) return { fault: 'no base64' };
  const text = decoded(value);
  if (text === undefined) return { fault: 'no UTF-8' };
  const colon = text.indexOf(':');
  if (colon < 0) return { fault: 'no colon' };
  if (colon === 0) return { fault: 'no user name' };
  if (/[\x00-\x1f\x7f]/.test(text)) return { fault: 'control characters' };
  return { credential: { username: text.slice(0, colon), password: text.slice(colon + 1) } };
}

function decoded(base64: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}

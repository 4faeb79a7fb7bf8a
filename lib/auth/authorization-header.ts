import type { IncomingMessage } from 'node:http';

/** The request header `Authorization` (RFC 9110 §11.6.2), taken apart. */
export interface Authorization {
  /** In lower case; empty if there is no header. */
  readonly scheme: string;
  /** What follows the scheme. */
  readonly value: string;
  /** Why no credential can be read from it, whatever the scheme. */
  readonly fault?: string;
}

/** The schemes that are accepted. */
export type AuthScheme = 'Bearer' | 'Basic';

/** A credential of one scheme, or why there is none; no fault either means that nothing of the scheme was sent. */
export type Reading<C> =
  | { readonly credential: C; readonly fault?: undefined }
  | { readonly credential?: undefined; readonly fault?: string };

const NONE: Authorization = { scheme: '', value: '' };
/** Node takes 16 KiB of headers unless told otherwise; nobody needs more than this for one of them. */
const LONGEST = 64 * 1024;

/** Reads the header of a request. */
export function readAuthorization({ headers, rawHeaders }: IncomingMessage): Authorization {
  const header = headers.authorization;
  if (header === undefined) return NONE;
  const space = header.indexOf(' ');
  const scheme = (space < 0 ? header : header.slice(0, space)).toLowerCase();
  const value = space < 0 ? '' : header.slice(space + 1).trim();
  // Node keeps the first of several, so another part of the system might go by another one.
  if (isRepeated(rawHeaders)) return { scheme, value: '', fault: 'more than one Authorization header' };
  if (value.length > LONGEST) return { scheme, value: '', fault: 'a credential that is too long' };
  return { scheme, value };
}

function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 13 && name.toLowerCase() === 'authorization') count++;
  }
  return count > 1;
}

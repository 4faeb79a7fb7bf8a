import { isIP } from 'node:net';
import { parseUrl } from './parse-url.js';

/** White space, control characters and backslashes, which the URL parser drops or turns into something else. */
const DISGUISED = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/;

/** The part between `//` and the path, as it was written. */
function writtenAuthority(url: string): string | undefined {
  return /^https?:\/\/([^/?#]+)/i.exec(url)?.[1];
}

/** What keeps a text from being an absolute http or https URL without user information, or `undefined`. */
export function httpUrlFault(url: string): string | undefined {
  const parsed = parseUrl(url);
  if (!parsed) return 'must be an absolute URL';
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return 'must be an http or https URL';
  if (parsed.username !== '' || parsed.password !== '' || writtenAuthority(url)?.includes('@'))
    return 'must not contain user information';
  return undefined;
}

/** What keeps an http URL from naming its host plainly, or `undefined`. Disguises exist to get past lists of hosts. */
export function spellingFault(url: string): string | undefined {
  if (DISGUISED.test(url)) return 'must not contain white space, control characters or backslashes';
  const host = writtenAuthority(url)?.replace(/:\d*$/, '').toLowerCase();
  if (host === undefined) return 'must have a host behind "//"';
  if (host.includes('%')) return 'must not have a percent-encoded host';
  // Fullwidth letters and the like become plain ones on the way to the resolver.
  if (host.normalize('NFKC') !== host.normalize('NFC')) return 'must write its host in plain letters';

  const parsed = new URL(url).hostname;
  if (isIP(parsed) === 4 && host !== parsed) return 'must write an IPv4 address as four decimal numbers';
  if (parsed.startsWith('[')) return undefined;
  if (parsed.endsWith('.')) return 'must not have a host that ends with a dot';
  return parsed.split('.').includes('') ? 'must have a host without empty labels' : undefined;
}

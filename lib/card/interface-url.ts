import { InvalidParamsError } from '../protocol/index.js';
import { parseUrl } from '../net/parse-url.js';

/** What a request says of the address it came to. */
export interface RequestAddress {
  /** The `Host` header (`:authority` over HTTP/2). */
  readonly host: string | undefined;
  /** Whether the connection itself is TLS. Forwarded headers do not count: anybody can send them. */
  readonly secure: boolean;
  /** Where the server listens, for requests without a host. */
  readonly localAddress?: string;
  readonly localPort?: number;
}

// A registered name, an IPv4 address or a bracketed IPv6 address, and a port: nothing that could end the authority.
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The origin that a request was sent to.
 *
 * @throws InvalidParamsError if the host is none
 */
export function originOf(request: RequestAddress): string {
  const scheme = request.secure ? 'https' : 'http';
  const given = request.host?.trim() ?? '';
  const host = given === '' ? listeningHost(request) : given;
  if (!HOST.test(host) || !parseUrl(`${scheme}://${host}`)) {
    throw new InvalidParamsError([{ field: 'Host', description: 'the header is not a host' }]);
  }
  return `${scheme}://${host.toLowerCase()}`;
}

/** `https://example.com` and `api`, `/a2a` make `https://example.com/api/a2a`. */
export function joinUrl(origin: string, ...paths: readonly string[]): string {
  const segments = paths.flatMap((path) => path.split('/')).filter((segment) => segment !== '');
  return [origin, ...segments].join('/');
}

/** What is wrong with a `publicUrl`, or `undefined`. */
export function publicUrlFault(value: unknown): string | undefined {
  const rule = 'must be a URL that starts with http:// or https:// and has no query, fragment or user';
  if (typeof value !== 'string' || !/^https?:\/\/[^/\s]/i.test(value) || /[\s?#\\]/.test(value)) return rule;
  const url = parseUrl(value);
  return url?.username === '' && url.password === '' ? undefined : rule;
}

/** A `publicUrl` without its trailing slashes. */
export function trimPublicUrl(value: string): string {
  return value.replace(/\/+$/, '');
}

function listeningHost({ localAddress = 'localhost', localPort }: RequestAddress): string {
  const address = localAddress.includes(':')
    ? `[${localAddress.replace(/^::ffff:(?=\d+\.)/i, '')}]`
    : localAddress;
  const host = /^\[\d+\.[\d.]+\]$/.test(address) ? address.slice(1, -1) : address;
  return localPort === undefined ? host : `${host}:${localPort}`;
}

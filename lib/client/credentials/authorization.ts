import { InternalError } from '../../protocol/index.js';
import type { HttpRequest } from '../http-transport.js';
import type { Credential } from './credential-provider.js';

/** What is added to a request to prove who sends it. */
export interface Authorization {
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
}

/** What an {@link Authorizer} is asked for. */
export interface AuthorizationContext {
  readonly origin: string;
  /** What was sent and answered with a 401; `undefined` at first. */
  readonly rejected: Authorization | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Gives what proves who sends a request, for every request anew. */
export type Authorizer = (context: AuthorizationContext) => Authorization | Promise<Authorization>;

/** An `Authorization` header with a token. */
export function bearer(token: string): Authorization {
  return { headers: { authorization: `Bearer ${withoutScheme(token, 'Bearer')}` } };
}

/** An `Authorization` header with a name and a password (RFC 7617). */
export function basic(credential: Credential): Authorization {
  return { headers: { authorization: `Basic ${basicValue(credential)}` } };
}

/** Any other HTTP scheme, whose credential is what stands behind its name. */
export function otherScheme(scheme: string, credential: string): Authorization {
  return { headers: { authorization: `${scheme} ${withoutScheme(credential, scheme)}` } };
}

/** A key where the agent wants it. */
export function apiKey(location: string, name: string, value: string): Authorization {
  switch (location.toLowerCase()) {
    case 'query':
      return { query: { [name]: value } };
    case 'cookie':
      return { cookies: { [name]: value } };
    default:
      return { headers: { [name.toLowerCase()]: value } };
  }
}

/** All that several give; of two values for one place the later one counts. */
export function combine(authorizations: readonly Authorization[]): Authorization {
  return {
    headers: merged(authorizations.map(({ headers }) => headers)),
    query: merged(authorizations.map(({ query }) => query)),
    cookies: merged(authorizations.map(({ cookies }) => cookies)),
  };
}

function merged(
  records: readonly (Readonly<Record<string, string>> | undefined)[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(records.flatMap((record) => Object.entries(record ?? {})));
}

/**
 * The request with its proof.
 *
 * @throws InternalError if a value cannot be sent; it never says the value
 */
export function authorize(request: HttpRequest, authorization: Authorization): HttpRequest {
  const { headers = {}, query = {}, cookies = {} } = authorization;
  for (const [name, value] of Object.entries({ ...headers, ...cookies })) {
    if (typeof value !== 'string' || !/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)) {
      throw new InternalError(`The credential for "${name}" has characters that no header can hold`);
    }
  }
  const cookie = [
    headers.cookie ?? request.headers.cookie,
    ...Object.entries(cookies).map(([name, value]) => `${name}=${value}`),
  ]
    .filter((part) => part !== undefined)
    .join('; ');
  return {
    ...request,
    url: withQuery(request.url, query),
    headers: { ...request.headers, ...headers, ...(cookie !== '' && { cookie }) },
  };
}

function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  if (Object.keys(query).length === 0) return url;
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  return target.href;
}

function basicValue(credential: Credential): string {
  if (typeof credential === 'string') {
    // Base64 has no colon, so that without one it is encoded already.
    const given = withoutScheme(credential, 'Basic');
    return given.includes(':') ? Buffer.from(given, 'utf8').toString('base64') : given;
  }
  const { username, password } = credential;
  if (username.includes(':')) throw new InternalError('A user name for HTTP Basic must not contain a colon');
  return Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
}

function withoutScheme(credential: string, scheme: string): string {
  const prefix = `${scheme} `;
  return credential.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase()
    ? credential.slice(prefix.length)
    : credential;
}

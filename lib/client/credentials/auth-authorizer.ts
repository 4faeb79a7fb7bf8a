import type { HttpTransport } from '../http-transport.js';
import { apiKey, basic, bearer, type Authorization, type Authorizer } from './authorization.js';
import type { AuthHeaders, ClientAuth } from './client-auth.js';
import { OAuth2TokenSource } from './oauth2-client-credentials.js';

/** What is needed to fetch tokens. */
export interface TokenFetching {
  /** The agent's name, for errors. */
  readonly agent: string;
  readonly transport: HttpTransport;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Sends what the option `auth` says. */
export function authAuthorizer(auth: ClientAuth, fetching: TokenFetching): Authorizer {
  if (typeof auth === 'function') {
    return async ({ origin, rejected }) =>
      ofFunction(await auth({ origin, rejected: rejected !== undefined }));
  }
  if ('bearer' in auth) return () => bearer(auth.bearer);
  if ('basic' in auth) return () => basic(auth.basic);
  if ('apiKey' in auth) {
    const { name, value, in: location = 'header' } = auth.apiKey;
    return () => apiKey(location, name, value);
  }
  const tokens = new OAuth2TokenSource(auth.oauth2, fetching.agent, fetching.transport, fetching.timeout);
  return async ({ rejected, signal }) => {
    const refused = rejected?.headers?.authorization?.replace(/^Bearer /, '');
    return bearer(await tokens.token(refused, signal));
  };
}

function ofFunction(given: AuthHeaders | string | undefined): Authorization {
  if (!given) return {};
  if (typeof given === 'string') return bearer(given);
  return {
    headers: Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])),
  };
}

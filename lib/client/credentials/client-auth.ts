import type { OAuth2ClientCredentials } from './oauth2-client-credentials.js';

/** When a function is asked for a credential. */
export interface AuthContext {
  /** The origin that the request goes to. */
  readonly origin: string;
  /** The agent has answered 401 to what was sent. */
  readonly rejected: boolean;
}

/**
 * How a client proves who it is, whatever the agent's card says. Give one of these.
 *
 * @publicApi
 */
export type ClientAuth =
  /** A token. */
  | { readonly bearer: string }
  /** HTTP Basic. */
  | { readonly basic: { readonly username: string; readonly password: string } }
  /** An API key. */
  | { readonly apiKey: ApiKeyAuth }
  /** Tokens of an authorization server, fetched and renewed as needed (RFC 6749 4.4). */
  | { readonly oauth2: OAuth2ClientCredentials }
  /**
   * Headers, or a bearer token, for each request. After an answer 401 it is asked once more with `rejected: true`; if it
   * gives something else then, the request is sent again, once.
   */
  | ((context: AuthContext) => AuthHeaders | string | undefined | Promise<AuthHeaders | string | undefined>);

/** Headers by name. */
export type AuthHeaders = Readonly<Record<string, string>>;

/** A key and where the agent wants it. */
export interface ApiKeyAuth {
  /** The name of the header, query parameter or cookie. */
  readonly name: string;
  readonly value: string;
  /** Default `header`. */
  readonly in?: 'header' | 'query' | 'cookie';
}

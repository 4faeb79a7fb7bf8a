import type { SecurityScheme } from '../../protocol/index.js';

/**
 * What proves who a client is: a token or an API key, or a name and password for HTTP Basic (also as `name:password`).
 *
 * @publicApi
 */
export type Credential = string | { readonly username: string; readonly password: string };

/** What a credential is needed for. */
export interface CredentialContext {
  /** The origin that the request goes to, such as `https://agent.example.com`. */
  readonly origin: string;
  /** How the agent's card describes the scheme (§4.5). */
  readonly scheme: SecurityScheme;
  /** The scopes that the card requires. */
  readonly scopes: readonly string[];
  /** `true` after the agent has answered 401 to what was sent: the time to give a new one. It is asked once. */
  readonly rejected: boolean;
}

/**
 * Gives credentials by the name that a security scheme has in the agent's card. Asked for every request.
 *
 * Extend it to take them from where they are: a vault, a session, a file.
 *
 * @publicApi
 */
export abstract class CredentialProvider {
  /** The credential for a scheme, or `undefined`: then the request goes out without it. */
  abstract getCredential(
    scheme: string,
    context: CredentialContext,
  ): Credential | undefined | Promise<Credential | undefined>;
}

/**
 * Credentials by the name of their scheme: `new InMemoryCredentialStore({ bearerAuth: token })`.
 *
 * @publicApi
 */
export class InMemoryCredentialStore extends CredentialProvider {
  readonly #credentials: Map<string, Credential>;

  constructor(credentials: Readonly<Record<string, Credential>> = {}) {
    super();
    this.#credentials = new Map(Object.entries(credentials));
  }

  getCredential(scheme: string): Credential | undefined {
    return this.#credentials.get(scheme);
  }

  /** Takes a credential for the requests to come. */
  set(scheme: string, credential: Credential): this {
    this.#credentials.set(scheme, credential);
    return this;
  }

  delete(scheme: string): boolean {
    return this.#credentials.delete(scheme);
  }
}

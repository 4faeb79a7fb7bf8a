import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** What these tests use of the package, which has no types. */
interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly Client: { find(id: string): Promise<unknown> };
  readonly Grant: new (options: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
  readonly AccessToken: new (options: object) => { save(): Promise<string>; destroy(): Promise<void> };
}
const PACKAGE = 'oidc-provider';
const { Provider } = (await import(PACKAGE)) as {
  Provider: new (issuer: string, options: object) => Provider;
};

export const RESOURCE = 'https://agent.example/a2a';
export const CLIENT = { client_id: 'caller', client_secret: 'caller-secret' };

/** A real provider on 127.0.0.1, whose keys can be rotated, and which can be down. */
export class IdentityProvider {
  /** Requests by path. */
  readonly requests: string[] = [];
  #provider: Provider | undefined;
  #server: Server | undefined;
  #port = 0;

  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    await provider.run(await newKey('key-1'));
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** With these keys, of which it signs with the first; also after {@link stop}, at the same port. */
  async run(...keys: JWK[]): Promise<void> {
    const server = createServer((request, response) => {
      this.requests.push(new URL(request.url ?? '', this.issuer).pathname);
      void this.#provider?.callback()(request, response);
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#provider = new Provider(this.issuer, configuration(keys));
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /** An access token of the client, a JWT for {@link RESOURCE}. */
  async clientToken(scope: string): Promise<string> {
    const basic = Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString('base64');
    const response = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: RESOURCE, scope }),
    });
    const answer = (await response.json()) as { access_token?: string };
    if (answer.access_token === undefined) throw new Error(`no token: ${JSON.stringify(answer)}`);
    return answer.access_token;
  }

  /** An opaque access token of a user, as if that one had logged in. */
  async userToken(accountId: string, scope: string): Promise<{ value: string; revoke: () => Promise<void> }> {
    const provider = this.#provider!;
    const client = await provider.Client.find(CLIENT.client_id);
    const grant = new provider.Grant({ accountId, clientId: CLIENT.client_id });
    grant.addOIDCScope(scope);
    const grantId = await grant.save();
    const token = new provider.AccessToken({ accountId, client, grantId, scope, gty: 'authorization_code' });
    return { value: await token.save(), revoke: () => token.destroy() };
  }
}

/** A key to sign with. */
export async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
}

function configuration(keys: JWK[]): object {
  return {
    jwks: { keys },
    scopes: ['openid', 'a2a:invoke'],
    clients: [{ ...CLIENT, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'a2a:invoke other',
          audience: RESOURCE,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
}

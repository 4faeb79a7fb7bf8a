import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { describe, expect, it, onTestFinished } from 'vitest';
import { A2AClientFactory } from 'nest-a2a';
import { startAgent } from '../support/index.js';

const AUDIENCE = 'urn:agent';

/** A real authorization server that gives JWTs for the agent. */
async function startProvider(): Promise<string> {
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'traveller',
        client_secret: 'a secret: +%&',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: ['a2a:invoke'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        getResourceServerInfo: () => ({
          scope: 'a2a:invoke',
          audience: AUDIENCE,
          accessTokenFormat: 'jwt' as const,
          accessTokenTTL: 600,
        }),
      },
    },
  });
  const handle = provider.callback();
  return issuer;
}

describe('with oidc-provider', () => {
  it('S-31, S-32, S-37: a client fetches tokens that our own agent takes', async () => {
    const issuer = await startProvider();
    const agent = await startAgent({
      adapter: 'express',
      binding: 'http-json',
      auth: [{ jwt: { issuer, audience: AUDIENCE, jwksUrl: `${issuer}/jwks` }, scopes: ['a2a:invoke'] }],
      execute: async ({ call }, task) => task.complete(`Hello ${call.identity}`),
    });
    const url = await agent.app.getUrl();
    const oauth2 = {
      tokenUrl: `${issuer}/token`,
      clientId: 'traveller',
      clientSecret: 'a secret: +%&',
      scopes: ['a2a:invoke'],
    };
    const factory = new A2AClientFactory();
    const client = await factory.connect(url, { auth: { oauth2 } });
    await expect(client.sendText('hi')).resolves.toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Hello traveller' }] } },
    });

    const stranger = await factory.connect(url);
    await expect(stranger.sendText('hi')).rejects.toMatchObject({ name: 'AuthenticationError' });

    const wrong = { ...oauth2, clientSecret: 'wrong' };
    await expect(factory.connect(url, { auth: { oauth2: wrong } })).rejects.toMatchObject({
      name: 'InternalError',
      message: expect.stringMatching(/HTTP 401: invalid_client/) as string,
    });
    // Without the scope the agent knows the caller, and refuses.
    const unscoped = await factory.connect(url, { auth: { oauth2: { ...oauth2, scopes: [] } } });
    await expect(unscoped.sendText('hi')).rejects.toMatchObject({ name: 'AuthorizationError' });
  });
});

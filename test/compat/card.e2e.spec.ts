import { AgentCard as PeerCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { generateKeyPairSync } from 'node:crypto';
import type { AgentCard } from 'nest-a2a';
import { describe, expect, it } from 'vitest';
import { CardKeys } from '../../lib/client/card/card-keys.js';
import { CardVerifier } from '../../lib/client/card/card-verifier.js';
import { basic, bearer, JWT, tokenOf } from '../auth/tokens.js';
import { startAgent, type AdapterName, type AgentOptions } from '../support/index.js';
import { Calls03 } from './calls-03.js';

const CARD: AgentOptions['card'] = {
  name: 'Both',
  description: 'For clients of both versions',
  version: '2.1.0',
  documentationUrl: 'https://docs.example',
  skills: [{ id: 's', name: 'S', description: 'd', tags: ['t'] }],
};
const AUTH: AgentOptions['auth'] = [
  { jwt: JWT, scopes: ['a2a:invoke'] },
  { basic: { allowPlainText: true, users: { u: 'plain:p' } } },
];

const start = async (adapter: AdapterName, options: AgentOptions = {}) => {
  const agent = await startAgent({
    adapter,
    binding: 'http-json',
    compat: { v0_3: true },
    card: CARD,
    publicUrl: 'https://agent.example',
    execute: async (_context, task) => task.complete(),
    ...options,
  });
  return { agent, calls: new Calls03(agent) };
};

describe.each(['express', 'fastify'] as const)('the card for clients of both versions on %s', (adapter) => {
  it('O-V03-02: says all that either of them reads', async () => {
    const { agent } = await start(adapter);
    const url = 'https://agent.example/a2a';
    const { skills, ...card } = (await agent.card()) as AgentCard & Record<string, unknown>;
    expect(card).toEqual({
      name: 'Both',
      description: 'For clients of both versions',
      version: '2.1.0',
      documentationUrl: 'https://docs.example',
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false },
      supportedInterfaces: [
        { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
        { url, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
      ],
      protocolVersion: '0.3.0',
      url,
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [
        { url, transport: 'JSONRPC' },
        { url, transport: 'HTTP+JSON' },
      ],
      supportsAuthenticatedExtendedCard: false,
    });
    expect(skills).toHaveLength(1);
    const fetched = () => agent.request('GET', '/.well-known/agent-card.json');
    const [first, second] = [await fetched(), await fetched()];
    expect([first.headers.etag, first.json]).toEqual([second.headers.etag, second.json]);
  });

  it('O-V03-09: has the security of what is served in both layouts', async () => {
    const { agent } = await start(adapter, { auth: AUTH });
    const { securitySchemes, securityRequirements, security } = (await agent.card()) as AgentCard & {
      security: object[];
    };
    const [bearerName = '', basicName = ''] = Object.keys(securitySchemes ?? {});
    expect(securitySchemes?.[bearerName]).toMatchObject({
      type: 'http',
      scheme: 'Bearer',
      httpAuthSecurityScheme: { scheme: 'Bearer' },
    });
    expect(securitySchemes?.[basicName]).toMatchObject({ type: 'http', scheme: 'Basic' });
    expect(security).toEqual(
      securityRequirements?.map(({ schemes }) =>
        Object.fromEntries(Object.entries(schemes).map(([name, { list }]) => [name, list])),
      ),
    );
  });

  it('a tenant has a card of 1.0 alone, since its tasks cannot be named in 0.3', async () => {
    const { agent } = await start(adapter, { tenants: ['acme'] });
    const { json } = await agent.request('GET', '/a2a/acme/.well-known/agent-card.json');
    const { supportedInterfaces, ...card } = json as AgentCard;
    expect(supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual(['1.0', '1.0']);
    expect(card).not.toHaveProperty('url');
  });

  it('O-CARD-06: its signatures hold for who reads all of it, and for who reads 1.0 alone', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    // The SDK drops every empty value from what is signed, so that the card has none.
    const { agent } = await start(adapter, {
      signing: { key: privateKey, kid: 'k', alg: 'ES256' },
    });
    const card = (await agent.card()) as AgentCard & Record<string, unknown>;
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k' };
    const keys = new CardKeys({ jwks: { keys: [jwk] }, jkuHosts: undefined, transport: nobody });
    const verifier = new CardVerifier({ policy: 'require', allowDroppedEmpties: false }, keys);
    await expect(verifier.verify(card, 'test')).resolves.toBeUndefined();
    for (const other of [
      { ...card, url: 'https://evil.example' },
      { ...card, name: 'x' },
    ])
      await expect(verifier.verify(other, 'test')).rejects.toThrow('is not what was signed');

    const verify = verifyAgentCardSignature(() => Promise.resolve(publicKey));
    await expect(verify(PeerCard.fromJSON(card))).resolves.toBeUndefined();
    await expect(verify(PeerCard.fromJSON({ ...card, name: 'x' }))).rejects.toThrow('No valid signatures');
  });

  it('O-V03-03: the extended card comes in both bindings of 0.3', async () => {
    const { calls } = await start(adapter, {
      auth: AUTH,
      extendedCard: ({ identity }) => ({ ...(CARD as object), description: `for ${identity}` }) as never,
    });
    const headers = bearer(await tokenOf('user-a', { scope: 'a2a:invoke' }));
    const rpc = await calls.rpc('agent/getAuthenticatedExtendedCard', undefined, headers);
    expect(rpc.json.result).toMatchObject({
      description: 'for user-a',
      protocolVersion: '0.3.0',
      supportsAuthenticatedExtendedCard: true,
      supportedInterfaces: [{ protocolVersion: '1.0' }, {}, {}, {}],
    });
    const rest = await calls.rest('GET', '/card', undefined, headers);
    expect(rest.headers['cache-control']).toContain('private');
    const { securitySchemes, supportedInterfaces, ...card } = rest.json;
    expect(supportedInterfaces).toBeUndefined();
    expect(card).toMatchObject({
      description: 'for user-a',
      preferredTransport: 'JSONRPC',
      security: [{ schemes: expect.any(Object) as object }, {}],
    });
    for (const scheme of Object.values<object>(securitySchemes)) {
      expect(Object.keys(scheme)).toEqual(['httpAuthSecurityScheme']);
    }
    const none = await start(adapter, { auth: AUTH, extendedCard: null });
    const missing = await none.calls.rpc('agent/getAuthenticatedExtendedCard', undefined, basic('u', 'p'));
    expect(missing.json.error).toMatchObject({ code: -32007 });
  });
});

const nobody = (): Promise<never> => Promise.reject(new Error('nothing is fetched here'));

import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, FlattenedSign } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  A2AClientFactory,
  InMemoryCredentialStore,
  type AgentClientOptions,
  type SecurityScheme,
} from 'nest-a2a';
import { canonicalJson } from '../../lib/protocol/index.js';
import { startServer, type FakeServer } from './card-server.js';
import { errorOf } from './wire-server.js';

/** When an agent is called as one of 0.3, and with what. */

const factory = new A2AClientFactory();
const OLD_CARD = {
  protocolVersion: '0.3.0',
  name: 'Old',
  description: 'An agent of 0.3',
  version: '2.0',
  preferredTransport: 'JSONRPC',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};
const TASK_03 = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } };
const TASK = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };

/** An agent that has this card, and answers calls of both versions at `/rpc` and `/rest`. */
async function startAgent(card: (origin: string) => object, extended: object = {}): Promise<FakeServer> {
  const server = await startServer(({ path, body }) => {
    if (path.includes('/.well-known/')) return { body: card(server.origin) };
    if (!path.startsWith('/rpc')) return { body: path.includes('/v1/') ? { ...TASK, ...TASK_03 } : TASK };
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const result = method.endsWith('Card') ? extended : method.includes('/') ? TASK_03 : TASK;
    return { body: { jsonrpc: '2.0', id, result } };
  });
  return server;
}

const old =
  (more: object = {}) =>
  (origin: string): object => ({ ...OLD_CARD, url: `${origin}/rpc`, ...more });

const methodOf = ({ requests }: FakeServer): string =>
  (JSON.parse(requests.at(-1)!.body) as { method: string }).method;

describe('a client of an agent with a card of 0.3', () => {
  it('O-4, O-5, O-6, O-9, O-V03-02: calls it in that version, which can be read', async () => {
    const agent = await startAgent(old());
    const client = await factory.connect(agent.origin);
    expect(await client.version()).toBe('0.3');
    expect(await client.agentInterface()).toEqual({
      url: `${agent.origin}/rpc`,
      protocolBinding: 'JSONRPC',
      protocolVersion: '0.3',
    });
    expect(await client.getTask({ id: 't' })).toEqual(TASK);
    expect(methodOf(agent)).toBe('tasks/get');
  });

  it('O-6: takes its JSON-RPC, wherever it stands, and HTTP+JSON where there is no other', async () => {
    const both = await startAgent((origin) => ({
      ...OLD_CARD,
      url: `${origin}/rest`,
      preferredTransport: 'HTTP+JSON',
      additionalInterfaces: [
        { url: `${origin}/grpc`, transport: 'GRPC' },
        { url: `${origin}/rpc`, transport: 'JSONRPC' },
      ],
    }));
    const { protocolBinding } = await (await factory.connect(both.origin)).agentInterface();
    expect(protocolBinding).toBe('JSONRPC');
    const pinned = await factory.connect(both.origin, { bindings: ['HTTP+JSON'] });
    expect(await pinned.getTask({ id: 't' })).toEqual(TASK);
    expect(both.paths().at(-1)).toBe('/rest/v1/tasks/t');
  });

  it('O-7: is not made where it speaks nothing but gRPC, or is older', async () => {
    for (const more of [{ preferredTransport: 'GRPC' }, { protocolVersion: '0.2.6' }]) {
      const agent = await startAgent(old(more));
      const error = await errorOf(factory.connect(agent.origin));
      expect(error.name).toBe('NoCompatibleInterfaceError');
      expect(error.message).toContain('preferredTransport' in more ? 'GRPC 0.3' : 'JSONRPC 0.2');
    }
  });

  it('O-7, O-10: is not made where another version is pinned', async () => {
    const agent = await startAgent(old());
    const error = await errorOf(factory.connect(agent.origin, { protocolVersion: '1.0' }));
    expect(error.name).toBe('NoCompatibleInterfaceError');
    expect(error.message).toContain('JSONRPC 0.3; needed is HTTP+JSON or JSONRPC 1.x');
  });

  it('O-34: fails locally for an extended card that is not declared, and goes by one that is', async () => {
    const extended = {
      ...OLD_CARD,
      name: 'For you',
      url: 'https://a.example',
      capabilities: { pushNotifications: true },
    };
    const plain = await factory.connect((await startAgent(old(), extended)).origin);
    expect((await errorOf(plain.getExtendedAgentCard())).name).toBe('UnsupportedOperationError');
    const agent = await startAgent(old({ supportsAuthenticatedExtendedCard: true }), extended);
    const client = await factory.connect(agent.origin, { auth: { bearer: 't' } });
    const config = { taskId: 't', id: 'c' };
    expect((await errorOf(client.getTaskPushNotificationConfig(config))).name).toBe(
      'PushNotificationNotSupportedError',
    );
    expect((await client.getExtendedAgentCard()).name).toBe('For you');
    expect(agent.requests.at(-1)!.headers.authorization).toBe('Bearer t');
    expect(methodOf(agent)).toBe('agent/getAuthenticatedExtendedCard');
    expect((await client.card())?.name).toBe('For you');
    await errorOf(client.getTaskPushNotificationConfig(config));
    expect(methodOf(agent)).toBe('tasks/pushNotificationConfig/get');
  });

  it('O-V03-09: sends the credentials that the same card of 1.0 would ask for', async () => {
    const flows = { clientCredentials: { tokenUrl: 'https://idp', scopes: { s: '' } } };
    const schemes: [string, object, SecurityScheme][] = [
      [
        'key',
        { type: 'apiKey', in: 'header', name: 'X-Key' },
        { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
      ],
      ['bearer', { type: 'http', scheme: 'bearer' }, { httpAuthSecurityScheme: { scheme: 'bearer' } }],
      ['o', { type: 'oauth2', flows }, { oauth2SecurityScheme: { flows } }],
      [
        'oidc',
        { type: 'openIdConnect', openIdConnectUrl: 'https://idp' },
        { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://idp' } },
      ],
    ];
    for (const [name, oldScheme, scheme] of schemes) {
      const options: AgentClientOptions = { credentials: new InMemoryCredentialStore({ [name]: 'c-1' }) };
      const oldAgent = await startAgent(
        old({ securitySchemes: { [name]: oldScheme }, security: [{ other: [] }, { [name]: ['s'] }] }),
      );
      const newAgent = await startAgent((origin) => ({
        ...OLD_CARD,
        supportedInterfaces: [{ url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
        securitySchemes: { [name]: scheme },
        securityRequirements: [{ schemes: { other: {} } }, { schemes: { [name]: { list: ['s'] } } }],
      }));
      const sent = [];
      for (const agent of [oldAgent, newAgent]) {
        await (await factory.connect(agent.origin, options)).getTask({ id: 't' });
        const { authorization, 'x-key': key } = agent.requests.at(-1)!.headers;
        sent.push({ authorization, key });
      }
      expect(sent[0]).toEqual(sent[1]);
      expect(Object.values(sent[0]!).join()).toContain('c-1');
    }
  });

  it('O-CARD-06, O-34: holds the signatures of its cards to what was sent', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] };
    const signed = async (card: object): Promise<object> => {
      const payload = new TextEncoder().encode(canonicalJson(card));
      const { protected: header, signature } = await new FlattenedSign(payload)
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .sign(privateKey);
      return { ...card, signatures: [{ protected: header, signature }] };
    };
    let extended: object = {};
    let card: object = {};
    const agent = await startServer(({ path, body }) =>
      path.includes('/.well-known/')
        ? { body: card }
        : { body: { jsonrpc: '2.0', id: (JSON.parse(body) as { id: number }).id, result: extended } },
    );
    const plain = { ...OLD_CARD, url: `${agent.origin}/rpc`, supportsAuthenticatedExtendedCard: true };
    card = await signed(plain);
    extended = await signed({ ...plain, name: 'For you' });
    const options: AgentClientOptions = { signatures: { policy: 'require', jwks } };
    const client = await factory.connect(agent.origin, options);
    expect((await client.getExtendedAgentCard()).name).toBe('For you');
    extended = { ...extended, name: 'Forged' };
    expect((await errorOf(client.getExtendedAgentCard())).name).toBe('CardSignatureError');
  });
});

describe('a client of an agent that offers both versions', () => {
  const both = (origin: string): object => ({
    ...OLD_CARD,
    url: `${origin}/rpc`,
    supportedInterfaces: [
      { url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ],
  });

  it('O-6, O-9, O-10: speaks 1.0, and 0.3 where that is pinned', async () => {
    const agent = await startAgent(both);
    const client = await factory.connect(agent.origin);
    expect(await client.version()).toBe('1.0');
    await client.getTask({ id: 't' });
    expect([methodOf(agent), agent.requests.at(-1)!.headers['a2a-version']]).toEqual(['GetTask', '1.0']);
    const pinned = await factory.connect(agent.origin, { protocolVersion: '0.3' });
    expect(await pinned.version()).toBe('0.3');
    await pinned.getTask({ id: 't' });
    expect([methodOf(agent), agent.requests.at(-1)!.headers['a2a-version']]).toEqual(['tasks/get', '0.3']);
  });

  it('O-V03-08: does not fall back to 0.3 where 1.0 cannot be reached', async () => {
    const agent = await startAgent((origin) => ({
      ...OLD_CARD,
      supportedInterfaces: [
        { url: 'http://127.0.0.1:9/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
    }));
    const client = await factory.connect(agent.origin, { retry: false });
    expect((await errorOf(client.getTask({ id: 't' }))).name).toBe('TransportError');
    expect(agent.paths()).toEqual(['/.well-known/agent-card.json']);
  });
});

describe('a client without a card', () => {
  it('O-11: is made for 1.0 unless it is told another version', async () => {
    const agent = await startAgent(old());
    const url = `${agent.origin}/rpc`;
    const expected = [
      [await factory.create({ url }), 'GetTask'],
      [await factory.create({ url, protocolVersion: '0.3' }), 'tasks/get'],
      [await factory.create({ url }, { protocolVersion: '0.3' }), 'tasks/get'],
      [await factory.create({ url, protocolVersion: '1.0' }, { protocolVersion: '0.3' }), 'GetTask'],
    ] as const;
    for (const [client, method] of expected) {
      expect(await client.getTask({ id: 't' })).toEqual(TASK);
      expect(methodOf(agent)).toBe(method);
      expect(await client.version()).toBe(method === 'GetTask' ? '1.0' : '0.3');
    }
    const rest = await factory.create({ url: agent.origin, binding: 'HTTP+JSON', protocolVersion: '0.3' });
    expect(await rest.getTask({ id: 't' })).toEqual(TASK);
    expect(agent.paths().at(-1)).toBe('/v1/tasks/t');
  });

  it('O-7: is not made for a version that is not spoken', async () => {
    for (const made of [
      factory.create({ url: 'https://x.example', protocolVersion: '0.2' as '0.3' }),
      factory.create({ url: 'https://x.example' }, { protocolVersion: '2.0' as '1.0' }),
    ]) {
      const error = await errorOf(made);
      expect(error.name).toBe('InvalidParamsError');
      expect(error.message).toContain('must be "1.0" or "0.3"');
    }
  });
});

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  A2AClientFactory,
  AgentCardResolver,
  CredentialProvider,
  InMemoryCredentialStore,
  rebaseEndpoint,
  securityRequirementsOf,
  type AgentCard,
  type ClientAuth,
  type CredentialContext,
} from 'nest-a2a';
import { cardOf, startServer, TASK, type Answer, type FakeServer, type SeenRequest } from './card-server.js';

const BEARER = { httpAuthSecurityScheme: { scheme: 'Bearer' } };
const BASIC = { httpAuthSecurityScheme: { scheme: 'basic' } };
const keyIn = (location: string, name: string) => ({ apiKeySecurityScheme: { location, name } });
const needs = (...names: string[]) => ({
  schemes: Object.fromEntries(names.map((name) => [name, { list: [] }])),
});

/** An agent whose card is at its own origin, and that answers calls by a function. */
async function startAgent(
  card: Partial<AgentCard>,
  answer: Answer = () => ({ body: TASK }),
): Promise<FakeServer> {
  const server: FakeServer = await startServer((request) =>
    request.path.startsWith('/.well-known/')
      ? { body: cardOf(`${server.origin}/a2a`, card) }
      : answer(request),
  );
  return server;
}

/** The calls that an agent got, without the fetches of its card. */
function calls({ requests }: FakeServer): SeenRequest[] {
  return requests.filter(({ path }) => !path.startsWith('/.well-known/'));
}

const factory = new A2AClientFactory();

describe('credentials by the name of their scheme', () => {
  it('S-34, S-35, S-37: a store gives several to one agent, and the requirement says which', async () => {
    const agent = await startAgent({
      securitySchemes: { staffAuth: BEARER, apiKeyAuth: keyIn('header', 'X-API-Key'), other: BEARER },
      securityRequirements: [needs('staffAuth', 'apiKeyAuth')],
    });
    const credentials = new InMemoryCredentialStore({ staffAuth: 't-1', apiKeyAuth: 'k-1', unused: 'u' });
    const client = await factory.connect(agent.origin, { credentials });
    await client.getTask({ id: 't-1' });
    credentials.set('staffAuth', 't-2');
    await client.getTask({ id: 't-1' });
    expect(calls(agent).map(({ headers }) => [headers.authorization, headers['x-api-key']])).toEqual([
      ['Bearer t-1', 'k-1'],
      ['Bearer t-2', 'k-1'],
    ]);
    // The card was fetched before anything was known of it.
    expect(agent.requests[0]?.headers.authorization).toBeUndefined();
  });

  it.each([
    [
      BASIC,
      'Basic',
      { username: 'ann', password: 'p:ä' },
      `Basic ${Buffer.from('ann:p:ä').toString('base64')}`,
    ],
    [BASIC, 'text', 'ann:p', `Basic ${Buffer.from('ann:p').toString('base64')}`],
    [BASIC, 'encoded', 'YW5uOnA=', 'Basic YW5uOnA='],
    [BEARER, 'with its scheme', 'bearer t', 'Bearer t'],
    [{ httpAuthSecurityScheme: { scheme: 'DPoP' } }, 'another', 't', 'DPoP t'],
    [{ openIdConnectSecurityScheme: { openIdConnectUrl: 'https://idp' } }, 'OpenID', 't', 'Bearer t'],
    [
      { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://idp', scopes: {} } } } },
      'OAuth',
      't',
      'Bearer t',
    ],
  ])('S-31: %o, %s', async (scheme, _name, credential, sent) => {
    const agent = await startAgent({ securitySchemes: { s: scheme }, securityRequirements: [needs('s')] });
    const client = await factory.connect(agent.origin, {
      credentials: new InMemoryCredentialStore({ s: credential }),
    });
    await client.getTask({ id: 't-1' });
    expect(calls(agent)[0]?.headers.authorization).toBe(sent);
  });

  it('S-31: keys go where the card wants them', async () => {
    const agent = await startAgent({
      securitySchemes: { q: keyIn('query', 'api key'), c: keyIn('cookie', 'session') },
      securityRequirements: [needs('q', 'c')],
    });
    const credentials = new InMemoryCredentialStore({ q: 'a&b', c: 's-1' });
    const client = await factory.connect(agent.origin, { credentials, headers: { cookie: 'theme=dark' } });
    await client.getTask({ id: 't-1', historyLength: 0 });
    const [call] = calls(agent);
    expect(new URL(`http://x${call?.path}`).searchParams.get('api key')).toBe('a&b');
    expect(new URL(`http://x${call?.path}`).searchParams.get('historyLength')).toBe('0');
    expect(call?.headers.cookie).toBe('theme=dark; session=s-1');
  });

  it('S-36: what a provider does not have is left out, and the agent decides', async () => {
    const agent = await startAgent({
      securitySchemes: { a: BEARER, b: keyIn('header', 'x-key') },
      securityRequirements: [needs('a', 'b')],
    });
    const nothing = await factory.connect(agent.origin, { credentials: new InMemoryCredentialStore() });
    await nothing.getTask({ id: 't-1' });
    const partly = await factory.connect(agent.origin, {
      credentials: new InMemoryCredentialStore({ b: 'k' }),
    });
    await partly.getTask({ id: 't-1' });
    expect(calls(agent).map(({ headers }) => [headers.authorization, headers['x-key']])).toEqual([
      [undefined, undefined],
      [undefined, 'k'],
    ]);
  });

  it('S-34: of several requirements the first that is satisfied as a whole counts', async () => {
    const agent = await startAgent({
      securitySchemes: {
        a: BEARER,
        b: keyIn('header', 'x-b'),
        c: keyIn('header', 'x-c'),
        m: { mtlsSecurityScheme: {} },
      },
      securityRequirements: [{ schemes: {} }, needs('a', 'b'), needs('m', 'c'), needs('b')],
    });
    const credentials = new InMemoryCredentialStore({ b: 'b', c: 'c' });
    const client = await factory.connect(agent.origin, { credentials });
    await client.getTask({ id: 't-1' });
    const [call] = calls(agent);
    expect([call?.headers['x-b'], call?.headers['x-c']]).toEqual([undefined, 'c']);
  });

  it('S-38: a skill may require its own, and one that says nothing inherits those of the card', async () => {
    const skill = { name: 's', description: '', tags: [] };
    const card = {
      securitySchemes: { staff: BEARER, payroll: keyIn('header', 'x-payroll') },
      securityRequirements: [needs('staff')],
      skills: [
        { ...skill, id: 'pay', securityRequirements: [needs('payroll')] },
        { ...skill, id: 'chat', securityRequirements: [] },
      ],
    };
    const agent = await startAgent(card);
    const credentials = new InMemoryCredentialStore({ staff: 't', payroll: 'p' });
    for (const id of ['pay', 'chat']) {
      const client = await factory.connect(agent.origin, { credentials, skill: id });
      await client.getTask({ id: 't-1' });
    }
    expect(calls(agent).map(({ headers }) => [headers.authorization, headers['x-payroll']])).toEqual([
      [undefined, 'p'],
      ['Bearer t', undefined],
    ]);
    const full = cardOf('http://x', card);
    expect(securityRequirementsOf(full, 'pay')).toEqual([needs('payroll')]);
    expect(securityRequirementsOf(full, 'chat')).toEqual([needs('staff')]);
  });

  it('S-34: an own provider is asked for each request, with what the card says of the scheme', async () => {
    const agent = await startAgent({
      securitySchemes: { a: BEARER },
      securityRequirements: [{ schemes: { a: { list: ['read'] } } }],
    });
    const asked: CredentialContext[] = [];
    class Vault extends CredentialProvider {
      async getCredential(_scheme: string, context: CredentialContext): Promise<string> {
        asked.push(context);
        return `t-${asked.length}`;
      }
    }
    const client = await factory.connect(agent.origin, { credentials: new Vault() });
    await client.getTask({ id: 't-1' });
    await client.getTask({ id: 't-1' });
    expect(asked).toEqual(
      Array(2).fill({ origin: agent.origin, scheme: BEARER, scopes: ['read'], rejected: false }),
    );
    expect(calls(agent).map(({ headers }) => headers.authorization)).toEqual(['Bearer t-1', 'Bearer t-2']);
  });
});

describe('credentials whatever the card says', () => {
  it.each<[string, ClientAuth, Record<string, string>]>([
    ['a token', { bearer: 't' }, { authorization: 'Bearer t' }],
    ['a password', { basic: { username: 'a', password: 'b' } }, { authorization: 'Basic YTpi' }],
    ['a key', { apiKey: { name: 'X-Key', value: 'k' } }, { 'x-key': 'k' }],
    ['a function with headers', () => ({ 'X-Tenant-Key': 'v' }), { 'x-tenant-key': 'v' }],
    ['a function with a token', async () => 'fresh', { authorization: 'Bearer fresh' }],
  ])('O-54, S-31: %s, for the card too', async (_name, auth, sent) => {
    const agent = await startAgent({});
    const client = await factory.connect(agent.origin, { auth });
    await client.getTask({ id: 't-1' });
    expect(agent.requests).toHaveLength(2);
    for (const { headers } of agent.requests) expect(headers).toMatchObject(sent);
  });

  it('O-54: a function runs before every request', async () => {
    const agent = await startAgent({});
    let token = 0;
    const client = await factory.connect(agent.origin, { auth: () => `t-${++token}` });
    await client.getTask({ id: 't-1' });
    await client.getTask({ id: 't-1' });
    expect(agent.requests.map(({ headers }) => headers.authorization)).toEqual(
      ['t-1', 't-2', 't-3'].map((each) => `Bearer ${each}`),
    );
  });

  it('S-33, S-47: a function that fails fails its call only, as an InternalError', async () => {
    const agent = await startAgent({});
    let isDown = false;
    const auth = () => {
      if (isDown) throw new Error('the vault said secret');
      return 't';
    };
    const client = await factory.connect(agent.origin, { auth });
    isDown = true;
    const error = await client.getTask({ id: 't-1' }).catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ name: 'InternalError', cause: { message: 'the vault said secret' } });
    expect((error as Error).message).not.toContain('secret');
    isDown = false;
    await expect(client.getTask({ id: 't-1' })).resolves.toMatchObject({ id: 't-1' });
  });

  it('never says a value that cannot be sent', async () => {
    const agent = await startAgent({});
    const auth = { bearer: 'secret\r\nX-Evil: 1' };
    const error = await factory.connect(agent.origin, { auth }).catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ name: 'InternalError' });
    expect(String(error)).not.toContain('secret');
    expect(agent.requests).toEqual([]);
  });

  it('S-42, S-43: a card behind credentials is had with them', async () => {
    const agent = await startServer(({ headers }) =>
      headers.authorization === 'Bearer t' ? { body: cardOf('http://x') } : { status: 401 },
    );
    await expect(new AgentCardResolver().resolve(agent.origin)).rejects.toMatchObject({
      name: 'AuthenticationError',
    });
    const resolver = new AgentCardResolver({ auth: { bearer: 't' } });
    await expect(resolver.resolve(agent.origin)).resolves.toMatchObject({ name: 'Fake Agent' });
  });
});

describe('a 401', () => {
  const send = { message: { messageId: 'm-1', role: 'ROLE_USER' as const, parts: [{ text: 'hi' }] } };
  const refuse: Answer = () => ({ status: 401, headers: { 'www-authenticate': 'Bearer' } });

  it('O-AUTH-10: is tried again once with another credential, and then it is the answer', async () => {
    const agent = await startAgent({}, refuse);
    let token = 0;
    const client = await factory.connect(agent.origin, { auth: () => `t-${++token}` });
    await expect(client.sendMessage(send)).rejects.toMatchObject({ name: 'AuthenticationError' });
    expect(calls(agent).map(({ headers }) => headers.authorization)).toEqual(['Bearer t-2', 'Bearer t-3']);
    expect(new Set(calls(agent).map(({ body }) => body)).size).toBe(1);
  });

  it('O-AUTH-10: is not tried again with the same', async () => {
    const agent = await startAgent({}, refuse);
    const client = await factory.connect(agent.origin, { auth: { bearer: 't' } });
    await expect(client.sendMessage(send)).rejects.toMatchObject({ name: 'AuthenticationError' });
    expect(calls(agent)).toHaveLength(1);
  });

  it('O-AUTH-10: tells the provider that its credential was refused', async () => {
    const agent = await startAgent(
      { securitySchemes: { a: BEARER }, securityRequirements: [needs('a')] },
      ({ headers }) => (headers.authorization === 'Bearer new' ? { body: { task: TASK } } : { status: 401 }),
    );
    class Renewing extends CredentialProvider {
      getCredential(_scheme: string, { rejected }: CredentialContext): string {
        return rejected ? 'new' : 'old';
      }
    }
    const client = await factory.connect(agent.origin, { credentials: new Renewing() });
    await expect(client.sendMessage(send)).resolves.toMatchObject({ id: 't-1' });
    expect(calls(agent)).toHaveLength(2);
  });

  it('makes up for a card that describes a scheme and forgets to require it', async () => {
    const agent = await startAgent({ securitySchemes: { a: BEARER } }, ({ headers }) =>
      headers.authorization === 'Bearer t' ? { body: TASK } : { status: 401 },
    );
    const client = await factory.connect(agent.origin, {
      credentials: new InMemoryCredentialStore({ a: 't' }),
    });
    await expect(client.getTask({ id: 't-1' })).resolves.toMatchObject({ id: 't-1' });
  });
});

describe('whom credentials go to', () => {
  const secrets = {
    auth: { bearer: 'secret' },
    credentials: new InMemoryCredentialStore({ key: 'secret' }),
    headers: { 'X-Api-Key': 'secret', 'X-Trace': 'open' },
  };
  const card = (url: string) =>
    cardOf(url, {
      securitySchemes: { key: keyIn('query', 'key') },
      securityRequirements: [needs('key')],
    });
  const seen = ({ requests }: FakeServer) => JSON.stringify(requests);

  /** An agent whose card names another origin. */
  async function strayed(): Promise<{ home: FakeServer; other: FakeServer }> {
    const other = await startServer(() => ({ body: TASK }));
    const home = await startServer(() => ({ body: card(`${other.origin}/rpc`) }));
    return { home, other };
  }

  it('O-DISC-05: not to another origin that the card names', async () => {
    const { home, other } = await strayed();
    const client = await factory.connect(home.origin, secrets);
    await client.getTask({ id: 't-1' });
    expect(seen(home)).toContain('secret');
    expect(other.requests[0]?.headers).toMatchObject({ 'x-trace': 'open' });
    expect(seen(other)).not.toContain('secret');
  });

  it('O-DISC-05: nor those among the headers of one call, but to one that is trusted', async () => {
    const { home, other } = await strayed();
    const headers = { Authorization: 'Bearer secret', 'X-Trace': 'open' };
    const client = await factory.connect(home.origin);
    await client.getTask({ id: 't-1' }, { headers });
    expect(other.requests[0]?.headers).toMatchObject({ 'x-trace': 'open' });
    expect(seen(other)).not.toContain('secret');
    const trusting = await factory.connect(home.origin, { trustedOrigins: [other.origin] });
    await trusting.getTask({ id: 't-1' }, { headers });
    expect(other.requests[1]?.headers.authorization).toBe('Bearer secret');
  });

  it('are not seen in the objects that have them', async () => {
    const agent = await startAgent({});
    const client = await factory.connect(agent.origin, secrets);
    const { headers } = secrets;
    for (const made of [client, new A2AClientFactory({ headers }), new AgentCardResolver({ headers })]) {
      expect(inspect(made, { depth: 10 }) + JSON.stringify(made)).not.toContain('secret');
    }
  });

  it('O-DISC-05: to one that is trusted in so many words', async () => {
    const { home, other } = await strayed();
    const client = await factory.connect(home.origin, { ...secrets, trustedOrigins: [`${other.origin}/`] });
    await client.getTask({ id: 't-1' });
    expect(other.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'x-api-key': 'secret',
    });
    expect(other.paths()[0]).toContain('key=secret');
  });

  it('O-DISC-05: not by way of a card that was resolved before', async () => {
    const { home, other } = await strayed();
    const resolved = await new AgentCardResolver().resolve(home.origin);
    const client = await factory.fromCard(resolved, secrets);
    await client.getTask({ id: 't-1' });
    expect(seen(other)).not.toContain('secret');
  });

  it('O-DISC-05: to the interface of a card that the caller wrote, and to a URL that the caller chose', async () => {
    const { home, other } = await strayed();
    const written = await factory.fromCard(card(`${other.origin}/rpc`), secrets);
    await written.getTask({ id: 't-1' });
    const created = await factory.create({ url: `${other.origin}/rpc`, binding: 'HTTP+JSON' }, secrets);
    await created.getTask({ id: 't-1' });
    const rewritten = await factory.connect(home.origin, {
      ...secrets,
      rewriteEndpoint: (url) => `${home.origin}${new URL(url).pathname}`,
    });
    await rewritten.getTask({ id: 't-1' }).catch(() => undefined);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer secret',
      'Bearer secret',
    ]);
    expect(home.requests.at(-1)).toMatchObject({ headers: { authorization: 'Bearer secret' } });
  });

  it('O-DISC-05: never by a redirect', async () => {
    const other = await startServer(() => ({ body: TASK }));
    const agent = await startAgent({}, () => ({ status: 307, headers: { location: `${other.origin}/x` } }));
    const client = await factory.connect(agent.origin, secrets);
    await expect(client.getTask({ id: 't-1' })).rejects.toMatchObject({ status: 'INTERNAL' });
    expect(other.requests).toEqual([]);
  });

  it('O-12: rebaseEndpoint keeps the path, and takes scheme, host and port', () => {
    const rebase = rebaseEndpoint('https://public.example:8443/ignored?x');
    const agentInterface = { url: '', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    expect(rebase('http://127.0.0.1:8080/a2a/rpc?v=1', agentInterface)).toBe(
      'https://public.example:8443/a2a/rpc?v=1',
    );
    expect(() => rebaseEndpoint('nowhere')).toThrow(TypeError);
  });
});

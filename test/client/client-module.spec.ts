import { Injectable, Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  A2AClient,
  A2AClientFactory,
  A2AClientModule,
  AgentCardResolver,
  getA2AClientToken,
  InjectA2AClient,
  type A2AClientModuleOptions,
  type AgentCard,
  type AgentOptions,
} from 'nest-a2a';
import { DRIVERS, startAgent } from '../support/index.js';
import { cardOf, startServer, TASK, type FakeServer } from './card-server.js';

@Module({})
class Root {}

/** An application that imports these; it is closed when the test is over. */
async function start(...imports: DynamicModule[]): Promise<INestApplicationContext> {
  const app = await NestFactory.createApplicationContext(
    { module: Root, imports },
    { logger: false, abortOnError: false },
  );
  onTestFinished(() => app.close());
  return app;
}

/** The client of the only agent that an application has. */
async function clientOf(agent: AgentOptions): Promise<A2AClient> {
  const app = await start(A2AClientModule.forRoot({ agents: { it: agent } }));
  return app.get(getA2AClientToken('it'));
}

/** An agent whose card is at its own origin. */
async function fakeAgent(
  card: (origin: string) => unknown = (origin) => cardOf(`${origin}/a2a`),
): Promise<FakeServer> {
  const server: FakeServer = await startServer(({ path }) =>
    path.includes('/.well-known/') ? { body: card(server.origin) } : { body: TASK },
  );
  return server;
}

const fetches = ({ requests }: FakeServer) =>
  requests.filter(({ path }) => path.includes('/.well-known/')).length;

/** Groups of options with a fault in them, and what is said of it. */
const OAUTH2 = { tokenUrl: 'https://t', clientId: 'a', clientSecret: 'b' };
const WRONG_GROUPS: [object, string][] = [
  [{ reconnect: { maxAttempt: 3 } }, 'reconnect.maxAttempt is not an option; did you mean "maxAttempts"?'],
  [{ reconnect: { jitter: 2 } }, 'reconnect.jitter must be a number from 0 to 1'],
  [{ reconnect: '3' }, 'reconnect must be a number of attempts, or a policy'],
  [{ retry: { attempt: 3 } }, 'retry.attempt is not an option; did you mean "attempts"?'],
  [{ retry: { attempts: '3' } }, 'retry.attempts must be a whole number'],
  [{ http: { proxi: true } }, 'http.proxi is not an option; did you mean "proxy"?'],
  [{ http: { tls: { certs: 'c' } } }, 'http.tls.certs is not an option; did you mean "cert"?'],
  [{ guard: { allows: ['x'] } }, 'guard.allows is not an option; did you mean "allow"?'],
  [
    { signatures: { policy: 'require', jwks: { keys: [] }, jkuHost: ['x'] } },
    'signatures.jkuHost is not an option; did you mean "jkuHosts"?',
  ],
  [
    { auth: { oauth2: { ...OAUTH2, scope: ['x'] } } },
    'auth.oauth2.scope is not an option; did you mean "scopes"?',
  ],
  [{ auth: { oauth2: { ...OAUTH2, scopes: 'x' } } }, 'auth.oauth2.scopes must be a list of texts'],
  [
    { auth: { oauth2: { ...OAUTH2, method: 'post' } } },
    'auth.oauth2.method must be "client_secret_basic" or',
  ],
  [{ auth: { basic: { username: 'u', password: 'p', realm: 'r' } } }, 'auth.basic.realm is not an option'],
  [{ auth: { apiKey: { name: 'x', value: 'p', on: 'query' } } }, 'auth.apiKey.on is not an option'],
];

describe('A2AClientModule', () => {
  it.each(Object.keys(DRIVERS) as (keyof typeof DRIVERS)[])(
    'S-1, S-8: an injected client finds our own agent by its root and calls it over %s',
    async (binding) => {
      const agent = await startAgent({
        adapter: 'express',
        binding,
        bindings: [binding],
        execute: async ({ text }, task) => task.complete(`You said ${text}`),
      });
      @Injectable()
      class Traveller {
        constructor(@InjectA2AClient('echo') readonly echo: A2AClient) {}
      }
      @Module({ providers: [Traveller], exports: [Traveller] })
      class Feature {}
      const app = await start(
        A2AClientModule.forRoot({ agents: { echo: { url: await agent.app.getUrl() } } }),
        { module: Feature },
      );
      const result = await app.get(Traveller, { strict: false }).echo.sendText('hello');
      expect(result).toMatchObject({
        status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'You said hello' }] } },
      });
    },
  );

  it('connects with the first call, once for many, and remembers no failure', async () => {
    let isUp = false;
    const agent = await fakeAgent((origin) => (isUp ? cardOf(`${origin}/a2a`) : {}));
    const client = await clientOf({ url: agent.origin });
    expect(agent.requests).toEqual([]);
    await expect(client.getTask({ id: 't-1' })).rejects.toMatchObject({ name: 'AgentCardError' });
    isUp = true;
    await Promise.all(Array.from({ length: 10 }, () => client.getTask({ id: 't-1' })));
    expect(fetches(agent)).toBe(2);
    await client.getTask({ id: 't-1' });
    expect(fetches(agent)).toBe(2);
  });

  it('S-5: an application ends with nothing to close', async () => {
    const agent = await fakeAgent();
    const client = await clientOf({ url: agent.origin });
    await client.getTask({ id: 't-1' });
    expect(client).not.toHaveProperty('close');
  });

  describe('connect: "start"', () => {
    const starting = (url: string) =>
      start(A2AClientModule.forRoot({ connect: 'start', agents: { it: { url } } }));

    it('S-1: connects before the application is there', async () => {
      const agent = await fakeAgent();
      const app = await starting(agent.origin);
      expect(fetches(agent)).toBe(1);
      await app.get<A2AClient>(getA2AClientToken('it')).getTask({ id: 't-1' });
      expect(fetches(agent)).toBe(1);
    });

    it('S-2: an agent of bindings that are not spoken fails the start', async () => {
      const agent = await fakeAgent((origin) =>
        cardOf(origin, {
          supportedInterfaces: [{ url: origin, protocolBinding: 'GRPC', protocolVersion: '1.0' }],
        }),
      );
      await expect(starting(agent.origin)).rejects.toMatchObject({ name: 'NoCompatibleInterfaceError' });
    });

    it('S-3: so does an agent that is not there', async () => {
      await expect(starting('http://127.0.0.1:9')).rejects.toMatchObject({ name: 'TransportError' });
    });

    it('S-4: and one whose card is none', async () => {
      const agent = await fakeAgent(() => '<html>');
      await expect(starting(agent.origin)).rejects.toMatchObject({ name: 'AgentCardError' });
    });
  });

  it('S-6: a given card is not fetched again', async () => {
    const agent = await fakeAgent();
    const card = await new AgentCardResolver().resolve(agent.origin);
    const client = await clientOf({ card });
    await client.getTask({ id: 't-1' });
    expect(await client.card()).toBe(card);
    const other = await new A2AClientFactory().fromCard({ ...card });
    await other.getTask({ id: 't-1' });
    expect(fetches(agent)).toBe(1);
  });

  it('O-11: an interface is called without a card, over JSON-RPC unless told otherwise', async () => {
    const agent = await startServer(({ path, body }) =>
      path === '/rpc'
        ? { body: { jsonrpc: '2.0', id: (JSON.parse(body) as { id: unknown }).id, result: TASK } }
        : { body: TASK },
    );
    const rpc = await clientOf({ endpoint: { url: `${agent.origin}/rpc` } });
    await rpc.getTask({ id: 't-1' });
    expect(await rpc.card()).toBeUndefined();
    const rest = await new A2AClientFactory().create({
      url: `${agent.origin}/rest`,
      binding: 'HTTP+JSON',
      tenant: 'acme',
    });
    await rest.getTask({ id: 't-1' });
    expect(agent.paths()).toEqual(['/rpc', '/rest/acme/tasks/t-1']);
    const other = { url: agent.origin, binding: 'GRPC' as 'JSONRPC' };
    await expect(new A2AClientFactory().create(other)).rejects.toMatchObject({
      name: 'InvalidParamsError',
      violations: [{ field: 'binding' }],
    });
  });

  it('O-8, O-9, O-10, O-55: interface, version, tenant, headers and extensions are those of the options', async () => {
    const agent = await fakeAgent((origin) =>
      cardOf(origin, {
        supportedInterfaces: [
          { url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: `${origin}/rest`, protocolBinding: 'http+json', protocolVersion: '1.0', tenant: 'acme' },
        ],
      }),
    );
    const options = {
      url: agent.origin,
      bindings: ['HTTP+JSON'],
      protocolVersion: '1.0',
      headers: { 'X-Request-Source': 'tests' },
      extensions: ['urn:x'],
    } as const;
    const client = await clientOf(options);
    await client.getTask({ id: 't-1' });
    expect(await client.version()).toBe('1.0');
    expect(await client.agentInterface()).toMatchObject({ url: `${agent.origin}/rest`, tenant: 'acme' });
    const other = await clientOf({ ...options, tenant: 'other' });
    await other.getTask({ id: 't-1' });
    const calls = agent.requests.filter(({ path }) => path.startsWith('/rest'));
    expect(calls.map(({ path }) => path)).toEqual(['/rest/acme/tasks/t-1', '/rest/other/tasks/t-1']);
    expect(calls[0]?.headers).toMatchObject({ 'x-request-source': 'tests', 'a2a-extensions': 'urn:x' });
  });

  it('O-12: rewriteEndpoint changes the URL that is called', async () => {
    const agent = await fakeAgent(() => cardOf('http://0.0.0.0:1/a2a'));
    const { rebaseEndpoint } = await import('nest-a2a');
    const client = await clientOf({ url: agent.origin, rewriteEndpoint: rebaseEndpoint(agent.origin) });
    await client.getTask({ id: 't-1' });
    expect(agent.paths().at(-1)).toBe('/a2a/tasks/t-1');
  });

  it('S-47: what makes no sense to a factory is an InvalidParamsError, and what is absent hides no default', async () => {
    const agent = await fakeAgent();
    const factory = new A2AClientFactory({ headers: { 'X-Source': 'tests' } });
    const wrong = { timeout: -1, trustedOrigins: ['nowhere'], tmeout: 1 } as object;
    await expect(factory.connect(agent.origin, wrong)).rejects.toMatchObject({
      name: 'InvalidParamsError',
      violations: [
        { field: 'tmeout', description: expect.stringContaining('"timeout"') as string },
        { field: 'timeout' },
        { field: 'trustedOrigins' },
      ],
    });
    for (const url of ['', 'nowhere', 'ftp://x']) {
      await expect(factory.connect(url)).rejects.toMatchObject({ name: 'AgentCardError' });
      await expect(factory.create({ url })).rejects.toMatchObject({ name: 'AgentCardError' });
    }
    await expect(factory.fromCard({} as AgentCard)).rejects.toMatchObject({ name: 'AgentCardError' });
    const absent = { timeout: undefined, auth: null, headers: undefined } as object;
    const client = await factory.connect(agent.origin, absent);
    await client.getTask({ id: 't-1' });
    expect(agent.requests.at(-1)?.headers).toMatchObject({ 'x-source': 'tests', 'a2a-version': '1.0' });
    expect(agent.requests[0]?.headers).toMatchObject({ 'a2a-version': '1.0' });
  });

  it.each([
    ...WRONG_GROUPS,
    [{ timeot: 1 }, 'timeot is not an option; did you mean "timeout"?'] as [object, string],
  ])('the factory and the resolver say what is wrong with %o', async (options, said) => {
    const [field = '', ...description] = said.split(' ');
    const fault = expect.objectContaining({
      field,
      description: expect.stringContaining(description.join(' ')) as string,
    }) as unknown;
    const wrong = { name: 'InvalidParamsError', violations: [fault] };
    await expect(new A2AClientFactory().connect('https://x', options)).rejects.toMatchObject(wrong);
    const isOfAgent = 'auth' in options;
    const isOfClient = 'reconnect' in options || 'retry' in options;
    if (!isOfAgent) expect(() => new A2AClientFactory(options)).toThrow(expect.objectContaining(wrong));
    if (!isOfClient) expect(() => new AgentCardResolver(options)).toThrow(expect.objectContaining(wrong));
  });

  it('forRootAsync takes options from a factory, whose agents are named beside it', async () => {
    const agent = await fakeAgent();
    const app = await start(
      A2AClientModule.forRootAsync({
        names: ['it'],
        useFactory: async () => ({ timeout: 5_000, agents: { it: { url: agent.origin } } }),
      }),
    );
    await app.get<A2AClient>(getA2AClientToken('it')).getTask({ id: 't-1' });
    expect(app.get(A2AClientFactory)).toBeInstanceOf(A2AClientFactory);
    expect(app.get(AgentCardResolver)).toBeInstanceOf(AgentCardResolver);
  });

  it('without agents there are a factory and a resolver', async () => {
    const agent = await fakeAgent();
    const app = await start(A2AClientModule.forRoot({}));
    const client = await app.get(A2AClientFactory).connect(agent.origin);
    await expect(client.getTask({ id: 't-1' })).resolves.toMatchObject({ id: 't-1' });
  });

  describe('its options', () => {
    const faults = async (module: DynamicModule): Promise<string> =>
      start(module).then(
        () => 'none',
        (error: unknown) => (error as Error).message,
      );

    it.each<[unknown, string]>([
      [{ agents: { w: {} } }, 'agents.w.url is missing: give "url", "card" or "endpoint"'],
      [{ agents: { w: { url: 'agent.example.com' } } }, 'agents.w.url must be an absolute http or https URL'],
      [{ agents: { w: { url: 'https://u:p@x' } } }, 'agents.w.url must be'],
      [
        { agents: { w: { url: 'https://x', endpoint: { url: 'https://x' } } } },
        'agents.w.endpoint cannot stand beside "url"',
      ],
      [
        { agents: { w: { url: 'https://x', timeot: 1 } } },
        'agents.w.timeot is not an option; did you mean "timeout"?',
      ],
      [
        { agents: { w: { url: 'https://x', timeout: -1 } } },
        'agents.w.timeout must be a number of milliseconds, more than 0',
      ],
      [
        { agents: { w: { endpoint: { url: 'https://x', bindings: 'JSONRPC' } } } },
        'agents.w.endpoint.bindings is not an option; did you mean "binding"?',
      ],
      [{ agents: { w: { endpoint: { url: 'https://x', binding: 'GRPC' } } } }, 'agents.w.endpoint must be'],
      [
        { agents: { w: { endpoint: { url: 'https://x', protocolVersion: '0.2' } } } },
        'agents.w.endpoint must be',
      ],
      [
        { agents: { w: { url: 'https://x', protocolVersion: '0.30' } } },
        'agents.w.protocolVersion must be "1.0" or "0.3"',
      ],
      [{ agents: { w: { url: 'https://x', bindings: ['GRPC'] } } }, 'agents.w.bindings must be a list of'],
      [{ agents: { w: { url: 'https://x', auth: { bearer: '' } } } }, 'agents.w.auth must be'],
      [
        {
          agents: {
            w: { url: 'https://x', auth: { oauth2: { tokenUrl: 'x', clientId: 'a', clientSecret: 'b' } } },
          },
        },
        'agents.w.auth must be',
      ],
      [{ agents: { w: { url: 'https://x', credentials: { a: 'b' } } } }, 'agents.w.credentials must be'],
      [{ agents: { w: { url: 'https://x', trustedOrigins: ['x'] } } }, 'agents.w.trustedOrigins must be'],
      [{ agents: { w: { url: 'https://x', guard: { allow: ['/'] } } } }, 'agents.w.guard must be'],
      [{ agents: { w: { url: 'https://x', reconnect: -1 } } }, 'agents.w.reconnect must be'],
      ...WRONG_GROUPS.map(([agent, said]): [unknown, string] => [
        { agents: { w: { url: 'https://x', ...agent } } },
        `agents.w.${said}`,
      ]),
      [
        { reconnect: { maxAttempt: 3 } },
        'reconnect.maxAttempt is not an option; did you mean "maxAttempts"?',
      ],
      [{ http: { tls: { keys: 'k' } } }, 'http.tls.keys is not an option; did you mean "key"?'],
      [{ signatures: { policy: 'require' } }, 'signatures must have a "policy"'],
      [{ headers: { Authorization: 'Bearer t' } }, 'headers.authorization looks like a credential'],
      [{ auth: { bearer: 't' } }, 'auth is not an option'],
      [{ connect: 'later' }, 'connect must be "first-use" or "start"'],
      [{ agents: [] }, 'agents must be an object'],
    ])('%o: %s', async (options, said) => {
      expect(await faults(A2AClientModule.forRoot(options as A2AClientModuleOptions))).toContain(said);
    });

    it('never say a secret', async () => {
      const auth = { bearer: 'secret', extra: 1 };
      const options = { agents: { w: { url: 'x', auth, headers: { a: 1 } } } };
      const said = await faults(A2AClientModule.forRoot(options as unknown as A2AClientModuleOptions));
      expect(said).toContain('agents.w.auth');
      expect(said).not.toContain('secret');
    });

    it('of a factory must have the agents that are named', async () => {
      const agents = { a: { url: 'https://a' }, b: { url: 'https://b' } };
      const said = await faults(
        A2AClientModule.forRootAsync({ names: ['b', 'c'], useFactory: () => ({ agents }) }),
      );
      expect(said).toContain('agents.c is missing');
      expect(said).toContain('agents.a must be in "names"');
    });
  });
});

describe('the card of a client', () => {
  const withExtended = (origin: string): AgentCard =>
    cardOf(`${origin}/a2a`, { capabilities: { extendedAgentCard: true } });

  it('O-34, O-DISC-04, S-44: the extended card takes its place, for this client only', async () => {
    const extended = { name: 'For you', capabilities: { extendedAgentCard: true, streaming: true } };
    const server: FakeServer = await startServer(({ path, headers }) => {
      if (path.endsWith('/extendedAgentCard')) {
        return headers.authorization === 'Bearer t'
          ? { body: cardOf(`${server.origin}/a2a`, extended) }
          : { status: 401 };
      }
      return { body: path.includes('/.well-known/') ? withExtended(server.origin) : TASK };
    });
    const factory = new A2AClientFactory();
    const client = await factory.connect(server.origin, { auth: { bearer: 't' } });
    const stranger = await factory.connect(server.origin);
    expect(await client.card()).toMatchObject({ name: 'Fake Agent' });
    await expect(client.getExtendedAgentCard()).resolves.toMatchObject({ name: 'For you' });
    expect(await client.card()).toMatchObject({ name: 'For you', capabilities: { streaming: true } });
    expect(await stranger.card()).toMatchObject({ name: 'Fake Agent' });
    await expect(stranger.getExtendedAgentCard()).rejects.toMatchObject({ name: 'AuthenticationError' });
    await client.getTask({ id: 't-1' });
  });

  it('S-44, O-34: without the capability nothing is asked for', async () => {
    const agent = await fakeAgent();
    const client = await new A2AClientFactory().connect(agent.origin);
    await expect(client.getExtendedAgentCard()).rejects.toMatchObject({ name: 'UnsupportedOperationError' });
    expect(agent.requests).toHaveLength(1);
  });

  it('O-DISC-04: a client sees what its agent has changed', async () => {
    let version = '1';
    const agent = await fakeAgent((origin) => cardOf(`${origin}/v${version}`, { version }));
    const client = await new A2AClientFactory().connect(agent.origin);
    await client.getTask({ id: 't-1' });
    version = '2';
    expect(await client.card()).toMatchObject({ version: '2' });
    await client.getTask({ id: 't-1' });
    expect(agent.paths().filter((path) => path.includes('/tasks/'))).toEqual([
      '/v1/tasks/t-1',
      '/v2/tasks/t-1',
    ]);
  });

  it('O-DISC-04: calls look at an expired card again beside their work, and go on without it when it is gone', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      let reply: () => unknown = () => cardOf(`${agent.origin}/v1`);
      const agent = await fakeAgent(() => reply());
      const client = await new A2AClientFactory().connect(agent.origin);
      const called = async () => {
        await client.getTask({ id: 't-1' });
        return agent
          .paths()
          .filter((path) => path.includes('/tasks/'))
          .at(-1);
      };
      reply = () => cardOf(`${agent.origin}/v2`, { version: '2' });
      vi.setSystemTime(Date.now() + 59_000);
      expect(await called()).toBe('/v1/tasks/t-1');
      expect(fetches(agent)).toBe(1);
      vi.setSystemTime(Date.now() + 2_000);
      expect(await called()).toBe('/v1/tasks/t-1');
      await expect.poll(called).toBe('/v2/tasks/t-1');
      expect(fetches(agent)).toBe(2);
      reply = () => 'gone';
      vi.setSystemTime(Date.now() + 61_000);
      await called();
      await expect.poll(() => fetches(agent)).toBe(3);
      expect(await called()).toBe('/v2/tasks/t-1');
    } finally {
      vi.useRealTimers();
    }
  });
});

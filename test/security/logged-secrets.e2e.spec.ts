import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import {
  A2AClientFactory,
  A2AOptionsError,
  AgentCardResolver,
  InMemoryCredentialStore,
  type AgentCard,
  type AgentClientOptions,
  type Task,
} from 'nest-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { basic, bearer, ISSUER, tokenOf } from '../auth/tokens.js';
import { runCommand } from '../cli/run-command.js';
import { statuses } from '../push/webhook-receiver.js';
import { startAgent } from '../support/index.js';
import { LOOPBACK, Webhook } from '../support/webhook.js';
import { basicForms, SecretWatch } from './secret-watch.js';

const TASK: Task = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } };
const BINDINGS = ['HTTP+JSON', 'JSONRPC'] as const;

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** How an agent may behave once it has got a secret. */
const BEHAVIOURS: Record<string, Respond> = {
  refuses: (_request, response) => response.writeHead(401, { 'WWW-Authenticate': 'Bearer realm="a"' }).end(),
  forbids: (_request, response) => response.writeHead(403).end(),
  // As gateways do on their pages.
  'shows the request again': ({ method, url, headers }, response) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
    response.writeHead(502).end(`<h1>Bad gateway</h1>${method} ${url}<pre>${lines.join('\n')}</pre>`);
  },
  'breaks down': (_request, response) => response.writeHead(500).end('Oops'),
  'breaks the connection': (request) => request.destroy(),
  'talks nonsense': (_request, response) => response.end('{"nonsense":'),
  'sends elsewhere': (_request, response) =>
    response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end(),
  'never answers': () => undefined,
};

/** All ways in which a client proves who it is. Add yours here. */
const CREDENTIALS: Record<string, (watch: SecretWatch) => AgentClientOptions> = {
  'a bearer token': (watch) => ({ auth: { bearer: watch.secret('bearer token') } }),
  'a password': (watch) => ({
    auth: { basic: { username: 'ann', password: watch.secret('password', basicForms('ann')) } },
  }),
  'an API key in a header': (watch) => ({
    auth: { apiKey: { name: 'X-Key', value: watch.secret('API key') } },
  }),
  'an API key in the query': (watch) => ({
    auth: { apiKey: { name: 'key', value: watch.secret('API key'), in: 'query' } },
  }),
  'an API key in a cookie': (watch) => ({
    auth: { apiKey: { name: 'key', value: watch.secret('API key'), in: 'cookie' } },
  }),
  'a function': (watch) => {
    const token = watch.secret('token of a function');
    return { auth: () => token };
  },
  headers: (watch) => ({
    headers: { Authorization: `Bearer ${watch.secret('header')}`, Cookie: `a=${watch.secret('cookie')}` },
  }),
  'a store': (watch) => ({
    credentials: new InMemoryCredentialStore({
      bearerAuth: watch.secret('stored token'),
      basicAuth: { username: 'ann', password: watch.secret('stored password', basicForms('ann')) },
      keyAuth: watch.secret('stored key'),
    }),
  }),
};

describe('nothing that is logged holds a secret', () => {
  it('and one that did would be seen', () => {
    const watch = SecretWatch.start();
    new Logger('test').debug(`it is ${watch.secret('logged')}`);
    console.warn(`it is ${watch.secret('printed')}`);
    watch.note(new Error('why', { cause: { deep: { down: [watch.secret('caused')] } } }));
    watch.note(Buffer.from(`ann:${watch.secret('encoded', basicForms('ann'))}`).toString('base64'));
    const kinds = watch.leaks.map((leak) => leak.split(':')[0]);
    expect(kinds).toEqual(['logged', 'printed', 'caused', 'encoded']);
  });

  it.each(Object.keys(CREDENTIALS))('when a client proves who it is by %s', async (kind) => {
    const watch = SecretWatch.start();
    for (const binding of BINDINGS) {
      for (const [name, respond] of [['answers', undefined], ...Object.entries(BEHAVIOURS)] as const) {
        const seen = await startServer(respond);
        const timeout = name === 'never answers' ? 200 : 5_000;
        const options = { ...CREDENTIALS[kind]!(watch), bindings: [binding], retry: false } as const;
        const client = await new A2AClientFactory().connect(seen.url, options);
        await watch.outcome(client.getTask({ id: 't-1' }, { timeout }));
        await watch.outcome(client.sendMessageStream('hi', { timeout }).result());
        expect(seen.calls).toBeGreaterThan(1);
      }
      const gone = await new A2AClientFactory().create(
        { url: 'http://127.0.0.1:9', binding },
        { ...CREDENTIALS[kind]!(watch), retry: false },
      );
      await watch.outcome(gone.getTask({ id: 't-1' }));
    }
    // Silence would prove nothing if nothing was said.
    for (const said of ['HTTP 200', 'AuthenticationError', 'ECONNREFUSED', 'debug: getTask']) {
      expect(watch.log.lines.join('\n')).toContain(said);
    }
    watch.expectSilence();
  });

  it('when tokens are fetched for a client', async () => {
    const watch = SecretWatch.start();
    const agent = await startServer();
    const token = watch.secret('access token');
    const grants: Respond[] = [
      (_request, response) => response.end(JSON.stringify({ access_token: token, token_type: 'Bearer' })),
      (_request, response) => response.writeHead(401).end('{"error":"invalid_client"}'),
      (request) => request.destroy(),
      (request, response) => void request.pipe(response.writeHead(400)),
    ];
    for (const grant of grants) {
      for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
        const idp = await startServer(grant);
        const clientSecret = watch.secret('client secret', basicForms('me'));
        const auth = { oauth2: { tokenUrl: `${idp.url}/token`, clientId: 'me', clientSecret, method } };
        const connecting = new A2AClientFactory().connect(agent.url, { auth });
        await watch.outcome(connecting.then((client) => client.getTask({ id: 't-1' })));
        await watch.outcome(new AgentCardResolver({ auth }).resolve(agent.url));
      }
    }
    watch.expectSilence();
  });

  it('when it stands in the address of an agent', async () => {
    const watch = SecretWatch.start();
    const { url } = await startServer();
    const factory = new A2AClientFactory();
    for (const origin of [url, 'http://127.0.0.1:9']) {
      const withUser = origin.replace('://', `://ann:${watch.secret('password of a URL')}@`);
      const withQuery = `${origin}/a2a?key=${watch.secret('query of a URL')}`;
      for (const address of [withUser, withQuery]) {
        const connecting = factory.connect(address, { retry: false });
        await watch.outcome(connecting.then((client) => client.getTask({ id: 't-1' })));
        const making = factory.create({ url: address, binding: 'HTTP+JSON' }, { retry: false });
        await watch.outcome(making.then((client) => client.getTask({ id: 't-1' })));
        await watch.outcome(new AgentCardResolver().resolve(address));
        await runCommand(['card', address, '--verbose']).then(({ all }) => watch.note(all));
      }
    }
    watch.expectSilence();
  });

  it('when the command line has a token', async () => {
    const watch = SecretWatch.start();
    const env = { A2A_TOKEN: watch.secret('A2A_TOKEN') };
    const header = `X-Key: ${watch.secret('header of the command line')}`;
    for (const respond of [undefined, ...Object.values(BEHAVIOURS)]) {
      const { url } = await startServer(respond);
      const args = ['get', url, 't-1', '--timeout', '0.2', '--verbose', '--header', header];
      watch.note((await runCommand(args, { env })).all);
    }
    watch.expectSilence();
  });

  it('when an agent checks credentials, good and bad', async () => {
    const watch = SecretWatch.start();
    const jwtSecret = watch.secret('JWT secret');
    const password = watch.secret('password', basicForms('ann'));
    const idp = await startServer(undefined, { active: false });
    const agent = await startAgent({
      adapter: 'express',
      binding: 'http-json',
      execute: (_context, task) => task.complete(),
      onAuth: (event) => watch.note(event),
      auth: [
        { jwt: { issuer: ISSUER, audience: 'agent', secret: jwtSecret } },
        {
          introspection: {
            url: `${idp.url}/introspect`,
            clientId: 'agent',
            clientSecret: watch.secret('introspection secret', basicForms('agent')),
          },
        },
        { basic: { users: { ann: `plain:${password}` }, allowPlainText: true } },
      ],
    });
    watch.listen();
    const good = watch.also('good token', await tokenOf('ann', { secret: jwtSecret }));
    const bad = watch.also('bad token', await tokenOf('ann', { secret: `${jwtSecret}x` }));
    const opaque = watch.secret('opaque token');
    const guess = watch.secret('wrong password', basicForms('ann'));
    const attempts = [
      bearer(good),
      bearer(bad),
      bearer(opaque),
      basic('ann', password),
      basic('ann', guess),
      basic('bob', guess),
      { Authorization: `Digest ${watch.secret('unknown scheme')}` },
      { Cookie: `session=${watch.secret('cookie')}` },
    ];
    const answered = [];
    for (const headers of attempts) {
      const response = await fetch(`${await agent.app.getUrl()}/a2a/tasks?key=${watch.secret('query')}`, {
        headers: { ...headers, 'A2A-Version': '1.0' } as Record<string, string>,
      });
      answered.push(response.status);
      watch.note(await response.text());
    }
    expect(answered.slice(0, 2)).toEqual([200, 401]);
    expect(watch.log.lines.length).toBeGreaterThan(0);
    watch.expectSilence();
  });

  it('when a directory is away', async () => {
    const watch = SecretWatch.start();
    const bindPassword = watch.secret('LDAP password');
    const ldap = { url: 'ldap://127.0.0.1:9', searchBase: 'dc=example', bindDn: 'cn=agent', bindPassword };
    const execute = async () => undefined;
    const starting = startAgent({ adapter: 'express', binding: 'http-json', execute, auth: [{ ldap }] });
    expect(await watch.outcome(starting)).toBeInstanceOf(A2AOptionsError);
    watch.expectSilence();
  });

  it('when an agent calls webhooks', async () => {
    const watch = SecretWatch.start();
    const agent = await startAgent({
      adapter: 'express',
      binding: 'http-json',
      pushNotifications: LOOPBACK,
      execute: (_context, task) => task.complete(),
    });
    watch.listen();
    const kind = await Webhook.start();
    const unkind = await Webhook.start(statuses(403));
    for (const target of [
      kind.url,
      unkind.url,
      'http://127.0.0.1:9/',
      'http://10.0.0.1/',
      'ftp://a.example/',
    ]) {
      const key = watch.secret('query of a webhook');
      const url = target.replace('://', target.includes('ftp') ? `://u:${watch.secret('user')}@` : '://');
      const sending = agent.call('sendMessage', {
        message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] },
        configuration: {
          taskPushNotificationConfig: {
            url: `${url}?key=${key}`,
            token: watch.secret('webhook token'),
            authentication: { scheme: 'Bearer', credentials: watch.secret('webhook credentials') },
          },
        },
      });
      await watch.outcome(sending.result());
    }
    await expect.poll(() => kind.posts.length + Number(unkind.posts.length > 0)).toBeGreaterThan(1);
    expect(kind.posts[0]?.headers['x-a2a-notification-token']).toMatch(/^s3cr3t/);
    await expect.poll(() => watch.log.lines.length).toBeGreaterThan(0);
    watch.expectSilence();
  });
});

/** A server that has the card of an agent, and answers all else as it is told to: by default with a task. */
async function startServer(
  respond?: Respond,
  answer: object = TASK,
): Promise<{ url: string; calls: number }> {
  const seen = { url: '', calls: 0 };
  const server = createServer((request, response) => {
    if (request.url?.includes('agent-card.json')) {
      response.end(JSON.stringify(cardOf(`${seen.url}/a2a`)));
      return;
    }
    seen.calls += 1;
    if (respond) {
      respond(request, response);
      return;
    }
    request.resume().on('end', () => {
      // Whatever the binding: each finds what it looks for.
      const id = 1;
      response.end(
        JSON.stringify({ ...answer, jsonrpc: '2.0', id: request.method === 'GET' ? TASK.id : id }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  seen.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return seen;
}

function cardOf(url: string): AgentCard {
  return {
    name: 'Agent',
    description: 'For secrets',
    version: '1.0.0',
    supportedInterfaces: (['HTTP+JSON', 'JSONRPC'] as const).map((protocolBinding) => ({
      url,
      protocolBinding,
      protocolVersion: '1.0',
    })),
    capabilities: { streaming: true },
    securitySchemes: {
      bearerAuth: { httpAuthSecurityScheme: { scheme: 'bearer' } },
      basicAuth: { httpAuthSecurityScheme: { scheme: 'basic' } },
      keyAuth: { apiKeySecurityScheme: { name: 'key', location: 'query' } },
    },
    securityRequirements: [{ schemes: { bearerAuth: { list: [] }, keyAuth: { list: [] } } }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
}

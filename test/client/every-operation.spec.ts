import {
  A2AClientFactory,
  isTask,
  isTerminal,
  textOf,
  type A2AClient,
  type AgentClientOptions,
  type AgentCard,
  type HttpTransport,
} from 'nest-a2a';
import { describe, expect, it } from 'vitest';
import { describeAgent } from '../support/index.js';
import { all, errorOf, startServer, type Answer } from './wire-server.js';

const BINDINGS = ['HTTP+JSON', 'JSONRPC'] as const;
const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER' as const, parts: [{ text: 'hi' }] };
const CONFIG = { taskId: 't 1', id: 'c-1', url: 'https://hook.example.com/' };

/** Calls every operation once; what comes back does not matter. */
async function callAll(client: A2AClient): Promise<void> {
  await errorOf(client.sendMessage({ message: MESSAGE }));
  await errorOf(all(client.sendMessageStream({ message: MESSAGE })));
  await errorOf(client.getTask({ id: 't 1' }));
  await errorOf(client.listTasks({}));
  await errorOf(client.cancelTask({ id: 't 1' }));
  await errorOf(all(client.subscribeToTask({ id: 't 1' })));
  await errorOf(client.createTaskPushNotificationConfig(CONFIG));
  await errorOf(client.getTaskPushNotificationConfig({ taskId: 't 1', id: 'c-1' }));
  await errorOf(client.listTaskPushNotificationConfigs({ taskId: 't 1' }));
  await errorOf(client.deleteTaskPushNotificationConfig({ taskId: 't 1', id: 'c-1' }));
  await errorOf(client.getExtendedAgentCard());
}

const failing: Answer = (_request, response) => {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end('{"error":{"code":400,"status":"FAILED_PRECONDITION","message":"no"}}');
};

function cardOf(url: string, binding: string, tenant?: string): AgentCard {
  return {
    name: 'A',
    description: '',
    version: '1',
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    supportedInterfaces: [
      { url, protocolBinding: binding, protocolVersion: '1.0', ...(tenant !== undefined && { tenant }) },
    ],
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
  };
}

describe.each(BINDINGS)('every operation over %s', (binding) => {
  const calling = async (tenant: string | undefined, options: AgentClientOptions = {}) => {
    const server = await startServer(failing);
    const client = await new A2AClientFactory().fromCard(cardOf(server.url, binding, tenant), options);
    return { server, client };
  };

  it('O-TEN-01, O-8, O-60: goes to the tenant of the interface, and to none if it has none', async () => {
    const { server, client } = await calling('acme');
    await callAll(client);
    expect(server.requests).toHaveLength(11);
    for (const { path, body, method } of server.requests) {
      if (binding === 'JSONRPC') expect(JSON.parse(body).params.tenant).toBe('acme');
      else {
        expect(path).toMatch(/^\/acme\//);
        if (method === 'POST') expect(JSON.parse(body).tenant).toBe('acme');
      }
    }
    const plain = await calling(undefined);
    await callAll(plain.client);
    for (const { path, body } of plain.server.requests) expect(path + body).not.toMatch(/tenant|acme/);
  });

  it.each(['1.0', '1.0.0'])(
    'O-VER-04: says "1.0" in every request where the card says %s',
    async (protocolVersion) => {
      const server = await startServer(failing);
      const card = cardOf(server.url, binding);
      card.supportedInterfaces[0]!.protocolVersion = protocolVersion;
      await callAll(await new A2AClientFactory().fromCard(card));
      expect(server.requests.map(({ headers }) => headers['a2a-version'])).toEqual(Array(11).fill('1.0'));
    },
  );

  it('O-59, O-21, O-CSTR-15: says its version, and what a call asks for', async () => {
    const { server, client } = await calling(undefined, { headers: { 'x-trace': '1' } });
    await callAll(client);
    for (const { headers } of server.requests) {
      expect(headers).toMatchObject({ 'a2a-version': '1.0', 'x-trace': '1' });
    }
    const configuration = {
      acceptedOutputModes: ['text/plain'],
      returnImmediately: true,
      taskPushNotificationConfig: {
        url: CONFIG.url,
        token: 'tk',
        authentication: { scheme: 'Bearer', credentials: 'c' },
      },
    };
    await errorOf(client.sendMessage({ message: MESSAGE, configuration }));
    const { json } = server.requests.at(-1)!;
    expect((binding === 'JSONRPC' ? json.params : json).configuration).toEqual(configuration);
  });

  it('O-EXT-03, O-55: joins the extensions of the client and of a call in one header, each once', async () => {
    const { server, client } = await calling(undefined, { extensions: ['urn:x', 'urn:y'] });
    await errorOf(client.getTask({ id: 't' }, { extensions: ['urn:y', 'urn:z'] }));
    const header = String(server.requests[0]!.headers['a2a-extensions']);
    expect(header.split(/, ?/)).toEqual(['urn:x', 'urn:y', 'urn:z']);
  });

  it('O-33, O-14: refuses without a request what the card does not offer, by rejecting and never by throwing', async () => {
    const server = await startServer(failing);
    const card = { ...cardOf(server.url, binding), capabilities: {} };
    const client = await new A2AClientFactory().fromCard(card);
    const refused = [
      client.createTaskPushNotificationConfig(CONFIG),
      client.getTaskPushNotificationConfig({ taskId: 't', id: 'c' }),
      client.listTaskPushNotificationConfigs({ taskId: 't' }),
      client.deleteTaskPushNotificationConfig({ taskId: 't', id: 'c' }),
      client.getExtendedAgentCard(),
      client.getTask({} as never),
    ].map(errorOf);
    expect((await Promise.all(refused)).map(({ name }) => name)).toEqual([
      ...Array.from({ length: 4 }, () => 'PushNotificationNotSupportedError'),
      'UnsupportedOperationError',
      'InvalidParamsError',
    ]);
    expect(server.requests).toHaveLength(0);
  });

  it('O-72: any function can take the place of the HTTP stack', async () => {
    const urls: string[] = [];
    const transport: HttpTransport = async ({ url, body }) => {
      urls.push(url);
      const task = { id: 't', status: { state: 'TASK_STATE_COMPLETED' } };
      const id = body === undefined ? undefined : JSON.parse(body).id;
      const answer = binding === 'JSONRPC' ? { jsonrpc: '2.0', id, result: task } : task;
      const bytes = Buffer.from(JSON.stringify(answer));
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: (async function* () {
          yield bytes;
        })(),
      };
    };
    const card = cardOf('https://agent.invalid/a2a', binding);
    const client = await new A2AClientFactory().fromCard(card, { transport });
    expect((await client.getTask({ id: 't' })).status.state).toBe('TASK_STATE_COMPLETED');
    expect(urls[0]).toMatch(/^https:\/\/agent\.invalid\/a2a/);
  });
});

describeAgent('A client and an agent', (target) => {
  it('S-39, O-13: a task that needs authorization shows why, typed', async () => {
    const agent = await target.start({
      execute: async (_context, task) => task.requireAuth('Sign in at https://idp.example.com'),
    });
    const client = await new A2AClientFactory().connect(agent.http.origin);
    const task = await client.sendText('go');
    if (!isTask(task)) throw new Error('not a task');
    expect([task.status.state, textOf(task.status.message)]).toEqual([
      'TASK_STATE_AUTH_REQUIRED',
      'Sign in at https://idp.example.com',
    ]);
    expect(isTerminal(task.status.state)).toBe(false);
  });

  it('O-30, O-31, S-27: webhooks of a task are made, found, listed and deleted', async () => {
    const agent = await target.start({
      execute: async (_context, task) => task.complete(),
    });
    const client = await new A2AClientFactory().connect(agent.http.origin);
    const task = await client.sendText('go');
    if (!isTask(task)) throw new Error('not a task');
    const wanted = { taskId: task.id, url: CONFIG.url, token: 'tk', authentication: { scheme: 'Bearer' } };
    const made = await client.createTaskPushNotificationConfig(wanted);
    expect(made).toEqual({ ...wanted, id: expect.any(String) });
    const address = { taskId: task.id, id: made.id! };
    expect(await client.getTaskPushNotificationConfig(address)).toEqual(made);
    expect((await client.listTaskPushNotificationConfigs({ taskId: task.id })).configs).toEqual([made]);
    await client.deleteTaskPushNotificationConfig(address);
    await client.deleteTaskPushNotificationConfig(address);
    expect((await errorOf(client.getTaskPushNotificationConfig(address))).name).toBe('TaskNotFoundError');
  });
});

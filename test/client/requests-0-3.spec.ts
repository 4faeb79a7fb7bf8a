import { describe, expect, it } from 'vitest';
import { A2AClientFactory, type A2AClient, type AgentClientOptions } from 'nest-a2a';
import { all, errorOf, startServer, type Answer } from './wire-server.js';

/** How requests of 1.0 look on the wire of 0.3, and its answers as those of 1.0. */

const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const;
type Binding = (typeof BINDINGS)[number];

const MESSAGE = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const;
const SEND = { message: { ...MESSAGE, parts: [{ text: 'hi' }] } };
const TASK = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
const RPC_TASK = { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } };
const RPC_MESSAGE = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
const REST_MESSAGE = { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'hi' }] };
const WEBHOOK = {
  id: 'w:1',
  url: 'https://hook.example',
  token: 'tk',
  authentication: { scheme: 'Bearer', credentials: 's' },
};
const OLD_WEBHOOK = { ...WEBHOOK, authentication: { schemes: ['Bearer'], credentials: 's' } };
const NAMED_WEBHOOK = {
  name: 'tasks/t 1/pushNotificationConfigs/w:1',
  pushNotificationConfig: OLD_WEBHOOK,
};
const CARD = { name: 'Extended', description: '', version: '1', url: 'https://a.example', skills: [] };

interface Call {
  readonly call: (client: A2AClient) => Promise<unknown>;
  readonly result?: unknown;
  /** Over JSON-RPC: the method, its parameters, and what the agent answers. */
  readonly rpc: readonly [method: string, params: object, answer: unknown];
  /** Over HTTP+JSON: the line, the body, and what the agent answers. */
  readonly rest: readonly [line: string, body: object | undefined, answer: unknown];
}

const CALLS: Record<string, Call> = {
  sendMessage: {
    call: (client) => client.sendMessage(SEND),
    result: TASK,
    rpc: ['message/send', { message: RPC_MESSAGE, configuration: { blocking: true } }, RPC_TASK],
    rest: [
      'POST /v1/message:send',
      { message: REST_MESSAGE, configuration: { blocking: true } },
      { task: TASK },
    ],
  },
  'sendMessage, as it can be told': {
    call: (client) =>
      client.sendMessage({
        ...SEND,
        metadata: { a: 1 },
        configuration: {
          returnImmediately: true,
          historyLength: 2,
          acceptedOutputModes: ['text/plain'],
          taskPushNotificationConfig: WEBHOOK,
        },
      }),
    rpc: [
      'message/send',
      {
        message: RPC_MESSAGE,
        metadata: { a: 1 },
        configuration: {
          blocking: false,
          historyLength: 2,
          acceptedOutputModes: ['text/plain'],
          pushNotificationConfig: OLD_WEBHOOK,
        },
      },
      RPC_TASK,
    ],
    rest: [
      'POST /v1/message:send',
      {
        message: REST_MESSAGE,
        metadata: { a: 1 },
        configuration: {
          blocking: false,
          historyLength: 2,
          acceptedOutputModes: ['text/plain'],
          pushNotification: OLD_WEBHOOK,
        },
      },
      { task: TASK },
    ],
  },
  getTask: {
    call: (client) => client.getTask({ id: 't/1', historyLength: 3 }),
    result: TASK,
    rpc: ['tasks/get', { id: 't/1', historyLength: 3 }, RPC_TASK],
    rest: ['GET /v1/tasks/t%2F1?historyLength=3', undefined, TASK],
  },
  cancelTask: {
    call: (client) => client.cancelTask({ id: 't' }),
    result: { ...TASK, status: { state: 'TASK_STATE_CANCELED' } },
    rpc: ['tasks/cancel', { id: 't' }, { ...RPC_TASK, status: { state: 'canceled' } }],
    rest: ['POST /v1/tasks/t:cancel', { id: 't' }, { ...TASK, status: { state: 'TASK_STATE_CANCELLED' } }],
  },
  createTaskPushNotificationConfig: {
    call: (client) => client.createTaskPushNotificationConfig({ taskId: 't 1', ...WEBHOOK }),
    result: { taskId: 't 1', ...WEBHOOK },
    rpc: [
      'tasks/pushNotificationConfig/set',
      { taskId: 't 1', pushNotificationConfig: OLD_WEBHOOK },
      { taskId: 't 1', pushNotificationConfig: OLD_WEBHOOK },
    ],
    rest: [
      'POST /v1/tasks/t%201/pushNotificationConfigs',
      { parent: 'tasks/t 1', configId: 'w:1', config: NAMED_WEBHOOK },
      NAMED_WEBHOOK,
    ],
  },
  getTaskPushNotificationConfig: {
    call: (client) => client.getTaskPushNotificationConfig({ taskId: 't 1', id: 'w:1' }),
    result: { taskId: 't 1', ...WEBHOOK },
    rpc: [
      'tasks/pushNotificationConfig/get',
      { id: 't 1', pushNotificationConfigId: 'w:1' },
      { taskId: 't 1', pushNotificationConfig: OLD_WEBHOOK },
    ],
    rest: ['GET /v1/tasks/t%201/pushNotificationConfigs/w%3A1', undefined, NAMED_WEBHOOK],
  },
  listTaskPushNotificationConfigs: {
    call: (client) => client.listTaskPushNotificationConfigs({ taskId: 't 1', pageSize: 5, pageToken: 'p' }),
    result: { configs: [{ taskId: 't 1', ...WEBHOOK }], nextPageToken: '' },
    rpc: [
      'tasks/pushNotificationConfig/list',
      { id: 't 1' },
      [{ taskId: 't 1', pushNotificationConfig: OLD_WEBHOOK }],
    ],
    rest: ['GET /v1/tasks/t%201/pushNotificationConfigs', undefined, { configs: [NAMED_WEBHOOK] }],
  },
  deleteTaskPushNotificationConfig: {
    call: (client) => client.deleteTaskPushNotificationConfig({ taskId: 't', id: 'w' }),
    rpc: ['tasks/pushNotificationConfig/delete', { id: 't', pushNotificationConfigId: 'w' }, null],
    rest: ['DELETE /v1/tasks/t/pushNotificationConfigs/w', undefined, {}],
  },
  getExtendedAgentCard: {
    call: async (client) => (await client.getExtendedAgentCard()).supportedInterfaces,
    result: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
    rpc: ['agent/getAuthenticatedExtendedCard', {}, CARD],
    rest: ['GET /v1/card', undefined, CARD],
  },
};

const STREAMS = {
  sendStreamingMessage: {
    stream: (client: A2AClient) => client.sendMessageStream(SEND),
    method: 'message/stream',
    line: 'POST /v1/message:stream',
  },
  subscribeToTask: {
    stream: (client: A2AClient) => client.subscribeToTask({ id: 't' }),
    method: 'tasks/resubscribe',
    line: 'POST /v1/tasks/t:subscribe',
  },
};

/** The same answer over either binding. */
const answering =
  (value: unknown, status = 200): Answer =>
  (request, response) => {
    const isRpc = request.body.includes('"jsonrpc"');
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(isRpc ? { jsonrpc: '2.0', id: request.json.id, ...(value as object) } : value),
    );
  };

/** Answers with a result of either binding. */
const result = (rpc: unknown, rest: unknown): Answer => {
  return (request, response) =>
    answering(request.body.includes('"jsonrpc"') ? { result: rpc } : rest)(request, response);
};

async function connect(binding: Binding, answer: Answer, options: AgentClientOptions = {}) {
  const server = await startServer(answer);
  const client = await new A2AClientFactory().create(
    { url: server.url, binding, protocolVersion: '0.3' },
    { retry: false, ...options },
  );
  return { server, client };
}

describe.each(BINDINGS)('requests to agents of 0.3 over %s', (binding) => {
  const isRpc = binding === 'JSONRPC';

  it.each(Object.entries(CALLS))('O-4, O-64, O-65, O-69, O-V03-01, O-V03-03: %s', async (_name, call) => {
    const [named, sent, answer] = isRpc ? call.rpc : call.rest;
    const { server, client } = await connect(binding, answering(isRpc ? { result: answer } : answer));
    const got = await call.call(client);
    if (call.result !== undefined) expect(got).toEqual(call.result);
    const request = server.requests[0]!;
    const line = `${request.method} ${request.path}`;
    if (isRpc) {
      expect(line).toBe('POST /');
      expect(request.json).toEqual({ jsonrpc: '2.0', id: expect.any(Number), method: named, params: sent });
    } else {
      expect(line).toBe(named);
      expect(request.body === '' ? undefined : request.json).toEqual(sent);
    }
  });

  it.each(Object.entries(STREAMS))('O-4, O-64, O-71: %s', async (_name, { stream, method, line }) => {
    const status = { state: 'working', timestamp: '2026-01-31T12:00:00' };
    const update = { taskId: 't', contextId: 'c', final: true };
    const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] };
    const events = isRpc
      ? [
          RPC_TASK,
          // The end of a stream follows from the state of its task, so "final" counts for nothing.
          { kind: 'status-update', ...update, status },
          { kind: 'artifact-update', taskId: 't', contextId: 'c', artifact, append: false, lastChunk: true },
          { kind: 'status-update', ...update, status: { state: 'completed' } },
        ]
      : [
          { task: TASK },
          { statusUpdate: { ...update, status: { ...status, state: 'TASK_STATE_WORKING' } } },
          {
            artifactUpdate: {
              ...update,
              artifact: { artifactId: 'a', parts: [{ text: 'x' }] },
              lastChunk: true,
            },
          },
          { statusUpdate: { ...update, status: { state: 'TASK_STATE_COMPLETED' } } },
        ];
    const { server, client } = await connect(binding, (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const framed = isRpc
        ? events.map((event) => ({ jsonrpc: '2.0', id: request.json.id, result: event }))
        : events;
      for (const event of framed) response.write(`data: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
    const following = stream(client);
    const seen = await all(following);
    expect(seen.map((event) => Object.keys(event)[0])).toEqual([
      ...['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate'],
    ]);
    expect(seen[1]?.statusUpdate).toEqual({
      ...{ taskId: 't', contextId: 'c' },
      status: { state: 'TASK_STATE_WORKING', timestamp: '2026-01-31T12:00:00.000Z' },
    });
    expect(following.outcome).toMatchObject({
      kind: 'completed',
      task: { id: 't', artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] },
    });
    const [request] = server.requests;
    expect(isRpc ? request!.json.method : `${request!.method} ${request!.path}`).toBe(isRpc ? method : line);
    expect(request!.headers.accept).toBe('text/event-stream');
  });

  it('O-59, O-66, O-V03-06: says its version, and asks for extensions by either name', async () => {
    const { server, client } = await connect(binding, result(RPC_TASK, TASK), { extensions: ['urn:x'] });
    await client.getTask({ id: 't' }, { extensions: ['urn:y'] });
    await client.getTask({ id: 't' }, { headers: { 'X-A2A-Extensions': 'urn:z' } });
    const [first, second] = server.requests.map(({ headers }) => headers);
    expect(first).toMatchObject({
      'a2a-version': '0.3',
      'a2a-extensions': 'urn:x, urn:y',
      'x-a2a-extensions': 'urn:x, urn:y',
      accept: 'application/json',
    });
    expect(second).toMatchObject({ 'a2a-extensions': 'urn:z, urn:x', 'x-a2a-extensions': 'urn:z, urn:x' });
  });

  it('O-67: sends no tenant, and no media type but that of a file', async () => {
    const { server, client } = await connect(binding, result(RPC_TASK, { ...TASK, task: TASK }), {
      tenant: 'acme',
    });
    const parts = [
      { text: 'a', mediaType: 'text/x', filename: 'f' },
      { data: { b: 1 }, mediaType: 'application/x' },
      { raw: new Uint8Array([1]), mediaType: 'image/png', filename: 'p.png' },
      { url: 'https://x.example', mediaType: 'image/gif' },
    ];
    await client.sendMessage({ message: { ...MESSAGE, parts }, tenant: 'other' });
    await client.getTask({ id: 't', tenant: 'other' });
    const { body, json } = server.requests[0]!;
    for (const { path, body: each } of server.requests) {
      expect(path + each).not.toMatch(/tenant|acme|other|text\/x|application\/x/);
    }
    expect(body).toContain('image/gif');
    expect(isRpc ? json.params.message.parts : json.message.content).toEqual(
      isRpc
        ? [
            { kind: 'text', text: 'a' },
            { kind: 'data', data: { b: 1 } },
            { kind: 'file', file: { bytes: 'AQ==', mimeType: 'image/png', name: 'p.png' } },
            { kind: 'file', file: { uri: 'https://x.example', mimeType: 'image/gif' } },
          ]
        : [
            { text: 'a' },
            { data: { data: { b: 1 } } },
            { file: { fileWithBytes: 'AQ==', mimeType: 'image/png' } },
            { file: { fileWithUri: 'https://x.example', mimeType: 'image/gif' } },
          ],
    );
  });

  it('O-70, O-V03-05: does not ask for a list of tasks, which is none of its operations', async () => {
    const { server, client } = await connect(binding, result(RPC_TASK, TASK));
    const error = await errorOf(client.listTasks());
    expect(error.name).toBe('UnsupportedOperationError');
    expect(error.message).toContain('protocol 0.3');
    expect((await errorOf(all(client.listAllTasks()))).name).toBe('UnsupportedOperationError');
    expect(server.requests).toEqual([]);
  });

  it('a history of no message is none, though to agents of 0.3 it means all', async () => {
    const history = isRpc ? [RPC_MESSAGE] : [REST_MESSAGE];
    const { client } = await connect(
      binding,
      result({ ...RPC_TASK, history }, { ...TASK, task: { ...TASK, history }, history }),
    );
    expect(await client.getTask({ id: 't', historyLength: 0 })).not.toHaveProperty('history');
    expect(await client.getTask({ id: 't' })).toHaveProperty('history');
    expect(await client.sendMessage({ ...SEND, configuration: { historyLength: 0 } })).not.toHaveProperty(
      'history',
    );
  });
});

describe('data that is no object', () => {
  it.each([5, 'a', true, null, [1, { a: 2 }]])(
    'O-68, O-V03-04: %j is wrapped, and unwrapped on return',
    async (data) => {
      const { server, client } = await connect('JSONRPC', (request, response) => {
        const { parts } = request.json.params.message;
        return answering({ result: { ...RPC_MESSAGE, role: 'agent', parts } })(request, response);
      });
      const parts = [{ data, metadata: { a: 1 } }, { data: { value: 1 } }];
      const answer = await client.sendMessage({ message: { ...MESSAGE, parts } });
      expect(server.requests[0]!.json.params.message.parts).toEqual([
        { kind: 'data', data: { value: data }, metadata: { a: 1, data_part_compat: true } },
        { kind: 'data', data: { value: 1 } },
      ]);
      expect(answer).toMatchObject({ parts });
      expect(answer).not.toHaveProperty('parts.0.metadata.data_part_compat');
    },
  );
});

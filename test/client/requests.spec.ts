import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InvalidParamsError, type A2AClient } from 'nest-a2a';
import { deepFreeze } from '../../lib/protocol/index.js';
import {
  all,
  clientOf,
  errorOf,
  json,
  raw,
  SEND,
  startServer,
  stream,
  type WireRequest,
} from './wire-server.js';

const TASK = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
const CONFIG = { taskId: 't/1', id: 'c:1', url: 'https://x.example' };

/** Every operation with a request, what an agent answers, and how it looks over HTTP+JSON. */
const CALLS: [
  name: string,
  call: (client: A2AClient) => Promise<unknown>,
  answer: unknown,
  line: string,
  body?: object,
][] = [
  ['sendMessage', (client) => client.sendMessage(SEND), { task: TASK }, 'POST /message:send', SEND],
  [
    'getTask',
    (client) => client.getTask({ id: 'a/b c', historyLength: 0 }),
    TASK,
    'GET /tasks/a%2Fb%20c?historyLength=0',
  ],
  [
    'listTasks',
    (client) =>
      client.listTasks({ pageSize: 1, includeArtifacts: false, historyLength: 0, contextId: 'c&d' }),
    { tasks: null },
    'GET /tasks?contextId=c%26d&pageSize=1&historyLength=0&includeArtifacts=false',
  ],
  [
    'cancelTask',
    (client) => client.cancelTask({ id: 't:1', metadata: { why: 'no' } }),
    TASK,
    'POST /tasks/t%3A1:cancel',
    { id: 't:1', metadata: { why: 'no' } },
  ],
  [
    'createTaskPushNotificationConfig',
    (client) => client.createTaskPushNotificationConfig(CONFIG),
    CONFIG,
    'POST /tasks/t%2F1/pushNotificationConfigs',
    CONFIG,
  ],
  [
    'getTaskPushNotificationConfig',
    (client) => client.getTaskPushNotificationConfig({ taskId: 't/1', id: 'c:1' }),
    CONFIG,
    'GET /tasks/t%2F1/pushNotificationConfigs/c%3A1',
  ],
  [
    'listTaskPushNotificationConfigs',
    (client) => client.listTaskPushNotificationConfigs({ taskId: 't', pageToken: 'p' }),
    { configs: null },
    'GET /tasks/t/pushNotificationConfigs?pageToken=p',
  ],
  [
    'deleteTaskPushNotificationConfig',
    (client) => client.deleteTaskPushNotificationConfig({ taskId: 't', id: 'c' }),
    {},
    'DELETE /tasks/t/pushNotificationConfigs/c',
  ],
  [
    'getExtendedAgentCard',
    (client) => client.getExtendedAgentCard(),
    { name: 'x' },
    'GET /extendedAgentCard',
  ],
];

const lineOf = ({ method, path }: WireRequest) => `${method} ${path}`;

describe('requests over HTTP+JSON', () => {
  it.each(CALLS)('O-1, O-60, O-61, O-CSTR-13: %s', async (_name, call, answer, line, body) => {
    const server = await startServer(json(answer));
    await call(clientOf(server.url));
    const [request] = server.requests;
    expect(lineOf(request!)).toBe(line);
    expect(request!.body === '' ? undefined : request!.json).toEqual(body);
    expect(request!.headers).toMatchObject({
      'a2a-version': '1.0',
      accept: 'application/a2a+json, application/json',
    });
    expect(request!.headers['content-type']).toBe(body && 'application/a2a+json');
  });

  it('O-60, S-U9: a tenant stands in front of the path, and in the body', async () => {
    const server = await startServer(json(TASK));
    const client = clientOf(server.url, { tenant: 'a/c' });
    await client.cancelTask({ id: 't' });
    await client.getTask({ id: 't' });
    await client.getTask({ id: 't', tenant: 'own' });
    expect(server.requests.map(lineOf)).toEqual([
      'POST /a%2Fc/tasks/t:cancel',
      'GET /a%2Fc/tasks/t',
      'GET /own/tasks/t',
    ]);
    expect(server.requests[0]!.json).toEqual({ tenant: 'a/c', id: 't' });
  });

  it('keeps the path and the query of the URL, and needs no care about a slash at its end', async () => {
    const server = await startServer(json(TASK));
    await clientOf(`${server.url}/v1/a2a/?key=1#x`).getTask({ id: 't', historyLength: 2 });
    await clientOf(`${server.url}/v1`).getTask({ id: 't' });
    expect(server.requests.map(lineOf)).toEqual([
      'GET /v1/a2a/tasks/t?key=1&historyLength=2',
      'GET /v1/tasks/t',
    ]);
  });

  it('S-U9: a body that is refused with 415 goes once more as application/json, and so do all that follow', async () => {
    const server = await startServer((request, response) =>
      request.headers['content-type'] === 'application/json'
        ? json(TASK)(request, response)
        : raw(415, 'no')(request, response),
    );
    const client = clientOf(server.url);
    await client.cancelTask({ id: 't' });
    await client.cancelTask({ id: 't' });
    const types = server.requests.map(({ headers }) => headers['content-type']);
    expect(types).toEqual(['application/a2a+json', 'application/json', 'application/json']);
    server.answer = raw(415, 'no');
    expect((await errorOf(client.cancelTask({ id: 't' }))).name).toBe('UnsupportedMediaTypeError');
    expect(server.requests).toHaveLength(4);
  });

  it.each([
    [405, ''],
    [404, 'Cannot POST'],
    [404, JSON.stringify({ error: { code: 404, status: 'NOT_FOUND', message: 'Not found' } })],
  ])(
    'O-61, D-1: a subscription is a POST, and a GET after %s %s, and from then on',
    async (status, refusal) => {
      const events = stream(
        `data: ${JSON.stringify({ task: { ...TASK, status: { state: 'TASK_STATE_COMPLETED' } } })}\n\n`,
      );
      const server = await startServer((request, response) =>
        request.method === 'GET' ? events(request, response) : raw(status, refusal)(request, response),
      );
      const client = clientOf(server.url);
      await all(client.subscribeToTask({ id: 't' }));
      await all(client.subscribeToTask({ id: 't' }));
      expect(server.requests.map(lineOf)).toEqual([
        'POST /tasks/t:subscribe',
        'GET /tasks/t:subscribe',
        'GET /tasks/t:subscribe',
      ]);
      expect(server.requests[0]!.json).toEqual({ id: 't' });
      expect(server.requests[1]!.headers.accept).toBe('text/event-stream');
    },
  );

  it('D-1: a 404 that says TASK_NOT_FOUND is the answer', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' }];
    const server = await startServer(
      raw(404, JSON.stringify({ error: { code: 404, message: 'gone', details } })),
    );
    expect(await errorOf(all(clientOf(server.url).subscribeToTask({ id: 't' })))).toMatchObject({
      name: 'TaskNotFoundError',
      message: 'gone',
      metadata: { taskId: 't' },
    });
    expect(server.requests).toHaveLength(1);
  });

  it('D-1: where neither method is known, the first refusal is the answer, and nothing is remembered', async () => {
    const server = await startServer(raw(404, 'nothing here'));
    const client = clientOf(server.url);
    for (const _ of [1, 2]) {
      expect((await errorOf(all(client.subscribeToTask({ id: 't' })))).message).toBe(
        'HTTP 404 Not Found: nothing here',
      );
    }
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'GET']);
  });

  it.each(['.', '..'])('refuses the id %j, which no path can hold', async (id) => {
    const error = await errorOf(clientOf('http://127.0.0.1:9').getTask({ id }));
    expect(error).toBeInstanceOf(InvalidParamsError);
    expect(error.violations[0].field).toBe('id');
  });
});

describe('requests over JSON-RPC', () => {
  it.each(CALLS)('O-1, O-2: %s', async (name, call, answer, _line, body) => {
    const server = await startServer(json(answer));
    await call(clientOf(`${server.url}/rpc`, { binding: 'JSONRPC', tenant: 'acme' }));
    const [request] = server.requests;
    const { id, method, params, ...rest } = request!.json;
    expect([lineOf(request!), rest, typeof id]).toEqual(['POST /rpc', { jsonrpc: '2.0' }, 'number']);
    expect(method).toBe(name[0]!.toUpperCase() + name.slice(1));
    expect(params).toMatchObject({ tenant: 'acme', ...body });
    expect(request!.headers).toMatchObject({
      'a2a-version': '1.0',
      'content-type': 'application/json',
      accept: 'application/json',
    });
  });

  it('numbers its requests', async () => {
    const server = await startServer(json(TASK));
    const client = clientOf(server.url, { binding: 'JSONRPC' });
    await Promise.all([client.getTask({ id: 't' }), client.getTask({ id: 't' })]);
    expect(new Set(server.requests.map((request) => request.json.id)).size).toBe(2);
  });
});

describe.each(['HTTP+JSON', 'JSONRPC'] as const)('every request over %s', (binding) => {
  it('O-CSTR-14, S-10: leaves a frozen request as it is, twice, and sends no unset field', async () => {
    const server = await startServer(
      json({ message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'x' }] } }),
    );
    const client = clientOf(server.url, { binding, tenant: 'acme' });
    const request = deepFreeze({
      message: {
        messageId: 'm',
        role: 'ROLE_USER' as const,
        parts: [{ text: 'hi', metadata: { deep: [{ a: 1 }] } }],
      },
      configuration: { acceptedOutputModes: ['text/plain'] },
      metadata: undefined,
    });
    const before = JSON.stringify(request);
    await client.sendMessage(request);
    await client.sendMessage(request);
    expect(JSON.stringify(request)).toBe(before);
    for (const sent of server.requests) expect(sent.body).not.toMatch(/null|undefined/);
    expect(server.requests[1]!.body).toContain('"deep":[{"a":1}]');
  });

  it('S-14: bytes are base64 on the wire, and bytes again in the answer', async () => {
    const artifacts = [{ artifactId: 'a', parts: [{ raw: '_-8' }] }];
    const server = await startServer(json({ task: { ...TASK, artifacts } }));
    const client = clientOf(server.url, { binding });
    const result = await client.sendMessage({
      message: {
        messageId: 'm',
        role: 'ROLE_USER',
        parts: [{ raw: new Uint8Array([255, 0, 1]), mediaType: 'x/y' }],
      },
    });
    expect(server.requests[0]!.body).toContain('{"raw":"/wAB","mediaType":"x/y"}');
    expect(result).toMatchObject({ artifacts: [{ parts: [{ raw: new Uint8Array([255, 239]) }] }] });
  });

  it('headers of the connection are not handed on with others of a request', async () => {
    const server = await startServer(json({ task: TASK }));
    const ofConnection = {
      'Content-Length': '3',
      'Transfer-Encoding': 'chunked',
      TE: 'trailers',
      'x-trace': '1',
    };
    await clientOf(server.url, { headers: ofConnection }).sendMessage(SEND);
    await clientOf(server.url).sendMessage(SEND, { headers: ofConnection });
    for (const { headers, body } of server.requests) {
      expect(headers).toMatchObject({ 'x-trace': '1', 'content-length': String(Buffer.byteLength(body)) });
      expect(headers).not.toHaveProperty('transfer-encoding');
      expect(headers).not.toHaveProperty('te');
    }
  });

  it('O-CSTR-15: headers of the client and of the call are on unary calls and on streams', async () => {
    const server = await startServer((request, response) =>
      request.headers.accept === 'text/event-stream'
        ? stream()(request, response)
        : json({ task: TASK })(request, response),
    );
    const client = clientOf(server.url, {
      binding,
      headers: { 'X-Trace': '1', Authorization: 'Bearer a', Accept: 'nothing', 'A2A-Version': '9' },
      extensions: ['urn:a'],
    });
    const options = { headers: { 'x-call': '2', authorization: 'Bearer b' }, extensions: ['urn:b', 'urn:a'] };
    await client.sendMessage(SEND, options);
    await errorOf(all(client.sendMessageStream(SEND, options)));
    expect(server.requests).toHaveLength(2);
    for (const { headers } of server.requests) {
      expect(headers).toMatchObject({
        'x-trace': '1',
        'x-call': '2',
        authorization: 'Bearer b',
        'a2a-version': '1.0',
        'a2a-extensions': 'urn:a, urn:b',
      });
    }
    expect(server.requests[1]!.headers.accept).toBe('text/event-stream');
  });

  it('O-77: one signal ends fifty calls and streams, without a warning of Node, and none of them is left on it', async () => {
    const server = await startServer(() => undefined);
    const client = clientOf(server.url, { binding });
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const ending = new AbortController();
    const { signal } = ending;
    const calls = Array.from({ length: 50 }, (_, i) =>
      errorOf(
        i % 2 ? client.getTask({ id: 't' }, { signal }) : all(client.sendMessageStream('x', { signal })),
      ),
    );
    await expect.poll(() => server.requests.length).toBe(50);
    expect(getEventListeners(signal, 'abort').length).toBeGreaterThanOrEqual(50);
    const reason = new Error('closing down');
    ending.abort(reason);
    expect(new Set(await Promise.all(calls))).toEqual(new Set([reason]));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('refuses what cannot be right before anything is sent, and names it', async () => {
    const server = await startServer(json(TASK));
    const client = clientOf(server.url, { binding });
    const cases: [Promise<unknown>, string][] = [
      [client.sendMessage({} as never), 'message'],
      [
        client.sendMessage({ message: { messageId: '', role: 'ROLE_USER', parts: [{ text: '' }] } }),
        'message.messageId',
      ],
      [
        client.sendMessage({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{} as never] } }),
        'message.parts[0]',
      ],
      [client.getTask({ id: '' }), 'id'],
      [client.getTask(undefined as never), ''],
      [client.createTaskPushNotificationConfig({ url: 'https://x.example' }), 'taskId'],
      [all(client.subscribeToTask({ id: '' })), 'id'],
    ];
    for (const [work, field] of cases) {
      const error = await errorOf(work);
      expect(error).toBeInstanceOf(InvalidParamsError);
      expect(error.violations[0].field).toBe(field);
    }
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['204', raw(204, '', {})],
    ['200 without a body', raw(200, '', {})],
    ['{}', json({})],
    ['null', json(null)],
  ])('O-CSTR-12: a config is deleted when the answer is %s', async (_title, answer) => {
    const server = await startServer(answer);
    await clientOf(server.url, { binding }).deleteTaskPushNotificationConfig({ taskId: 't', id: 'c' });
    expect(server.requests).toHaveLength(1);
  });

  it('O-29, S-18: lists every task, page by page as they are read', async () => {
    const pages: Record<string, object> = {
      '': {
        tasks: [
          { ...TASK, id: '1' },
          { ...TASK, id: '2' },
        ],
        nextPageToken: 'p2',
      },
      p2: { tasks: [{ ...TASK, id: '3' }], nextPageToken: 'p3' },
      p3: { tasks: [{ ...TASK, id: '4' }] },
    };
    const tokenOf = ({ body, path }: WireRequest) =>
      body === ''
        ? (new URLSearchParams(path.split('?')[1]).get('pageToken') ?? '')
        : (JSON.parse(body).params.pageToken ?? '');
    const server = await startServer((request, response) => json(pages[tokenOf(request)])(request, response));
    const client = clientOf(server.url, { binding });
    expect((await all(client.listAllTasks({ pageSize: 2 }))).map(({ id }) => id)).toEqual([
      '1',
      '2',
      '3',
      '4',
    ]);
    for await (const { id } of client.listAllTasks()) if (id === '2') break;
    expect(server.requests).toHaveLength(4);
    pages.p3 = { tasks: [], nextPageToken: 'p2' };
    expect(await all(client.listAllTasks())).toHaveLength(3);
    expect(server.requests).toHaveLength(7);
  });
});

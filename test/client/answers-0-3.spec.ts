import { describe, expect, it } from 'vitest';
import { A2AClientFactory, type A2AClient, type StreamResponse } from 'nest-a2a';
import { all, errorOf, startServer, type Answer } from './wire-server.js';

/** What agents of 0.3 answer, and how much of it can be understood that is not as it should be. */

const TASK = { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } };
const MESSAGE = { kind: 'message', messageId: 'a', role: 'agent', parts: [{ kind: 'text', text: 'x' }] };

async function connect(answer: Answer, binding: 'JSONRPC' | 'HTTP+JSON' = 'JSONRPC'): Promise<A2AClient> {
  const { url } = await startServer(answer);
  return new A2AClientFactory().create({ url, binding, protocolVersion: '0.3' }, { retry: false });
}

const rpc =
  (value: object, status = 200): Answer =>
  (request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: request.json.id, ...value }));
  };

const rest =
  (value: unknown, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };

/** The events that a stream with these results has. */
async function streamed(...results: object[]): Promise<StreamResponse<Uint8Array>[]> {
  const client = await connect((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const result of results) {
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: request.json.id, result })}\n\n`);
    }
    response.end();
  });
  return all(client.sendMessageStream('hi'));
}

const without = ({ kind: _, ...rest }: { kind: string }): object => rest;

describe('answers of agents of 0.3', () => {
  it('O-71: a missing kind is inferred', async () => {
    const parts = [{ text: 'x' }, { file: { uri: 'https://x' } }, { data: { a: 1 } }];
    const ids = { taskId: 't', contextId: 'c' };
    const events = await streamed(
      without(TASK),
      { ...ids, status: { state: 'input-required', message: { ...without(MESSAGE), parts } } },
      { ...ids, artifact: { artifactId: 'a', parts } },
      without({ ...MESSAGE, ...ids }),
    );
    expect(events.map((event) => Object.keys(event)[0])).toEqual([
      ...['task', 'statusUpdate', 'artifactUpdate', 'message'],
    ]);
    const read = [{ text: 'x' }, { url: 'https://x' }, { data: { a: 1 } }];
    expect(events[1]?.statusUpdate?.status.message?.parts).toEqual(read);
    expect(events[2]?.artifactUpdate?.artifact.parts).toEqual(read);
  });

  it.each([
    ['2026-01-31T12:00:00.5', '2026-01-31T12:00:00.500Z'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
    ['yesterday', undefined],
    [17, undefined],
  ])('O-71: of the timestamp %j is made %j', async (timestamp, expected) => {
    const client = await connect(rpc({ result: { ...TASK, status: { state: 'working', timestamp } } }));
    expect((await client.getTask({ id: 't' })).status).toEqual({
      state: 'TASK_STATE_WORKING',
      ...(expected !== undefined && { timestamp: expected }),
    });
  });

  it('O-71: the state "unknown" is none that is specified', async () => {
    const client = await connect(rpc({ result: { ...TASK, status: { state: 'unknown' } } }));
    expect((await client.getTask({ id: 't' })).status.state).toBe('TASK_STATE_UNSPECIFIED');
  });

  it('O-V03-10: a file of bytes is raw, and empty data is data', async () => {
    const parts = [
      { kind: 'file', file: { bytes: 'QQ==' } },
      { kind: 'file', file: { bytes: 'QQ==', mimeType: 'x/y', name: 'n' } },
      { kind: 'data', data: {} },
    ];
    const client = await connect(rpc({ result: { ...MESSAGE, parts } }));
    expect(await client.sendText('hi')).toMatchObject({
      parts: [
        { raw: new Uint8Array([65]) },
        { raw: new Uint8Array([65]), mediaType: 'x/y', filename: 'n' },
        { data: {} },
      ],
    });
  });

  it.each([
    ['a kind of part that is unknown', { ...MESSAGE, parts: [{ kind: 'video', x: 1 }] }, 'parts[0].kind'],
    ['a kind that is unknown', { ...TASK, kind: 'job' }, 'kind'],
    ['a kind that is no text', { ...TASK, kind: 7 }, 'kind'],
    ['the layout of 1.0', { task: without(TASK) }, 'no task, message or update of protocol version 0.3'],
    ['a state of 1.0', { ...TASK, status: { state: 'TASK_STATE_WORKING' } }, 'must be "working"'],
    ['a role of 1.0', { ...MESSAGE, role: 'ROLE_AGENT' }, 'must be "agent"'],
    ['no id', { ...TASK, id: undefined }, 'id: is required'],
  ])(
    'O-15, O-71, O-V03-10: %s is an error that names the version and the place',
    async (_name, result, where) => {
      const client = await connect(rpc({ result }));
      const error = await errorOf(client.sendText('hi'));
      expect(error.name).toBe('InvalidAgentResponseError');
      expect(error.message).toContain('protocol 0.3');
      expect(error.message).toContain(where);
    },
  );
});

describe('errors of agents of 0.3', () => {
  const NOT_CANCELABLE = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'TASK_NOT_CANCELABLE',
    domain: 'a2a-protocol.org',
  };

  it.each([
    [-32001, 'TaskNotFoundError'],
    [-32002, 'TaskNotCancelableError'],
    [-32003, 'PushNotificationNotSupportedError'],
    [-32004, 'UnsupportedOperationError'],
    [-32005, 'ContentTypeNotSupportedError'],
    [-32006, 'InvalidAgentResponseError'],
    [-32007, 'ExtendedAgentCardNotConfiguredError'],
    [-32600, 'InvalidRequestError'],
    [-32601, 'MethodNotFoundError'],
    [-32602, 'InvalidParamsError'],
    [-32603, 'InternalError'],
    [-32700, 'JSONParseError'],
  ])('O-3, O-V03-07: %i is a %s over either binding', async (code, name) => {
    const said = { code, message: 'so it is', data: { any: 'thing' } };
    const overRpc = await connect(rpc({ error: said }));
    const overRest = await connect(rest(said, code === -32603 ? 500 : 400), 'HTTP+JSON');
    for (const client of [overRpc, overRest]) {
      expect(await errorOf(client.getTask({ id: 't' }))).toMatchObject({ name, message: 'so it is' });
    }
  });

  it.each([
    [404, { message: 'no' }, 'TaskNotFoundError'],
    [409, { message: 'no' }, 'TaskNotCancelableError'],
    [422, { message: 'no' }, 'InvalidParamsError'],
    [501, { message: 'no' }, 'UnsupportedOperationError'],
    [500, { message: 'no' }, 'InternalError'],
    [503, { message: 'no' }, 'UnavailableError'],
    [400, { error: 'io.a2a.spec.TaskNotFoundError', message: 'no' }, 'TaskNotFoundError'],
    [500, { error: { code: -32002, message: 'no' } }, 'TaskNotCancelableError'],
    [400, { code: 400, message: 'no', details: [NOT_CANCELABLE] }, 'TaskNotCancelableError'],
    [404, { error: { code: 404, message: 'no' } }, 'TaskNotFoundError'],
    [404, { code: 5, message: 'no' }, 'TaskNotFoundError'],
    [404, { statusCode: 404, message: 'Cannot POST /', error: 'Not Found' }, 'MethodNotFoundError'],
  ])('O-3: over HTTP+JSON %i with %j is a %s', async (status, body, name) => {
    const client = await connect(rest(body, status), 'HTTP+JSON');
    expect(await errorOf(client.cancelTask({ id: 't' }))).toMatchObject({ name });
  });

  it.each([400, 404, 409, 500])(
    'a2aproject/a2a-go#371: over HTTP+JSON %i with the error of 1.0 is the error that its reason tells',
    async (status) => {
      const error = { code: status, status: 'FAILED_PRECONDITION', message: 'no', details: [NOT_CANCELABLE] };
      const client = await connect(rest({ error }, status), 'HTTP+JSON');
      expect(await errorOf(client.cancelTask({ id: 't' }))).toMatchObject({
        name: 'TaskNotCancelableError',
        message: 'no',
      });
    },
  );

  it('O-3: over HTTP+JSON 404 for the card means that there is none, and 501 for a webhook that there are none', async () => {
    const missing = await connect(rest({ message: 'no' }, 404), 'HTTP+JSON');
    expect((await errorOf(missing.getExtendedAgentCard())).name).toBe('ExtendedAgentCardNotConfiguredError');
    const plain = await connect(rest({ message: 'no' }, 501), 'HTTP+JSON');
    expect((await errorOf(plain.listTaskPushNotificationConfigs({ taskId: 't' }))).name).toBe(
      'PushNotificationNotSupportedError',
    );
  });

  it.each(['JSONRPC', 'HTTP+JSON'] as const)(
    'O-62: an error in a stream is that of the stream, over %s',
    async (binding) => {
      const client = await connect((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('event: error\ndata: {"code":-32001,"message":"gone"}\n\n');
      }, binding);
      expect(await errorOf(all(client.subscribeToTask({ id: 't' })))).toMatchObject({
        name: 'TaskNotFoundError',
        message: 'gone',
      });
    },
  );
});

describe('agents of 0.3 over HTTP+JSON that go by the proto to the letter', () => {
  it('O-69: a webhook that is refused goes once more, as the body alone, and so do all that follow', async () => {
    const named = { name: 'tasks/t/pushNotificationConfigs/w', pushNotificationConfig: { url: 'https://h' } };
    const bodies: object[] = [];
    const client = await connect((request, response) => {
      bodies.push(Object.keys(request.json as object));
      const isBare = 'pushNotificationConfig' in request.json;
      const answer = isBare ? rest(named) : rest({ code: -32602, message: 'no' }, 400);
      return answer(request, response);
    }, 'HTTP+JSON');
    const config = { taskId: 't', url: 'https://h' };
    expect(await client.createTaskPushNotificationConfig(config)).toEqual({ ...config, id: 'w' });
    await client.createTaskPushNotificationConfig(config);
    const bare = ['name', 'pushNotificationConfig'];
    expect(bodies).toEqual([['parent', 'configId', 'config'], bare, bare]);
  });

  it('O-69: where neither is taken, the first refusal is the answer', async () => {
    let count = 0;
    const client = await connect(
      (request, response) => rest({ code: -32602, message: `no ${++count}` }, 400)(request, response),
      'HTTP+JSON',
    );
    const error = await errorOf(client.createTaskPushNotificationConfig({ taskId: 't', url: 'https://h' }));
    expect(error).toMatchObject({ name: 'InvalidParamsError', message: 'no 1' });
  });

  it('O-71, O-V03-01: answers in the words of the proto and in those of JSON-RPC are understood', async () => {
    const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_CANCELLED' } };
    const inProto = await connect(rest(task), 'HTTP+JSON');
    expect((await inProto.getTask({ id: 't' })).status.state).toBe('TASK_STATE_CANCELED');
    const inRpc = await connect(rest({ ...TASK, status: { state: 'canceled' } }), 'HTTP+JSON');
    expect((await inRpc.getTask({ id: 't' })).status.state).toBe('TASK_STATE_CANCELED');
    const bare = await connect(rest(MESSAGE), 'HTTP+JSON');
    expect(await bare.sendText('hi')).toMatchObject({ parts: [{ text: 'x' }] });
  });
});

import { InMemoryTaskStore } from 'nest-a2a';
import { expect, it, vi } from 'vitest';
import { describeHttp, type HttpTarget } from '../support/describe-http.js';
import { eventsOf } from './events-of.js';
import { statusOf, type TestAgent } from '../support/index.js';

const HEADERS = { 'Content-Type': 'application/json' };
const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
const SEND = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: MESSAGE } };

/** Posts to the base path of an agent. */
const post = (agent: TestAgent, body: unknown, headers: Record<string, string> = HEADERS, path = '/a2a') =>
  agent.request('POST', path, { headers, body: typeof body === 'string' ? body : JSON.stringify(body) });

/** What is sent, and the code and the id that are answered. */
const REFUSED: [title: string, body: unknown, code: number, id: unknown][] = [
  ['JSON that is cut off', '{"jsonrpc":', -32700, null],
  ['no JSON at all', 'hello', -32700, null],
  ['an empty body', '', -32700, null],
  ['a string', '"str"', -32600, null],
  ['a number', '5', -32600, null],
  ['null', 'null', -32600, null],
  ['an empty list', [], -32600, null],
  ['a batch', [SEND, SEND], -32600, null],
  ['version 1.0 of JSON-RPC', { ...SEND, jsonrpc: '1.0' }, -32600, 1],
  ['no version of JSON-RPC', { ...SEND, jsonrpc: undefined }, -32600, 1],
  ['a version that is a number', { ...SEND, jsonrpc: 2 }, -32600, 1],
  ['no id', { ...SEND, id: undefined }, -32600, null],
  ['an id that is true', { ...SEND, id: true }, -32600, null],
  ['an id that is an object', { ...SEND, id: {} }, -32600, null],
  ['an id that is a list', { ...SEND, id: [1] }, -32600, null],
  ['an id that is a fraction', { ...SEND, id: 1.5 }, -32600, null],
  ['no method', { ...SEND, method: undefined }, -32600, 1],
  ['a method that is a number', { ...SEND, method: 7 }, -32600, 1],
  ['an unknown method', { ...SEND, method: 'SendMessages' }, -32601, 1],
  ['a method in another case', { ...SEND, method: 'sendMessage' }, -32601, 1],
  ['a method of 0.3', { ...SEND, method: 'message/send' }, -32009, 1],
  ['params that are a list', { ...SEND, params: [SEND.params] }, -32602, 1],
  ['params that are a string', { ...SEND, params: 'x' }, -32602, 1],
  ['no params', { ...SEND, params: undefined }, -32602, 1],
  ['params that are null', { ...SEND, params: null }, -32602, 1],
  ['params of another method', { ...SEND, params: { id: 't' } }, -32602, 1],
];

describeHttp('JSON-RPC', (target: HttpTarget) => {
  const start = async () => {
    const store = new InMemoryTaskStore();
    const execute = vi.fn(async ({ text }, task) => task.complete(text));
    const put = vi.spyOn(store, 'put');
    return { agent: await target.start({ execute, taskStore: store }), execute, put };
  };

  it('O-ERR-04, O-ERR-07, O-ERR-09: what is no request is a clear error, and nothing is run', async () => {
    const { agent, execute, put } = await start();
    for (const [title, body, code, id] of REFUSED) {
      const { status, headers, json } = await post(agent, body);
      expect([title, status, headers['content-type']]).toEqual([title, 200, 'application/json']);
      expect([title, Object.keys(json).join()]).toEqual([title, 'jsonrpc,id,error']);
      expect([title, json.jsonrpc, json.id, json.error.code]).toEqual([title, '2.0', id, code]);
      expect([title, Array.isArray(json.error.data)]).toEqual([title, true]);
      for (const detail of json.error.data) expect(detail['@type']).toMatch(/^type\.googleapis\.com\//);
    }
    expect(execute).not.toHaveBeenCalled();
    expect(put).not.toHaveBeenCalled();
  });

  it('O-ERR-02: A2A errors carry an ErrorInfo, faults of the request a BadRequest', async () => {
    const { agent } = await start();
    const missing = await post(agent, { ...SEND, method: 'GetTask', params: { id: 'nope' } });
    expect(missing.json.error).toMatchObject({
      code: -32001,
      data: [{ reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org', metadata: { taskId: 'nope' } }],
    });
    const faulty = await post(agent, { ...SEND, params: { message: { ...MESSAGE, parts: [{}] } } });
    expect(faulty.json.error).toMatchObject({
      code: -32602,
      data: [{ fieldViolations: [{ field: 'message.parts[0]' }] }],
    });
  });

  it.each([1, 0, -7, 'x', '', 'ünï', '__proto__', null])(
    'O-ERR-07: the id %j comes back as it was',
    async (id) => {
      const { agent } = await start();
      const sent = await post(agent, { ...SEND, id });
      expect(sent.json).toMatchObject({
        id,
        result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } },
      });
      const refused = await post(agent, { ...SEND, id, method: 'GetTask' });
      expect(refused.json).toMatchObject({ id, error: { code: -32602 } });
      const stream = await post(agent, { ...SEND, id, method: 'SendStreamingMessage' });
      expect(eventsOf(stream.body).map((event) => event.id)).toEqual([id, id]);
    },
  );

  it('O-VER-03: the version may come in the query; without one it is 0.3, which is not served', async () => {
    const { agent } = await start();
    const none = await post(agent, SEND, { ...HEADERS, 'A2A-Version': '' });
    expect(none.json).toMatchObject({ id: 1, error: { code: -32009 } });
    const query = await post(agent, SEND, { ...HEADERS, 'A2A-Version': '' }, '/a2a?A2A-Version=1.0');
    expect(query.json.result.task).toBeDefined();
  });

  it.each([[[1]], ['x'], [{}]])(
    'O-VER-02: version and capability come before params that are %j',
    async (params) => {
      const agent = await target.start({
        execute: vi.fn(),
        capabilities: { streaming: false, pushNotifications: false },
      });
      const call = { jsonrpc: '2.0', id: 1, method: 'ListTaskPushNotificationConfigs', params };
      const other = await post(agent, call, { ...HEADERS, 'A2A-Version': '9.9' });
      expect(other.json).toMatchObject({ id: 1, error: { code: -32009 } });
      expect((await post(agent, call)).json).toMatchObject({ id: 1, error: { code: -32003 } });
      const stream = await post(agent, { ...call, method: 'SubscribeToTask' });
      expect(stream.json).toMatchObject({ id: 1, error: { code: -32004 } });
    },
  );

  it('a tenant in the query counts as one in params, and must not disagree with it', async () => {
    const agent = await target.start({
      execute: async ({ call }, task) => task.complete(call.tenant),
      tenants: ['acme'],
    });
    const send = (params: object, query = '?tenant=acme') =>
      post(agent, { ...SEND, params: { ...SEND.params, ...params } }, HEADERS, `/a2a${query}`);
    for (const tenant of [undefined, null, '', 'acme']) {
      const { result } = (await send({ tenant })).json;
      expect(statusOf(result.task)).toBe('COMPLETED: acme');
    }
    expect(statusOf((await send({ tenant: 'acme' }, '?tenant=')).json.result.task)).toBe('COMPLETED: acme');
    for (const [params, query] of [
      [{ tenant: 'globex' }, '?tenant=acme'],
      [{}, '?tenant=globex'],
      [{}, '?tenant=acme&tenant=acme'],
    ] as const) {
      const { error } = (await send(params, query)).json;
      expect([error.code, error.data[0].fieldViolations[0].field]).toEqual([-32602, 'tenant']);
    }
  });

  it('what HTTP itself refuses keeps its status and the shape of HTTP+JSON', async () => {
    const { agent, execute } = await start();
    const typed = await post(agent, SEND, { 'Content-Type': 'text/plain' });
    expect([typed.status, typed.json.error.code]).toEqual([415, 415]);
    const large = await post(agent, ' '.repeat(5 * 1024 * 1024));
    expect([large.status, large.json.error.code]).toEqual([413, 413]);
    const got = await agent.request('GET', '/a2a');
    expect([got.status, got.headers.allow, got.json.error.code]).toEqual([405, 'POST', 405]);
    expect(execute).not.toHaveBeenCalled();
  });

  it('both media types and a slash at the end are taken; a path below is not', async () => {
    const { agent } = await start();
    const a2a = await post(agent, SEND, { 'Content-Type': 'application/a2a+json; charset=utf-8' });
    expect([a2a.headers['content-type'], a2a.json.id]).toEqual(['application/json', 1]);
    expect((await post(agent, SEND, HEADERS, '/a2a/')).json.result.task).toBeDefined();
    expect((await post(agent, SEND, HEADERS, '/a2a/?A2A-Version=1.0')).json.result.task).toBeDefined();
    expect((await post(agent, SEND, HEADERS, '/a2a/rpc')).status).toBe(404);
  });

  it('O-ERR-05: a refused stream is one error, not an event stream', async () => {
    const { agent } = await start();
    for (const params of [{}, { message: { ...MESSAGE, taskId: 'nope' } }]) {
      const { status, headers, json } = await post(agent, {
        ...SEND,
        method: 'SendStreamingMessage',
        params,
      });
      expect([status, headers['content-type'], json.id]).toEqual([200, 'application/json', 1]);
      expect([-32602, -32001]).toContain(json.error.code);
    }
  });

  it('an event of a stream is a response of its own, with the number of the event as SSE id', async () => {
    const { agent } = await start();
    const { body, headers } = await post(agent, { ...SEND, method: 'SendStreamingMessage' });
    expect(headers['content-type']).toBe('text/event-stream');
    expect(body.match(/^id: .*$/gm)).toEqual(['id: 1', 'id: 2']);
    const [first, last] = eventsOf(body);
    expect(first).toEqual({ jsonrpc: '2.0', id: 1, result: { task: expect.anything() } });
    expect(last).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } },
    });
  });

  it('is in the card behind HTTP+JSON, at the same address, unless the bindings say otherwise', async () => {
    const { agent } = await start();
    const interfacesOf = async (served: TestAgent) => {
      const { json } = await served.request('GET', '/.well-known/agent-card.json');
      return json.supportedInterfaces.map(({ protocolBinding, url }: Record<string, string>) => [
        protocolBinding,
        new URL(url!).pathname,
      ]);
    };
    expect(await interfacesOf(agent)).toEqual([
      ['HTTP+JSON', '/a2a'],
      ['JSONRPC', '/a2a'],
    ]);
    const only = await target.start({ execute: () => Promise.resolve(), bindings: ['json-rpc'] });
    expect(await interfacesOf(only)).toEqual([['JSONRPC', '/a2a']]);
    expect((await only.request('POST', '/a2a/message:send', { headers: HEADERS, body: {} })).status).toBe(
      404,
    );
    const rest = await target.start({ execute: () => Promise.resolve(), bindings: ['http-json'] });
    expect((await post(rest, SEND)).status).toBe(404);
  });
});

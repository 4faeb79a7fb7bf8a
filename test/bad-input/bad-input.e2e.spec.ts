import { InMemoryTaskStore, TaskEngine } from 'nest-a2a';
import { expect, it, vi } from 'vitest';
import { describeHttp, type HttpTarget } from '../support/describe-http.js';
import { historyOf, statusOf, summary } from '../support/index.js';
import { nestedBody, rawExchange } from './raw-requests.js';

const JSON_TYPE = { 'Content-Type': 'application/a2a+json' };
const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
const SEND = '/message:send';

/** What is sent, below the base path; `{id}` is a task that waits for input. */
interface BadRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: unknown;
}

/** What is answered: the status, and the fields or the reason that the error names. */
type Expected = [status: number, names?: string | string[]];

const message = (fields: object): BadRequest => ({ body: { message: { ...MESSAGE, ...fields } } });
const configuration = (fields: unknown): BadRequest => ({
  body: { message: MESSAGE, configuration: fields },
});
const raw = (body: string | Buffer, headers: Record<string, string> = {}): BadRequest => ({
  body,
  headers: { ...JSON_TYPE, ...headers },
});
const get = (path: string): BadRequest => ({ method: 'GET', path });
const at = (method: string, path: string, body?: unknown): BadRequest => ({ method, path, body });

const CASES: [title: string, BadRequest, Expected][] = [
  // Malformed JSON
  ['JSON that is cut off', raw('{"message":'), [400]],
  ['JSON with something behind it', raw('{} x'), [400]],
  ['single quotes', raw("{'message':{}}"), [400]],
  ['an empty body', raw(''), [400, 'message']],
  ['a number', raw('5'), [400, '']],
  ['a list', raw('[]'), [400, '']],
  ['null', raw('null'), [400, '']],
  // JSON, but beyond what ProtoJSON can read
  [
    'a number too large in data',
    raw('{"message":{"messageId":"m-1","role":"ROLE_USER","parts":[{"data":{"a":[1,1e400]}}]}}'),
    [400, 'message.parts[0].data'],
  ],
  [
    'a number too large in metadata',
    raw(nestedBody(1).replace(':1}', ':-1e999}')),
    [400, 'message.metadata'],
  ],
  // Wrong types
  ['a message that is a string', { body: { message: 'hi' } }, [400, 'message']],
  ['a message that is a list', { body: { message: [MESSAGE] } }, [400, 'message']],
  ['a number as messageId', message({ messageId: 5 }), [400, 'message.messageId']],
  ['an object as contextId', message({ contextId: {} }), [400, 'message.contextId']],
  ['parts that are no list', message({ parts: { text: 'x' } }), [400, 'message.parts']],
  ['a number as text', message({ parts: [{ text: 5 }] }), [400, 'message.parts[0].text']],
  ['raw that is no base64', message({ parts: [{ raw: '***' }] }), [400, 'message.parts[0].raw']],
  ['metadata that is a list', message({ metadata: [] }), [400, 'message.metadata']],
  ['metadata that is a string', { body: { message: MESSAGE, metadata: 'x' } }, [400, 'metadata']],
  [
    'a flag that is a string',
    configuration({ returnImmediately: 'yes' }),
    [400, 'configuration.returnImmediately'],
  ],
  ['a configuration that is a list', configuration([]), [400, 'configuration']],
  [
    'modes that are no strings',
    configuration({ acceptedOutputModes: [1] }),
    [400, 'configuration.acceptedOutputModes[0]'],
  ],
  ['a negative historyLength', configuration({ historyLength: -1 }), [400, 'configuration.historyLength']],
  [
    'a fraction as historyLength',
    configuration({ historyLength: 1.5 }),
    [400, 'configuration.historyLength'],
  ],
  ['a number over 32 bits', configuration({ historyLength: 4e9 }), [400, 'configuration.historyLength']],
  ['extensions that are an object', message({ extensions: {} }), [400, 'message.extensions']],
  ['a tenant that is a number', { body: { message: MESSAGE, tenant: 5 } }, [400, 'tenant']],
  // Missing and empty required fields
  ['no message', { body: {} }, [400, 'message']],
  ['a message that is null', { body: { message: null } }, [400, 'message']],
  [
    'an empty message',
    { body: { message: {} } },
    [400, ['message.messageId', 'message.role', 'message.parts']],
  ],
  ['an empty messageId', message({ messageId: '' }), [400, 'message.messageId']],
  ['no role', message({ role: undefined }), [400, 'message.role']],
  ['no parts', message({ parts: [] }), [400, 'message.parts']],
  ['an agent’s role', message({ role: 'ROLE_AGENT' }), [400, 'message.role']],
  // Contents of a part
  ['two contents in a part', message({ parts: [{ text: 'a', url: 'b' }] }), [400, 'message.parts[0]']],
  ['a part without content', message({ parts: [{ text: 'a' }, {}] }), [400, 'message.parts[1]']],
  [
    'several faults at once',
    message({ messageId: '', parts: [{}, { text: 1 }] }),
    [400, ['message.messageId', 'message.parts[0]', 'message.parts[1].text']],
  ],
  // Limits of the body
  ['a body over the limit', message({ parts: [{ text: 'x'.repeat(60_000) }] }), [413]],
  ['nesting over the limit', raw(nestedBody(99)), [400, '']],
  ['a body of 10 kB that is nested 5,000 deep', raw('['.repeat(5000) + ']'.repeat(5000)), [400, '']],
  ['brackets without an end', raw('['.repeat(10_000)), [400, '']],
  // Encodings
  ['invalid UTF-8', raw(Buffer.from('{"message":{"messageId":"\xff"}}', 'latin1')), [400]],
  ['an overlong encoding', raw(Buffer.from([0x22, 0xc0, 0x80, 0x22])), [400]],
  ['bad percent-encoding in an id', get('/tasks/%zz'), [400, 'id']],
  ['half a character in an id', get('/tasks/%E4%B8'), [400, 'id']],
  ['bad percent-encoding in a query', get('/tasks?contextId=%zz'), [400, 'query']],
  ['bad percent-encoding before a verb', at('POST', '/tasks/%zz:cancel', {}), [400, 'id']],
  ['bad percent-encoding in no route', get('/%zz'), [404, 'METHOD_NOT_FOUND']],
  ['a content encoding', raw(JSON.stringify({ message: MESSAGE }), { 'Content-Encoding': 'gzip' }), [415]],
  ['another charset', raw('{}', { 'Content-Type': 'application/json; charset=utf-16' }), [415]],
  // Media types
  ['plain text', raw('{"message":{}}', { 'Content-Type': 'text/plain' }), [415]],
  ['a form', raw('message=hi', { 'Content-Type': 'application/x-www-form-urlencoded' }), [415]],
  ['XML', raw('<message/>', { 'Content-Type': 'application/xml' }), [415]],
  ['no media type', { body: Buffer.from('{}'), headers: { 'Content-Type': '' } }, [415]],
  ['a media type that is none', raw('{}', { 'Content-Type': 'json' }), [415]],
  // Routes and methods
  ['an unknown route', get('/nothing'), [404, 'METHOD_NOT_FOUND']],
  ['an unknown verb', at('POST', '/message:foo', { message: MESSAGE }), [404, 'METHOD_NOT_FOUND']],
  ['a trailing slash', at('POST', '/message:send/', { message: MESSAGE }), [404, 'METHOD_NOT_FOUND']],
  ['another case', at('POST', '/Message:Send', { message: MESSAGE }), [404, 'METHOD_NOT_FOUND']],
  ['a wrong method', get('/message:send'), [405, 'METHOD_NOT_FOUND']],
  ['a wrong method with a broken body', at('PUT', '/message:send', '{"a":'), [405, 'METHOD_NOT_FOUND']],
  ['an unknown verb of a task', at('POST', '/tasks/{id}:run', {}), [405, 'METHOD_NOT_FOUND']],
  // Queries
  ['a garbage page token', get('/tasks?pageToken=garbage'), [400, 'pageToken']],
  ['a page token of bytes', get('/tasks?pageToken=AQAAAAAAAAAAAAAA'), [400, 'pageToken']],
  ['a page size that is none', get('/tasks?pageSize=ten'), [400, 'pageSize']],
  ['a parameter twice', get('/tasks?contextId=a&contextId=b'), [400, 'contextId']],
  ['a timestamp that is none', get('/tasks?statusTimestampAfter=2026-13-40'), [400, 'statusTimestampAfter']],
  ['a flag that is none', get('/tasks?includeArtifacts=1.0'), [400, 'includeArtifacts']],
  ['a history length that is none', get('/tasks/{id}?historyLength=-5'), [400, 'historyLength']],
  // Bodies that disagree with the path, and tasks that do not exist
  ['another id in the body', at('POST', '/tasks/{id}:cancel', { id: 'other' }), [400, 'id']],
  ['an id that is a number', at('POST', '/tasks/{id}:cancel', { id: 5 }), [400, 'id']],
  ['an unknown task', at('POST', SEND, { message: { ...MESSAGE, taskId: 'nope' } }), [404, 'TASK_NOT_FOUND']],
  ['__proto__ as a task', get('/tasks/__proto__'), [404, 'TASK_NOT_FOUND']],
  ['constructor as a task', at('POST', '/tasks/constructor:cancel', {}), [404, 'TASK_NOT_FOUND']],
  [
    'a context that is not the task’s',
    at('POST', SEND, { message: { ...MESSAGE, taskId: '{id}', contextId: '__proto__' } }),
    [400, 'message.contextId'],
  ],
  ['__proto__ in place of a message', raw('{"__proto__":{"message":{}}}'), [400, 'message']],
  ['constructor in place of a message', raw('{"constructor":{"message":{}}}'), [400, 'message']],
];

async function startWaiting(target: HttpTarget) {
  const store = new InMemoryTaskStore();
  const execute = vi.fn(async ({ text }, task) => {
    if (text === 'go on') await task.complete('went on');
    else await task.requireInput('what now?');
  });
  const agent = await target.start({ execute, taskStore: store, limits: { bodySize: 50_000 } });
  const { id } = await agent.send('wait').task();
  const before = await agent.get(id).result();
  const follower = await agent.subscribe(id).result();
  await follower.next();
  const put = vi.spyOn(store, 'put');
  execute.mockClear();
  return { agent, store, execute, put, id, before, follower };
}

describeHttp('Bad input', (target) => {
  it('is a clear error in the shape of the protocol, and nothing is stored, started or lost by it', async () => {
    const { agent, store, execute, put, id, before, follower } = await startWaiting(target);
    for (const [title, request, [status, names]] of CASES) {
      const { method = 'POST', path = SEND, headers = JSON_TYPE } = request;
      const isRaw =
        request.body === undefined || Buffer.isBuffer(request.body) || typeof request.body === 'string';
      const body = isRaw ? request.body : JSON.stringify(request.body).replaceAll('{id}', id);
      const answer = await agent.request(method, `/a2a${path.replaceAll('{id}', id)}`, {
        headers: method === 'GET' ? {} : headers,
        body,
      });
      const what = { title, status: answer.status, type: answer.headers['content-type'] };
      expect(what).toEqual({ title, status, type: 'application/a2a+json' });
      const { error } = answer.json;
      expect([title, error.code, typeof error.message]).toEqual([title, status, 'string']);
      if (names !== undefined) {
        const [detail] = error.details;
        const found = detail.reason ?? detail.fieldViolations.map(({ field }: { field: string }) => field);
        expect([title, found].flat()).toEqual([title, names].flat());
      }
      expect(answer.headers.allow === undefined).toBe(status !== 405);
    }
    expect(execute).not.toHaveBeenCalled();
    expect(put).not.toHaveBeenCalled();
    expect(await agent.get(id).result()).toEqual(before);
    expect((await store.list({ limit: 10 }, { agent: 'default' })).total).toBe(1);
    expect([agent.app.get(TaskEngine).runningTurns, agent.openStreams]).toEqual([0, 1]);
    // What was open goes on as if nothing had been.
    const { message } = { message: { ...MESSAGE, messageId: 'm-2', taskId: id, parts: [{ text: 'go on' }] } };
    const sent = await agent.request('POST', '/a2a/message:send', { headers: JSON_TYPE, body: { message } });
    expect(statusOf(sent.json.task)).toBe('COMPLETED: went on');
    expect(historyOf(sent.json.task)).toEqual(['wait', 'what now?', 'go on']);
    expect(summary(await follower.events())).toEqual(['task INPUT_REQUIRED', 'COMPLETED: went on']);
    expect(({} as { message?: unknown }).message).toBeUndefined();
  });

  it('nesting and body at the limit itself are taken', async () => {
    const { agent } = await startWaiting(target);
    const post = (body: string) => agent.request('POST', `/a2a${SEND}`, { headers: JSON_TYPE, body });
    // The body and the message are two levels.
    const { json, status } = await post(nestedBody(98));
    expect(status).toBe(200);
    expect(await agent.get(json.task.id).result()).toEqual(json.task);
    const padding = 50_000 - Buffer.byteLength(JSON.stringify({ message: MESSAGE, metadata: { k: '' } }));
    const exact = JSON.stringify({ message: MESSAGE, metadata: { k: 'x'.repeat(padding) } });
    expect((await post(exact)).status).toBe(200);
    expect((await post(`${exact} `)).status).toBe(413);
  });

  it('what a request holds cannot end a header or add one', async () => {
    const evil = 'x\r\nX-Evil: 1';
    const agent = await target.start({
      card: {
        name: 'Evil',
        description: '',
        version: '1',
        capabilities: { extensions: [{ uri: 'urn:x' }, { uri: evil }] },
      },
      execute: async ({ contextId }, task) => task.complete(contextId),
    });
    const message = { ...MESSAGE, contextId: evil, messageId: evil };
    const sent = await agent.request('POST', `/a2a${SEND}`, {
      headers: { ...JSON_TYPE, 'A2A-Extensions': 'urn:x' },
      body: { message },
    });
    expect([sent.status, sent.headers['a2a-extensions']]).toEqual([200, 'urn:x']);
    expect(statusOf(sent.json.task)).toBe(`COMPLETED: ${evil}`);
    const encoded = encodeURIComponent(evil);
    for (const path of [`/a2a/tasks/${encoded}`, `/a2a/${encoded}`, `/a2a/tasks?pageToken=${encoded}`]) {
      const { status, headers, body } = await agent.request('GET', path);
      expect([path, status >= 400, headers['x-evil']]).toEqual([path, true, undefined]);
      expect(body).not.toContain('\r\nX-Evil');
    }
    const listed = await agent.request('GET', `/a2a/tasks?contextId=${encoded}`);
    expect(listed.json.totalSize).toBe(1);
    // A version that could end a header is repeated in a message only.
    const version = await agent.request('GET', `/a2a/tasks?A2A-Version=${encoded}`, {
      headers: { 'A2A-Version': '' },
    });
    expect([version.status, version.headers['x-evil']]).toEqual([400, undefined]);
  });

  it('dots and doubled slashes in a path are no way around', async () => {
    const { agent } = await startWaiting(target);
    for (const path of ['/a2a/x/../tasks', '/a2a//tasks', '/a2a/./tasks', '/x/../a2a/tasks', '//a2a/tasks']) {
      const answer = await rawExchange(
        agent.http.origin,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nConnection: close\r\n\r\n`,
      );
      expect([path, answer.slice(0, 12)]).toEqual([path, 'HTTP/1.1 404']);
      if (path.startsWith('/a2a')) expect(answer).toContain('METHOD_NOT_FOUND');
      expect(answer).not.toMatch(/<html/i);
    }
  });

  it('a request that is no HTTP ends its own connection and disturbs nobody', async () => {
    const { agent, follower, id } = await startWaiting(target);
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      'POST /a2a/message:send HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      `GET /a2a/tasks HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
      'POST /a2a/message:send HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ]) {
      const answer = await rawExchange(agent.http.origin, bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer).not.toMatch(/<html/i);
    }
    expect((await agent.get(id).result()).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(follower.isOver).toBe(false);
  });
});

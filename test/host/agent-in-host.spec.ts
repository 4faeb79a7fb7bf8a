import { gunzipSync } from 'node:zlib';
import type { A2AModuleOptions, AgentExecutor } from 'nest-a2a';
import { describe, expect, it } from 'vitest';
import { ADAPTERS, type AdapterName } from '../support/index.js';
import { exchange, parsed, type WireRequest } from './exchange.js';
import { startHost } from './host-application.js';

/** The headers that an agent answers with of its own. */
const OWN_HEADERS = [
  'content-type',
  'cache-control',
  'x-accel-buffering',
  'allow',
  'etag',
  'a2a-extensions',
  'retry-after',
  'www-authenticate',
];

const HEADERS = { 'X-Key': 'k', 'A2A-Version': '1.0' };
const JSON_TYPE = { ...HEADERS, 'Content-Type': 'application/json' };
const MESSAGE = {
  messageId: 'm-1',
  role: 'ROLE_USER',
  parts: [{ data: { a: { b: [1, '2', null] }, constructor: 'c' } }, { text: 'hi', unknown: 1 }],
  metadata: { n: '1', prototype: {} },
  unknown: { field: true },
};

const agent: A2AModuleOptions = {
  card: {
    name: 'Guest',
    description: '',
    version: '1',
    capabilities: { extensions: [{ uri: 'urn:x' }] },
  },
  executor: {
    execute: async ({ message, text }, task) => {
      if (text === 'ask') return task.requireInput('who?');
      if (text === 'throw') throw new Error('thrown');
      await task.addArtifact(message.parts, { artifactId: 'a1' });
      await task.complete('x'.repeat(text === 'large' ? 5_000 : 1));
    },
  } satisfies AgentExecutor,
};

const post = (path: string, body: unknown, headers: Record<string, string> = JSON_TYPE): WireRequest => ({
  method: 'POST',
  path,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const get = (path: string, headers: Record<string, string> = HEADERS): WireRequest => ({ path, headers });
const text = (value: string) => ({ message: { ...MESSAGE, parts: [{ text: value }] } });

function requests(base: string): WireRequest[] {
  const send = `${base}/message:send`;
  return [
    post(send, { message: MESSAGE }),
    post(send, { message: MESSAGE }, { ...JSON_TYPE, 'Content-Type': 'application/a2a+json' }),
    post(send, { message: MESSAGE }, { ...JSON_TYPE, 'A2A-Extensions': 'urn:x' }),
    post(send, { message: { ...MESSAGE, contextId: 'c1' }, configuration: { historyLength: 0 } }),
    post(send, text('ask')),
    post(send, text('throw')),
    // Over the limit of the host's own parser.
    post(send, text('x'.repeat(300_000))),
    post(send, '{"message":{"__proto__":{},"constructor":1}}'),
    post(send, '{"a":'),
    post(send, ''),
    post(send, '{}', { ...JSON_TYPE, 'Content-Type': 'text/plain' }),
    post(`${base}/message:stream`, { message: MESSAGE }),
    post(`${base}/message:stream`, {}),
    get(`${base}/tasks`),
    get(`${base}/tasks?pageSize=1&includeArtifacts=true`),
    get(`${base}/tasks?pageSize=x`),
    get(`${base}/tasks?contextId=123&unknown=1`),
    get(`${base}/tasks/123`),
    get(`${base}/tasks/123`, { 'X-Key': 'k' }),
    get(`${base}/tasks/%zz`),
    post(`${base}/tasks/123:cancel`, '{}'),
    post(`${base}/tasks/123:subscribe`, '{}'),
    get(`${base}/tasks/123/pushNotificationConfigs`),
    get(`${base}/extendedAgentCard`),
    get(`${base}/nothing`),
    get(send),
    { method: 'PUT', path: `${base}/tasks/1`, headers: JSON_TYPE, body: '{"a":' },
    { method: 'HEAD', path: `${base}/tasks`, headers: HEADERS },
    post(base, { jsonrpc: '2.0', id: 'x', method: 'SendMessage', params: { message: MESSAGE } }),
    post(`${base}/`, { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message: MESSAGE } }),
    post(base, { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: '123' } }),
    post(base, '{"jsonrpc":'),
    get('/.well-known/agent-card.json', {}),
    get(`${base}/.well-known/agent-card.json`, {}),
  ];
}

/** An answer without what is made anew each time, and without the headers of the host. */
function comparable(answer: string, base: string) {
  const { status, headers, body } = parsed(answer);
  const ids = new Map<string, string>();
  const steady = body
    .replaceAll(`http://host.example${base}`, 'BASE')
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => {
      ids.set(id, ids.get(id) ?? `id-${ids.size}`);
      return ids.get(id)!;
    })
    .replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"nextPageToken":"[^"]+"/g, '"nextPageToken":"TOKEN"');
  const own = Object.fromEntries(OWN_HEADERS.map((name) => [name, headers[name]]));
  // The tag of a card is made of its bytes, in which the prefix is.
  return { status, ...own, etag: own.etag?.length, body: steady };
}

describe.each(Object.keys(ADAPTERS) as AdapterName[])('An agent in a host application on %s', (adapter) => {
  it('O-SEC-04, O-SEND-12: answers the same whatever the host does to its own routes', async () => {
    const plain = await startHost({ adapter, dressed: false, agent });
    const dressed = await startHost({ adapter, dressed: true, agent });
    const inDressed = requests('/api/a2a');
    const statuses = new Set<number>();
    for (const [index, request] of requests('/a2a').entries()) {
      const expected = comparable(await exchange(plain, request), '/a2a');
      const found = comparable(await exchange(dressed, inDressed[index]!), '/api/a2a');
      expect({ request, answer: found }).toEqual({ request, answer: expected });
      statuses.add(expected.status);
      if (request.path.endsWith('agent-card.json'))
        expect([request.path, expected.status]).toEqual([request.path, 200]);
    }
    expect([...statuses].sort()).toEqual([200, 400, 404, 405, 415]);
  });

  it('the guard of the host is asked, in the shape of the protocol, and before anything else', async () => {
    const dressed = await startHost({ adapter, dressed: true, agent });
    for (const request of requests('/api/a2a')) {
      const { 'X-Key': _key, ...headers } = request.headers ?? {};
      const { status, body } = parsed(await exchange(dressed, { ...request, headers }));
      const isOpen = request.path.endsWith('agent-card.json');
      const isServed =
        !request.path.endsWith('/nothing') && !(request.path.endsWith(':send') && !request.method);
      const expected = isOpen ? [200] : request.method === 'PUT' ? [405] : isServed ? [403, 400] : [404, 405];
      expect([request.path, expected.includes(status)]).toEqual([request.path, true]);
      // What cannot be a path is refused before anybody is asked.
      if (status === 400) expect(request.path).toContain('%zz');
      if (status === 403 && request.method !== 'HEAD') {
        expect(JSON.parse(body).error).toMatchObject({ code: 403, status: 'PERMISSION_DENIED' });
      }
    }
    const { body } = parsed(await exchange(dressed, get('/api/a2a/tasks')));
    expect(JSON.parse(body)).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
  });

  it('O-CARD-09: CORS and the headers of helmet are on what the agent answers, errors and streams too', async () => {
    const dressed = await startHost({ adapter, dressed: true, agent });
    const Origin = 'https://app.example';
    const from = (request: WireRequest) => ({ ...request, headers: { ...request.headers, Origin } });
    for (const request of [
      post('/api/a2a/message:send', { message: MESSAGE }),
      post('/api/a2a/message:send', '{"a":'),
      post('/api/a2a/message:stream', { message: MESSAGE }),
      get('/api/a2a/tasks/nope'),
      get('/api/a2a/nothing'),
      get('/.well-known/agent-card.json', {}),
    ]) {
      const { headers } = parsed(await exchange(dressed, from(request)));
      expect([request.path, headers['access-control-allow-origin']]).toEqual([request.path, Origin]);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    const preflight = await exchange(dressed, {
      method: 'OPTIONS',
      path: '/api/a2a/message:send',
      headers: {
        Origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'a2a-version,a2a-extensions,authorization,content-type',
      },
    });
    const { status, headers } = parsed(preflight);
    expect([status, headers['access-control-allow-origin']]).toEqual([204, Origin]);
    expect(headers['access-control-allow-methods']).toContain('POST');
    expect(headers['access-control-allow-headers'] ?? headers.vary).toMatch(
      /a2a-version|Access-Control-Request-Headers/i,
    );
  });

  it('O-STREAM-05: compression is for whole answers, and leaves streams alone', async () => {
    const dressed = await startHost({ adapter, dressed: true, agent });
    const headers = { ...JSON_TYPE, 'Accept-Encoding': 'gzip' };
    const whole = parsed(await exchange(dressed, post('/api/a2a/message:send', text('large'), headers)));
    expect([whole.status, whole.headers['content-encoding']]).toEqual([200, 'gzip']);
    const { task } = JSON.parse(gunzipSync(Buffer.from(whole.body, 'latin1')).toString());
    expect(task.status.message.parts[0].text).toHaveLength(5_000);
    const stream = parsed(await exchange(dressed, post('/api/a2a/message:stream', text('large'), headers)));
    expect([stream.status, stream.headers['content-encoding']]).toEqual([200, undefined]);
    expect(stream.headers['cache-control']).toBe('no-cache, no-transform');
    expect(stream.body).toMatch(/^id: \d+\ndata: \{"task"/);
  });
});

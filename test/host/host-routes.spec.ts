import type { AgentExecutor } from 'nest-a2a';
import { describe, expect, it } from 'vitest';
import { ADAPTERS, type AdapterName } from '../support/index.js';
import { exchange, type WireRequest } from './exchange.js';
import { startHost } from './host-application.js';

const KEY = { 'X-Key': 'k' };
const JSON_TYPE = { ...KEY, 'Content-Type': 'application/json' };

const post = (path: string, body: string, headers: Record<string, string> = JSON_TYPE): WireRequest => ({
  method: 'POST',
  path,
  headers,
  body,
});
const typed = (type: string) => ({ ...KEY, 'Content-Type': type });

/** Below where the routes of the host are; what follows is tried in both hosts. */
function requests(prefix: string): WireRequest[] {
  const at = (path: string) => prefix + path;
  return [
    // Bodies
    post(at('/items'), '{"name":"a","size":2}'),
    post(at('/items'), '{"name":"a","size":"2"}'),
    post(at('/items'), '{"name":5}'),
    post(at('/items'), '{"name":"a","more":1}'),
    post(at('/items/any'), '{"a":{"b":[1,"2",null]}}'),
    post(at('/items/any'), '{"constructor":"c","prototype":1}'),
    post(at('/items/any'), '{"__proto__":{"x":1}}'),
    post(at('/items/any'), '[1,2]'),
    post(at('/items/any'), '"text"'),
    post(at('/items/any'), '{"a":'),
    post(at('/items/any'), ''),
    post(at('/items/any'), '{"a":1}', KEY),
    post(at('/items/any'), 'a=1&b[c]=2', typed('application/x-www-form-urlencoded')),
    post(at('/items/any'), 'plain', typed('text/plain')),
    post(at('/items/any'), '{"a":1}', typed('application/a2a+json')),
    post(at('/items/any'), '{"a":1}', typed('application/vnd.nest-a2a')),
    post(at('/items/any'), '{"a":1}', typed('application/json; charset=utf-16')),
    post(at('/items/any'), '{"a":1}', { ...JSON_TYPE, 'Content-Encoding': 'x' }),
    post(at('/items/any'), `{"a":"${'x'.repeat(150_000)}"}`),
    post(at('/items/any'), `{"a":"${'x'.repeat(1_200_000)}"}`),
    post(at('/items/any'), `${'['.repeat(500)}${']'.repeat(500)}`),
    post(at('/items/any'), '{"a":"\xff"}'),
    post(at('/items/raw'), '{ "raw" : 1 }'),
    post(at('/items/raw'), 'raw', typed('application/octet-stream')),
    // Answers
    { path: at('/items/7?a=1&b=2&b=3&c[d]=4'), headers: KEY },
    { path: at('/items/seven'), headers: KEY },
    { path: at('/items/%zz'), headers: KEY },
    { path: at(`/items/${'9'.repeat(150)}`), headers: KEY },
    { path: at('/items/fail'), headers: KEY },
    { path: at('/items/teapot'), headers: KEY },
    { path: at('/items/events'), headers: KEY },
    { path: at('/items/large'), headers: { ...KEY, 'Accept-Encoding': 'gzip' } },
    { path: at('/items/large'), headers: { ...KEY, 'If-None-Match': '*' } },
    { path: '/v2/items/versioned', headers: KEY },
    { path: '/api/v2/items/versioned', headers: KEY },
    { path: at('/items/7') },
    { path: at('/items/7'), headers: { ...KEY, Origin: 'https://app.example' } },
    { method: 'HEAD', path: at('/items/7'), headers: KEY },
    { method: 'PUT', path: at('/items/7'), headers: KEY },
    { method: 'OPTIONS', path: at('/items') },
    {
      method: 'OPTIONS',
      path: at('/items'),
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
    },
    // Paths near those of the agent
    { path: at('/ITEMS/7/'), headers: KEY },
    { path: at('//items/7'), headers: KEY },
    { path: '/', headers: KEY },
    { path: '/a2abc/tasks', headers: KEY },
    { path: '/api/a2abc', headers: KEY },
    { path: '/api/v1/a2a/tasks', headers: KEY },
    { path: '/tasks', headers: KEY },
    { path: '/%zz', headers: KEY },
    { path: '/.well-known/other.json', headers: KEY },
    { path: '/.well-known', headers: KEY },
    { path: '/api/.well-known/agent-card.json', headers: KEY },
    post('/message:send', '{}'),
    post('/nowhere', '{"a":'),
    post('/nowhere', 'plain', typed('text/plain')),
  ];
}

const agent = {
  card: { name: 'Guest', description: '', version: '1' },
  executor: { execute: async (_context, task) => task.complete() } satisfies AgentExecutor,
  tenants: true as const,
};

describe.each(Object.keys(ADAPTERS) as AdapterName[])('A host application on %s', (adapter) => {
  it.each([
    ['a plain one', false, ''],
    ['one with everything', true, '/api/v1'],
  ])(
    'answers its own routes byte for byte the same with and without an agent: %s',
    async (_kind, dressed, prefix) => {
      const alone = await startHost({ adapter, dressed });
      const host = await startHost({ adapter, dressed, agent });
      const statuses = new Set<string>();
      for (const request of requests(prefix)) {
        const [expected, found] = await Promise.all([exchange(alone, request), exchange(host, request)]);
        expect({ request, answer: found }).toEqual({ request, answer: expected });
        statuses.add(expected.slice(9, 12));
      }
      // The list is worth something only if it goes all over the place. What is too large is a 500 by the filter of
      // the host where Nest gives it the parser's own error.
      const seen = ['200', '201', '400', '404', '418', '500', ...(dressed ? ['403', '204'] : ['413'])];
      expect([...statuses]).toEqual(expect.arrayContaining(seen));
    },
  );

  it('answers by the agent what is the agent’s, so the comparison is of two different applications', async () => {
    const host = await startHost({ adapter, dressed: true, agent });
    const headers = { ...KEY, 'A2A-Version': '1.0' };
    expect(await exchange(host, { path: '/api/a2a/tasks', headers })).toMatch(/"totalSize":0/);
    expect(await exchange(host, { path: '/.well-known/agent-card.json' })).toMatch(/"name":"Guest"/);
  });
});

import { describe, expect, it, vi } from 'vitest';
import { AgentCardResolver, type AgentCard } from 'nest-a2a';
import { cardUrls } from '../../lib/client/card/card-urls.js';
import { cardOf, startServer, type Reply } from './card-server.js';

const WELL_KNOWN = '/.well-known/agent-card.json';

/** What resolving an address rejects with. */
async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => Promise.reject(new Error('It was expected to fail')),
    (error: unknown) => error as Error,
  );
}

describe('where a card is looked for', () => {
  it.each([
    ['https://h.example', [`https://h.example${WELL_KNOWN}`]],
    ['https://h.example/', [`https://h.example${WELL_KNOWN}`]],
    ['https://h.example//', [`https://h.example${WELL_KNOWN}`]],
    [
      'https://h.example/agents/foo',
      [`https://h.example/agents/foo${WELL_KNOWN}`, `https://h.example${WELL_KNOWN}`],
    ],
    [
      'https://h.example//agents/foo//',
      [`https://h.example/agents/foo${WELL_KNOWN}`, `https://h.example${WELL_KNOWN}`],
    ],
    ['https://h.example/x/.well-known/agent-card.json', ['https://h.example/x/.well-known/agent-card.json']],
    ['https://h.example/cards/foo.json?v=1', ['https://h.example/cards/foo.json?v=1']],
    ['https://h.example:8443/?key=1#top', [`https://h.example:8443${WELL_KNOWN}?key=1`]],
  ])('O-DISC-01: for %s', (address, urls) => {
    expect(cardUrls(address)).toEqual(urls);
  });

  it.each([
    ['https://h.example', 'card.json', ['https://h.example/card.json']],
    ['https://h.example/', '/card.json', ['https://h.example/card.json']],
    [
      'https://h.example/foo/',
      'card.json',
      ['https://h.example/foo/card.json', 'https://h.example/card.json'],
    ],
    ['https://h.example', 'https://registry.example/cards/1', ['https://registry.example/cards/1']],
  ])('O-DISC-01: for %s with the path %s', (address, cardPath, urls) => {
    expect(cardUrls(address, cardPath)).toEqual(urls);
  });

  it.each(['h.example', '/path', 'ftp://h.example', '', 'https://user:secret@h.example'])(
    'O-DISC-01: %s is no address of an agent',
    async (address) => {
      const error = await failure(new AgentCardResolver().resolve(address));
      expect(error).toMatchObject({ name: 'AgentCardError', reason: undefined, httpStatus: 500 });
      expect(error.message).not.toContain('secret');
    },
  );

  it('O-DISC-01, S-7: tries below the path first, then at the origin, and remembers where it was', async () => {
    const server = await startServer(({ path }) =>
      path === WELL_KNOWN ? { body: cardOf('http://x/a2a') } : { status: 404 },
    );
    const resolver = new AgentCardResolver();
    const card = await resolver.resolve(`${server.origin}/agents/foo`);
    expect(card).toMatchObject({ name: 'Fake Agent', supportedInterfaces: [{ url: 'http://x/a2a' }] });
    await resolver.resolve(`${server.origin}/agents/foo`);
    expect(server.paths()).toEqual([`/agents/foo${WELL_KNOWN}`, WELL_KNOWN, WELL_KNOWN]);
  });

  it('O-DISC-01: says where it looked in vain', async () => {
    const server = await startServer(() => ({ status: 404 }));
    const error = await failure(new AgentCardResolver().resolve(`${server.origin}/foo?key=secret`));
    expect(error).toMatchObject({ name: 'AgentCardError', responseStatus: 404 });
    expect(error.message).toContain(`${server.origin}/foo${WELL_KNOWN} nor at ${server.origin}${WELL_KNOWN}`);
    expect(error.message).not.toContain('secret');
  });
});

describe('what counts as a card', () => {
  it.each<[unknown, string]>([
    [{}, 'name is required and must be a string; supportedInterfaces is missing'],
    [[], 'card must be an object, not a list'],
    ['null', 'card must be an object, not null'],
    ['"card"', 'card must be an object, not a string'],
    [{ name: 'x', supportedInterfaces: [] }, 'supportedInterfaces is missing, or has no interface'],
    [{ name: 'x', supportedInterfaces: [{ protocolBinding: 'JSONRPC' }] }, 'supportedInterfaces[0].url'],
    [{ ...cardOf('http://x'), skills: 'none' }, 'skills must be a list'],
    ['<!doctype html><title>Hello</title>', 'it is no JSON'],
    ['', 'it is no JSON'],
  ])('O-DISC-02, S-4: %o is none, and is not kept', async (body, said) => {
    let reply: Reply = { body, headers: { 'cache-control': 'max-age=60', etag: '"1"' } };
    const server = await startServer(() => reply);
    const resolver = new AgentCardResolver();
    const error = await failure(resolver.resolve(server.origin));
    expect(error).toMatchObject({ name: 'AgentCardError' });
    expect(error.message).toContain(said);
    reply = { body: cardOf('http://x') };
    await expect(resolver.resolve(server.origin)).resolves.toMatchObject({ name: 'Fake Agent' });
    expect(server.requests[1]?.headers['if-none-match']).toBeUndefined();
  });

  it.each([undefined, null, {}, { streaming: null }])(
    'O-CSTR-18, O-18: capabilities %o are all false',
    async (capabilities) => {
      const server = await startServer(() => ({ body: { ...cardOf('http://x'), capabilities } }));
      const card = await new AgentCardResolver().resolve(server.origin);
      expect(card.capabilities).toEqual({
        streaming: false,
        pushNotifications: false,
        extendedAgentCard: false,
      });
    },
  );

  it('O-18, S-9, S-12: what is left out takes its default; unknown fields and signatures stay', async () => {
    const signatures = [{ protected: 'e30', signature: 'AA' }];
    const body = {
      name: 'x',
      supportedInterfaces: [{ url: 'http://x', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      signatures,
      later: { nested: true },
    };
    const server = await startServer(() => ({ body }));
    const card = await new AgentCardResolver().resolve(server.origin);
    expect(card).toMatchObject({ skills: [], description: '', signatures, later: { nested: true } });
    expect(Object.isFrozen(card.skills)).toBe(true);
  });

  it('O-5, O-V03-02: a card of 0.3 is read as one of 1.0', async () => {
    const old = {
      name: 'old',
      url: 'http://x',
      protocolVersion: '0.3.0',
      skills: [{ id: 's', security: [] }],
    };
    const server = await startServer(() => ({ body: { ...old, supportsAuthenticatedExtendedCard: true } }));
    const card = await new AgentCardResolver().resolve(server.origin);
    expect(card).toMatchObject({
      name: 'old',
      supportedInterfaces: [{ url: 'http://x', protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: true },
    });
    expect(card).not.toHaveProperty('url');
    expect(Object.isFrozen(card.supportedInterfaces)).toBe(true);
  });

  it('O-5: what is wrong with a card of 0.3 is said of that version', async () => {
    const body = { url: 'http://x', capabilities: { streaming: 'yes' }, additionalInterfaces: [{ url: 7 }] };
    const server = await startServer(() => ({ body }));
    const error = await failure(new AgentCardResolver().resolve(server.origin));
    expect(error).toMatchObject({ name: 'AgentCardError' });
    expect(error.message).toContain('is no agent card of protocol 0.3: ');
    for (const field of ['name', 'capabilities.streaming', 'url']) expect(error.message).toContain(field);
  });
});

describe('answers that are no card', () => {
  it('S-40, S-42, S-43: 401 is an AuthenticationError with the challenges', async () => {
    const server = await startServer(() => ({
      status: 401,
      headers: { 'www-authenticate': ['Bearer realm="a"', 'Basic'] },
    }));
    const error = await failure(new AgentCardResolver().resolve(server.origin));
    expect(error).toMatchObject({ name: 'AuthenticationError' });
    expect(JSON.stringify(error)).toContain('Bearer realm');
  });

  it('S-41, S-43: 403 is an AuthorizationError', async () => {
    const server = await startServer(() => ({ status: 403, body: '<html>' }));
    await expect(new AgentCardResolver().resolve(server.origin)).rejects.toMatchObject({
      name: 'AuthorizationError',
    });
  });

  it('S-3: a server that is not there is a TransportError', async () => {
    await expect(new AgentCardResolver().resolve('http://127.0.0.1:9')).rejects.toMatchObject({
      name: 'TransportError',
    });
  });

  it('O-56: a card that does not come in time is a TransportError', async () => {
    const server = await startServer(() => new Promise(() => undefined));
    await expect(new AgentCardResolver({ timeout: 50 }).resolve(server.origin)).rejects.toMatchObject({
      name: 'TransportError',
      timedOut: true,
    });
  });

  it('O-58: a card larger than the limit is not read', async () => {
    const server = await startServer(() => ({ body: cardOf('http://x', { description: 'x'.repeat(2000) }) }));
    const error = await failure(new AgentCardResolver({ maxResponseSize: 1000 }).resolve(server.origin));
    expect(error.message).toContain('larger than 1000 bytes');
  });

  it('O-58: a card that says that it is larger is not waited for', async () => {
    const server = await startServer(() => ({ headers: { 'content-length': '1001' }, body: '{' }));
    const error = await failure(new AgentCardResolver({ maxResponseSize: 1000 }).resolve(server.origin));
    expect(error).toMatchObject({ name: 'AgentCardError' });
    expect(error.message).toContain('larger than 1000 bytes');
  });

  it.each([429, 503])('a server that is busy (%i) says when to come back', async (status) => {
    const server = await startServer(() => ({ status, headers: { 'retry-after': '7' } }));
    const error = await failure(new AgentCardResolver().resolve(server.origin));
    expect(error).toMatchObject({ name: 'AgentCardError', responseStatus: status, retryAfter: 7 });
  });

  it('O-DISC-05: follows redirects within the origin, and no others', async () => {
    const other = await startServer(() => ({ body: cardOf('http://other') }));
    const server = await startServer(({ path }) => {
      if (path === '/moved.json') return { body: cardOf('http://moved') };
      const location = path.startsWith('/away') ? `${other.origin}/card.json?token=t` : '/moved.json';
      return { status: 302, headers: { location } };
    });
    const resolver = new AgentCardResolver({ auth: { bearer: 'secret' } });
    const card = await resolver.resolve(server.origin);
    expect(card.supportedInterfaces[0]?.url).toBe('http://moved');
    const error = await failure(resolver.resolve(`${server.origin}/away.json`));
    expect(error.message).toContain(`redirects to ${other.origin}`);
    expect(error.message).not.toContain('token');
    expect(other.requests).toEqual([]);
  });

  it('O-DISC-05: redirects do not go on for ever', async () => {
    const server = await startServer(() => ({ status: 307, headers: { location: '/again.json' } }));
    const error = await failure(new AgentCardResolver().resolve(server.origin));
    expect(error.message).toContain('without end');
    expect(server.requests.length).toBeLessThan(10);
  });

  it('with a guard no address that is not public is asked', async () => {
    const server = await startServer(() => ({ body: cardOf('http://x') }));
    await expect(new AgentCardResolver({ guard: {} }).resolve(server.origin)).rejects.toMatchObject({
      name: 'TransportError',
      unsent: true,
    });
    expect(server.requests).toEqual([]);
    const allowing = new AgentCardResolver({ guard: { allow: ['127.0.0.1'] } });
    await expect(allowing.resolve(server.origin)).resolves.toMatchObject({ name: 'Fake Agent' });
  });
});

describe('keeping cards', () => {
  it('O-DISC-04: a card is used while it is fresh, and then asked for conditionally', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    let card: AgentCard = cardOf('http://x');
    const server = await startServer(({ headers }) => {
      const etag = `"${card.version}"`;
      const caching = { etag, 'cache-control': 'public, max-age=1' };
      return headers['if-none-match'] === etag
        ? { status: 304, headers: caching }
        : { headers: caching, body: card };
    });
    const resolver = new AgentCardResolver();
    try {
      const first = await resolver.resolve(server.origin);
      expect(await resolver.resolve(server.origin)).toBe(first);
      expect(server.requests).toHaveLength(1);

      vi.setSystemTime(Date.now() + 2_000);
      expect(await resolver.resolve(server.origin)).toBe(first);
      expect(await resolver.resolve(server.origin)).toBe(first);
      expect(server.requests).toHaveLength(2);
      expect(server.requests[1]?.headers['if-none-match']).toBe('"1.0.0"');

      card = cardOf('http://y', { version: '2.0.0' });
      vi.setSystemTime(Date.now() + 2_000);
      await expect(resolver.resolve(server.origin)).resolves.toMatchObject({ version: '2.0.0' });
      expect(server.requests).toHaveLength(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['etag', '"1"', 'if-none-match'],
    ['last-modified', 'Mon, 30 Nov 2026 12:00:00 GMT', 'if-modified-since'],
  ])('O-DISC-04: an answer 304 need not repeat its %s', async (name, value, condition) => {
    const server = await startServer(({ headers }) =>
      headers[condition] === value
        ? { status: 304 }
        : { headers: { [name]: value }, body: cardOf('http://x') },
    );
    const resolver = new AgentCardResolver();
    const first = await resolver.resolve(server.origin);
    for (const _ of [1, 2, 3]) expect(await resolver.resolve(server.origin)).toBe(first);
    expect(server.requests.map(({ headers }) => headers[condition])).toEqual([
      undefined,
      value,
      value,
      value,
    ]);
  });

  it.each([
    ['no-store', { 'cache-control': 'no-store', etag: '"1"' }, undefined],
    ['no-cache', { 'cache-control': 'no-cache', etag: '"1"' }, '"1"'],
    ['an age past its life', { 'cache-control': 'max-age=10', age: '11', etag: '"1"' }, '"1"'],
    ['nothing', { etag: '"1"' }, '"1"'],
  ])('O-DISC-04: after %s it is asked for each time', async (_name, headers, condition) => {
    const server = await startServer(() => ({ headers, body: cardOf('http://x') }));
    const resolver = new AgentCardResolver();
    await resolver.resolve(server.origin);
    await resolver.resolve(server.origin);
    expect(server.requests.map(({ headers: sent }) => sent['if-none-match'])).toEqual([undefined, condition]);
  });

  it('O-DISC-04: "Expires" and "Last-Modified" count too', async () => {
    const date = new Date().toUTCString();
    const expires = new Date(Date.now() + 60_000).toUTCString();
    const headers = { date, expires, 'last-modified': date };
    const server = await startServer(() => ({ headers, body: cardOf('http://x') }));
    const resolver = new AgentCardResolver();
    await resolver.resolve(server.origin);
    await resolver.resolve(server.origin);
    expect(server.requests).toHaveLength(1);
  });

  it('O-DISC-04: many callers at once make one request, and one that gives up takes nothing from the others', async () => {
    const server = await startServer(() => ({ body: cardOf('http://x') }));
    const resolver = new AgentCardResolver();
    const hasty = new AbortController();
    const all = Array.from({ length: 20 }, () => resolver.resolve(server.origin));
    const given = resolver.resolve(server.origin, { signal: hasty.signal });
    hasty.abort(new Error('never mind'));
    await expect(given).rejects.toThrow('never mind');
    expect(new Set(await Promise.all(all)).size).toBe(1);
    expect(server.requests).toHaveLength(1);
  });
});

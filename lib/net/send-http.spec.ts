import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GuardedAgents } from './guarded-agent.js';
import { InvalidOutboundRequestError, OutboundTimeoutError, UrlRefusedError } from './outbound-errors.js';
import { sendHttp } from './send-http.js';
import { UrlGuard } from './url-guard.js';

/** The URL of a server on this machine, and how many connections it has seen. */
async function serve(answer: RequestListener) {
  const server = createHttpServer(answer);
  const seen = { connections: 0 };
  server.on('connection', () => seen.connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, port, seen };
}

const never: RequestListener = () => undefined;

describe('an outbound call', () => {
  it('gives status, headers and body, whatever the status', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(404, { 'X-Seen': `${request.method} ${request.url} ${request.headers['x-mine']}` });
      request.pipe(response);
    });
    const answer = await sendHttp({
      method: 'PUT',
      url: `${url}a?b=c#d`,
      headers: { 'X-Mine': '1' },
      body: 'é',
    });
    expect(answer).toMatchObject({ status: 404, headers: { 'x-seen': 'PUT /a?b=c 1' }, truncated: false });
    expect(answer.body.toString()).toBe('é');
  });

  it('sends headers in Latin-1, whatever the body', async () => {
    const { url } = await serve((request, response) => {
      response.end(Buffer.from(request.headers['x-mine'] as string, 'latin1'));
    });
    for (const body of [undefined, '{}', 'é', Buffer.from('é')]) {
      const answer = await sendHttp({ method: 'POST', url, headers: { 'X-Mine': 'tok-é ÿ' }, body });
      expect(answer.body.toString('latin1')).toBe('tok-é ÿ');
    }
  });

  it('follows no redirect', async () => {
    const other = await serve(never);
    const { url } = await serve((_, response) => response.writeHead(302, { Location: other.url }).end());
    expect((await sendHttp({ url })).status).toBe(302);
    expect(other.seen.connections).toBe(0);
  });

  it('reads no more than maxBytes', async () => {
    const { url } = await serve((_, response) => response.end(Buffer.alloc(1_000_000, 'x')));
    const { body, truncated } = await sendHttp({ url, maxBytes: 10 });
    expect([body.toString(), truncated]).toEqual(['xxxxxxxxxx', true]);
    expect((await sendHttp({ url, maxBytes: 1_000_000 })).truncated).toBe(false);
  });

  it('ends when the head is late', async () => {
    const { url } = await serve(never);
    await expect(sendHttp({ url, timeout: 20, totalTimeout: 10_000 })).rejects.toBeInstanceOf(
      OutboundTimeoutError,
    );
  });

  it('ends when the whole is late, and not before', async () => {
    const { url } = await serve((_, response) => response.write('…'));
    await expect(sendHttp({ url, timeout: 10_000, totalTimeout: 50 })).rejects.toMatchObject({
      milliseconds: 50,
    });
  });

  it('ends with its signal: before, at the head, in the body', async () => {
    const reason = new Error('enough');
    await expect(sendHttp({ url: 'http://127.0.0.1:1/', signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    for (const answer of ['head', 'body']) {
      const abort = new AbortController();
      const { url } = await serve((_, response) => {
        if (answer === 'body') response.write('…');
        setImmediate(() => abort.abort(reason));
      });
      for (const ignoreBody of [false, true]) {
        await expect(sendHttp({ url, signal: abort.signal, ignoreBody })).rejects.toBe(reason);
      }
    }
  });

  it('fails where the connection breaks off in the body', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'Content-Length': '10' });
      response.write('half', () => response.destroy());
    });
    await expect(sendHttp({ url })).rejects.toThrow();
    expect(await sendHttp({ url, ignoreBody: true })).toMatchObject({ status: 200 });
  });

  it('refuses what cannot be sent, without repeating it', async () => {
    const call = sendHttp({ url: 'http://127.0.0.1:1/', headers: { Authorization: 'secret\r\nX: y' } });
    await expect(call).rejects.toBeInstanceOf(InvalidOutboundRequestError);
    await expect(call).rejects.not.toThrow('secret');
    await expect(sendHttp({ url: 'http://127.0.0.1:1/', method: 'A B' })).rejects.toThrow(
      InvalidOutboundRequestError,
    );
    await expect(sendHttp({ url: 'file:///etc/passwd' })).rejects.toBeInstanceOf(UrlRefusedError);
  });

  it('uses connections again, also after an answer that was thrown away', async () => {
    const { url, seen } = await serve((_, response) => response.end('x'.repeat(1_000)));
    const agents = new GuardedAgents(new UrlGuard({ allow: ['127.0.0.1'] }));
    for (const ignoreBody of [true, false, true]) await sendHttp({ url, agents, ignoreBody });
    expect(seen.connections).toBe(1);
    agents.destroy();
  });
});

describe('S-115: guarded agents', () => {
  it.each(['127.0.0.1', 'localhost', '127.1', '0x7f000001', '2130706433', '[::1]', '[::ffff:127.0.0.1]'])(
    'let neither node:http nor axios connect to %s',
    async (host) => {
      const { port, seen } = await serve((_, response) => response.end());
      const { http: httpAgent } = new GuardedAgents(new UrlGuard());
      const url = `http://${host}:${port}/`;
      await expect(axios.get(url, { httpAgent, proxy: false })).rejects.toThrow(/The URL must not/);
      // What callers set themselves changes nothing.
      const lookup = () => ['127.0.0.1', 4] as const;
      await expect(axios.get(url, { httpAgent, proxy: false, lookup: lookup as never })).rejects.toThrow(
        /The URL must not/,
      );
      await expect(sendHttp({ url, agents: new GuardedAgents(new UrlGuard()) })).rejects.toThrow(
        UrlRefusedError,
      );
      expect(seen.connections).toBe(0);
    },
  );

  it('check the address that a name resolves to, and connect to that address', async () => {
    const { port, seen } = await serve((request, response) => response.end(request.headers.host));
    const resolve = async (host: string) =>
      host === 'inner.example' ? ['10.0.0.1', '127.0.0.1'] : ['127.0.0.1'];
    const refusing = new GuardedAgents(new UrlGuard(), { resolve });
    for (const host of ['inner.example', 'rebind.example'])
      await expect(sendHttp({ url: `http://${host}:${port}/`, agents: refusing })).rejects.toThrow(
        UrlRefusedError,
      );
    expect(seen.connections).toBe(0);

    const agents = new GuardedAgents(new UrlGuard({ allow: ['127.0.0.1'] }), { resolve });
    const { body } = await sendHttp({ url: `http://hook.example:${port}/`, agents });
    expect(body.toString()).toBe(`hook.example:${port}`);
    const { data } = await axios.get(`http://hook.example:${port}/`, {
      httpAgent: agents.http,
      proxy: false,
    });
    expect(data).toBe(`hook.example:${port}`);
    agents.destroy();
  });

  it('fail where a name has no address', async () => {
    const agents = new GuardedAgents(new UrlGuard(), { resolve: async () => [] });
    await expect(sendHttp({ url: 'http://hook.example/', agents })).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
    const failing = new GuardedAgents(new UrlGuard(), {
      resolve: () => Promise.reject(new Error('no resolver')),
    });
    await expect(sendHttp({ url: 'http://hook.example/', agents: failing })).rejects.toThrow('no resolver');
  });

  it('let nobody connect to a socket file', async () => {
    const { http: httpAgent } = new GuardedAgents(new UrlGuard({ validateUrl: false }));
    const call = axios.get('http://example.com/', {
      httpAgent,
      proxy: false,
      socketPath: '/var/run/docker.sock',
    });
    await expect(call).rejects.toThrow('socket file');
  });

  it('speak TLS to the name, not to its address', async () => {
    const names: string[] = [];
    const server = createTlsServer({
      SNICallback: (name, done) => {
        names.push(name);
        done(new Error('no certificate'));
      },
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const agents = new GuardedAgents(new UrlGuard({ allow: ['127.0.0.1'] }), {
      resolve: async () => ['127.0.0.1'],
    });
    await expect(sendHttp({ url: `https://hook.example:${port}/`, agents })).rejects.toThrow();
    expect(names).toEqual(['hook.example']);
    await expect(
      sendHttp({
        url: `https://hook.example:${port}/`,
        agents: new GuardedAgents(new UrlGuard(), { resolve: async () => ['127.0.0.1'] }),
      }),
    ).rejects.toThrow(UrlRefusedError);
  });
});

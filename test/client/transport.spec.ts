import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  axiosTransport,
  TransportError,
  type HttpRequest,
  type HttpResponse,
  type HttpTransport,
} from 'nest-a2a';
import { GuardedAgents } from '../../lib/net/guarded-agent.js';
import { UrlGuard } from '../../lib/net/url-guard.js';
import { TLS } from '../card/tls.js';
import { stopTime } from '../support/stop-time.js';
import { all, clientOf, errorOf, json, raw, SEND, startServer, stream } from './wire-server.js';

const TASK = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: {} });
const read = ({ body }: HttpResponse) => buffer(body);

describe('connections', () => {
  it('O-74, O-75, S-5: are used again once their answer was read to the end', async () => {
    const server = await startServer(json(TASK));
    const client = clientOf(server.url);
    for (let i = 0; i < 5; i++) await client.getTask({ id: 't' });
    expect(server.sockets.size).toBe(1);
  });

  it('O-74: no more than 8 are kept idle for an origin', async () => {
    const server = await startServer(json(TASK));
    const client = clientOf(server.url);
    await Promise.all(Array.from({ length: 20 }, () => client.getTask({ id: 't' })));
    expect(server.sockets.size).toBe(20);
    const idle = () => [...server.sockets].filter((socket) => !socket.destroyed).length;
    while (idle() > 8) await new Promise(setImmediate);
    await Promise.all(Array.from({ length: 8 }, () => client.getTask({ id: 't' })));
    expect([idle(), server.sockets.size]).toEqual([8, 20]);
  });

  it('O-74: idle ones are closed after a while', async () => {
    const server = await startServer(json(TASK));
    const client = clientOf(server.url, { transport: axiosTransport({ idleTimeout: 30 }) });
    await client.getTask({ id: 't' });
    const [socket] = server.sockets;
    await once(socket!, 'close');
    await client.getTask({ id: 't' });
    expect(server.sockets.size).toBe(2);
  });

  it('O-75: one whose rest arrives in a moment is used again, another is closed', async () => {
    const server = await startServer(raw(200, 'x'.repeat(1_000)));
    const agents = new GuardedAgents(new UrlGuard({ validateUrl: false }));
    const transport = axiosTransport({ agents });
    stopTime();
    for (let i = 0; i < 3; i++) {
      const free = once(agents.http, 'free');
      const { body } = await transport(get(server.url));
      await body[Symbol.asyncIterator]().return?.();
      await free;
    }
    expect(server.sockets.size).toBe(1);
    server.answer = (_request, response) => response.writeHead(200).write('x');
    for await (const piece of (await transport(get(server.url))).body) if (piece.length > 0) break;
    vi.runAllTimers();
    await server.requests.at(-1)!.closed;
  });

  it('O-78: the end of the signal closes one at once, before and behind the head', async () => {
    const server = await startServer((request, response) => {
      if (request.path === '/head') response.writeHead(200).write('x');
    });
    const transport = axiosTransport();
    for (const path of ['/', '/head']) {
      const abort = new AbortController();
      const work = transport({ ...get(server.url + path), signal: abort.signal }).then(read);
      while (server.requests.at(-1)?.path !== path) await new Promise(setImmediate);
      setTimeout(() => abort.abort(new Error('mine')), 5);
      expect((await errorOf(work)).message).toBe('mine');
      await server.requests.at(-1)!.closed;
    }
  });

  /** A server that keeps a connection open after its first answer, and drops it when the second request comes. */
  async function startDying() {
    const requests: string[] = [];
    const server = createTcpServer((socket: Socket) => {
      let count = 0;
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        requests.push(bytes.toString().split('\r\n')[0]!);
        if (++count > 1) socket.destroy();
        else {
          const body = JSON.stringify({ ...TASK, task: TASK });
          socket.write(
            `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
          );
        }
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
  }

  it('O-76: a call that changes nothing is tried again where a kept connection was dead', async () => {
    const { url, requests } = await startDying();
    const client = clientOf(url);
    for (let i = 0; i < 3; i++) expect((await client.getTask({ id: 't' })).id).toBe('t');
    expect(requests).toHaveLength(5);
  });

  it('O-76: a send is not, since the agent may have got it', async () => {
    const { url, requests } = await startDying();
    const client = clientOf(url, { retry: { attempts: 3, delay: 1 } });
    await client.getTask({ id: 't' });
    expect(await errorOf(client.sendMessage(SEND))).toMatchObject({ name: 'TransportError', unsent: false });
    expect(requests).toEqual(['GET /tasks/t HTTP/1.1', 'POST /message:send HTTP/1.1']);
  });

  it('redirects and compression: the first is an answer, the second is undone', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(302, { 'content-encoding': 'gzip', location: '/other' });
      response.end(gzipSync('hello'));
    });
    const response = await axiosTransport()(get(server.url));
    expect([response.status, String(await read(response)), server.requests.length]).toEqual([
      302,
      'hello',
      1,
    ]);
  });

  it('O-58: a small body that unpacks to a large one is bounded', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(10_000_000, ' ')));
    });
    const error = await errorOf(clientOf(server.url, { maxResponseSize: 100_000 }).getTask({ id: 't' }));
    expect(error.name).toBe('ResponseTooLargeError');
  });

  it('O-58: an answer that says that it is larger is not waited for', async () => {
    for (const status of [200, 500]) {
      const server = await startServer((_request, response) => {
        response.writeHead(status, { 'content-length': 100_001 }).write('{');
      });
      const error = await errorOf(clientOf(server.url, { maxResponseSize: 100_000 }).getTask({ id: 't' }));
      expect(error).toMatchObject({ name: 'ResponseTooLargeError', limit: 100_000 });
      await server.requests[0]!.closed;
    }
  });

  describe.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('an answer packed with %s', (encoding, pack) => {
    const packed = pack(JSON.stringify({ ...TASK, metadata: { text: 'x'.repeat(10_000) } }));
    const packedHead = { 'content-type': 'application/json', 'content-encoding': encoding };

    it('is asked for, and read', async () => {
      const server = await startServer((_request, response) => {
        response.writeHead(200, packedHead).end(packed);
      });
      expect((await clientOf(server.url).getTask({ id: 't' })).id).toBe('t');
      expect(server.requests[0]!.headers['accept-encoding']).toContain(encoding);
    });

    it.each([
      [
        'by a proxy that ends it in good order',
        (response: ServerResponse, part: Buffer) => response.writeHead(200, packedHead).end(part),
      ],
      [
        'with its connection',
        (response: ServerResponse, part: Buffer) =>
          response
            .writeHead(200, { ...packedHead, 'content-length': packed.length })
            .write(part, () => response.destroy()),
      ],
    ])('that is cut off %s is a broken connection', async (_how, cut) => {
      for (const length of [1, 10, packed.length - 1]) {
        const server = await startServer((_request, response) => cut(response, packed.subarray(0, length)));
        const error = await errorOf(clientOf(server.url).getTask({ id: 't' }));
        expect(error).toMatchObject({ name: 'TransportError', unsent: false, timedOut: false });
        expect(error.message).toContain('The connection broke');
      }
    });

    it('is none where it has no body', async () => {
      const server = await startServer((_request, response) => {
        response.writeHead(204, packedHead).end();
      });
      const deleted = clientOf(server.url).deleteTaskPushNotificationConfig({ taskId: 't', id: 'c' });
      await expect(deleted).resolves.toBeUndefined();
    });

    it('is told from one that is no such thing', async () => {
      const server = await startServer(raw(200, '<html>', packedHead));
      const error = await errorOf(clientOf(server.url).getTask({ id: 't' }));
      expect(error).toMatchObject({ name: 'TransportError' });
      expect(error.message).toContain('could not be decompressed');
    });
  });

  it('mutual TLS: shows the certificate of the client, and trusts whom it is told to', async () => {
    const server = createTlsServer(
      { ...TLS, ca: TLS.cert, requestCert: true, rejectUnauthorized: true },
      (_request, response) => {
        response.end(JSON.stringify(TASK));
      },
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const withTls = (tls: object) => clientOf(url, { transport: axiosTransport({ tls }) });
    expect((await withTls({ ...TLS, ca: TLS.cert }).getTask({ id: 't' })).id).toBe('t');
    const stranger = await errorOf(clientOf(url).getTask({ id: 't' }));
    expect(stranger).toMatchObject({ name: 'TransportError', unsent: true });
    expect(stranger.message).toContain('self-signed certificate');
    expect((await errorOf(withTls({ ca: TLS.cert }).getTask({ id: 't' }))).name).toBe('TransportError');
  });

  it('proxies of the environment are not used unless that is asked for', async () => {
    const [proxy, server] = [await startServer(json(TASK)), await startServer(json(TASK))];
    process.env.HTTP_PROXY = proxy.url;
    onTestFinished(() => {
      delete process.env.HTTP_PROXY;
    });
    await clientOf(server.url).getTask({ id: 't' });
    expect(proxy.requests).toHaveLength(0);
    await clientOf(server.url, { transport: axiosTransport({ proxy: true }) }).getTask({ id: 't' });
    expect(proxy.requests[0]?.path).toBe(`${server.url}/tasks/t`);
  });
});

describe('faults', () => {
  it('S-47: a host that cannot be reached is a TransportError, and nothing was sent', async () => {
    for (const [url, errno] of [
      ['http://127.0.0.1:1', 'ECONNREFUSED'],
      ['http://nowhere.invalid', undefined],
    ] as const) {
      const error = await errorOf(clientOf(url).sendMessage(SEND));
      expect(error).toBeInstanceOf(TransportError);
      expect(error).toMatchObject({ unsent: true, ...(errno && { errno }) });
    }
  });

  it('hold nothing that is secret, however they are looked at', async () => {
    const server = await startServer((request) => request.socket.destroy());
    const { port } = new URL(server.url);
    const headers = { authorization: 'Bearer sk-secret-1', 'x-api-key': 'sk-secret-2' };
    const urls = [
      `http://u:sk-secret-3@127.0.0.1:${port}/a?key=sk-secret-4`,
      'http://u:sk-secret-3@127.0.0.1:1/?k=sk-secret-4',
      'http://u:sk-secret-3@[/',
    ];
    for (const url of urls) {
      const error = await errorOf(
        clientOf(url, { headers }).sendMessage({ ...SEND, metadata: { a: 'sk-secret-5' } }),
      );
      expect(error).toBeInstanceOf(TransportError);
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('sk-secret');
    }
  });

  it('S-47: are typed, whatever an own transport throws, and wherever', async () => {
    const throwing =
      (error: unknown): HttpTransport =>
      () =>
        Promise.reject(error);
    const breaking =
      (error: unknown): HttpTransport =>
      async () => ({
        status: 200,
        headers: {},
        body: {
          [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
        },
      });
    for (const fault of [
      new Error('socket hang up'),
      'socket hang up',
      Object.assign(new Error('socket hang up'), { config: 1 }),
    ]) {
      for (const transport of [throwing(fault), breaking(fault)]) {
        const error = await errorOf(clientOf('http://a', { transport }).sendMessage(SEND));
        expect(error).toBeInstanceOf(TransportError);
        expect(error).toMatchObject({ message: 'The transport failed: socket hang up', unsent: false });
      }
    }
    const sync = () => {
      throw new Error('at once');
    };
    expect((await errorOf(clientOf('http://a', { transport: sync }).sendMessage(SEND))).name).toBe(
      'TransportError',
    );
  });

  it('O-56, O-78: time-outs and signals end a call whose transport heeds neither', async () => {
    const silent: HttpTransport = () => new Promise(() => undefined);
    const client = clientOf('http://a', { transport: silent, timeout: 20 });
    expect(await errorOf(client.sendMessage(SEND))).toMatchObject({ timedOut: true });
    const signal = AbortSignal.abort(new Error('mine'));
    expect((await errorOf(client.sendMessage(SEND, { signal, timeout: 10_000 }))).message).toBe('mine');
    const mute: HttpTransport = async () => ({
      status: 200,
      headers: {},
      body: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) },
    });
    expect(
      await errorOf(clientOf('http://a', { transport: mute, timeout: 20 }).sendMessage(SEND)),
    ).toMatchObject({ timedOut: true });
  });

  it.each([0, -1, NaN, '5'])('a time-out of %o is refused before anything is sent', async (timeout) => {
    const server = await startServer(json(TASK));
    const options = { timeout } as never;
    expect((await errorOf(clientOf(server.url).getTask({ id: 't' }, options))).name).toBe(
      'InvalidParamsError',
    );
    expect(server.requests).toHaveLength(0);
  });

  it('a refusal by the guard of addresses is one of them', async () => {
    const server = await startServer(json(TASK));
    const agents = new GuardedAgents(new UrlGuard());
    const error = await errorOf(
      clientOf(server.url, { transport: axiosTransport({ agents }) }).getTask({ id: 't' }),
    );
    expect(error).toMatchObject({ name: 'TransportError', unsent: true });
    expect(error.message).toContain('not public');
    expect(server.sockets.size).toBe(0);
  });
});

describe('calls that may be tried again', () => {
  const retry = { attempts: 2, delay: 1 };
  const busy = (status: number, headers = {}) => {
    let count = 0;
    return startServer((request, response) =>
      (++count > 2 ? json({ ...TASK, task: TASK }) : raw(status, '', headers))(request, response),
    );
  };

  it.each([429, 502, 503, 504])('a call that changes nothing is made again after HTTP %s', async (status) => {
    const server = await busy(status);
    expect((await clientOf(server.url, { retry }).getTask({ id: 't' })).id).toBe('t');
    expect(server.requests).toHaveLength(3);
  });

  it.each(['HTTP+JSON', 'JSONRPC'] as const)(
    'a send and a cancellation are never, over %s',
    async (binding) => {
      const server = await startServer(raw(503, ''));
      const client = clientOf(server.url, { binding, retry });
      expect((await errorOf(client.sendMessage(SEND))).name).toBe('UnavailableError');
      expect((await errorOf(client.cancelTask({ id: 't' }))).name).toBe('UnavailableError');
      expect(server.requests).toHaveLength(2);
    },
  );

  it('but for a send of which nothing was written', async () => {
    const calls: string[] = [];
    const transport = async ({ url }: HttpRequest): Promise<HttpResponse> => {
      calls.push(url);
      throw new TransportError('refused', { unsent: true });
    };
    expect((await errorOf(clientOf('http://a', { transport, retry }).sendMessage(SEND))).message).toBe(
      'refused',
    );
    expect(calls).toHaveLength(3);
  });

  it('other errors are final, and so is everything without a policy, or without one for this call', async () => {
    const server = await startServer(raw(500, ''));
    await errorOf(clientOf(server.url, { retry }).getTask({ id: 't' }));
    server.answer = raw(503, '');
    await errorOf(clientOf(server.url, { retry: false }).getTask({ id: 't' }));
    await errorOf(clientOf(server.url, { retry }).getTask({ id: 't' }, { retry: false }));
    expect(server.requests).toHaveLength(3);
  });

  it('a policy that makes no sense is refused before anything is sent, and what is absent has its default', async () => {
    const server = await busy(503);
    for (const wrong of [{ attempt: 1 }, { attempts: -1 }, { delay: '1' }, 3] as never[]) {
      expect((await errorOf(clientOf(server.url).getTask({ id: 't' }, { retry: wrong }))).name).toBe(
        'InvalidParamsError',
      );
    }
    expect(server.requests).toHaveLength(0);
    const absent = { attempts: undefined, delay: 1 } as object;
    expect((await clientOf(server.url).getTask({ id: 't' }, { retry: absent })).id).toBe('t');
    server.answer = raw(503, '');
    await errorOf(clientOf(server.url).getTask({ id: 't' }, { retry: absent }));
    expect(server.requests).toHaveLength(6);
  });

  it('a server that asks for a longer wait than the policy allows, or than there is time for, is not asked again', async () => {
    const server = await startServer(raw(503, '', { 'retry-after': '2' }));
    expect(
      (await errorOf(clientOf(server.url, { retry: { maxDelay: 100 } }).getTask({ id: 't' }))).retryAfter,
    ).toBe(2);
    expect(
      (await errorOf(clientOf(server.url, { retry: {}, timeout: 1_000 }).getTask({ id: 't' }))).retryAfter,
    ).toBe(2);
    expect(server.requests).toHaveLength(2);
  });

  it('aborting ends the wait', async () => {
    const server = await startServer(raw(503, '', { 'retry-after': '3' }));
    const work = clientOf(server.url, { retry: {} }).getTask(
      { id: 't' },
      { signal: AbortSignal.timeout(50) },
    );
    expect((await errorOf(work)).name).toBe('TimeoutError');
  });
});

describe('logs', () => {
  it('O-81: say what was called, where and with what result, and nothing that is secret', async () => {
    const server = await startServer(json(TASK));
    const url = server.url.replace('//', '//user:sk-secret-1@') + '/?key=sk-secret-2';
    const client = clientOf(url, { headers: { authorization: 'Bearer sk-secret-3' } });
    await client.getTask({ id: 't', tenant: 'acme' });
    server.answer = raw(500, 'token=sk-secret-4');
    await errorOf(client.sendMessage({ ...SEND, metadata: { a: 'sk-secret-5' } }));
    server.answer = stream();
    await errorOf(all(client.subscribeToTask({ id: 't' })));
    // Clients of other suites may still be at work.
    const lines = server.log.lines.filter((line) => line.includes(server.url));
    const [got, sent, ...rest] = lines;
    expect(got).toMatch(
      new RegExp(`^debug: getTask #\\d+ GET ${server.url}/acme/tasks/t: HTTP 200 \\(\\d+ ms\\)`),
    );
    expect(sent).toMatch(
      /^debug: sendMessage #\d+ POST .*\/message:send: InternalError: HTTP 500 Internal Server Error/,
    );
    expect(rest[0]).toContain('subscribeToTask');
    expect(lines.join()).not.toMatch(/sk-secret|user:|key=/);
  });
});

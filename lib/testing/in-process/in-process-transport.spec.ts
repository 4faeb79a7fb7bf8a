import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpResponse } from '../../client/http-transport.js';
import { inProcessTransport } from './in-process-transport.js';

@Module({})
class EmptyModule {}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

describe.each([
  ['express', () => new ExpressAdapter()],
  ['fastify', () => new FastifyAdapter()],
] as const)('inProcessTransport into %s', (_name, adapter) => {
  let app: INestApplication;
  let handle: Handle;

  beforeEach(async () => {
    app = await NestFactory.create(EmptyModule, adapter(), { logger: false });
    // Below everything that the adapters do, so that the bytes are those of the test.
    await app.init();
    const server = app.getHttpServer();
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => handle(request, response));
  });
  afterEach(() => app.close());

  const call = (given: Partial<Parameters<ReturnType<typeof inProcessTransport>>[0]> = {}) =>
    inProcessTransport(app)({ method: 'GET', url: 'http://agent.local/a/b?c=d', headers: {}, ...given });

  it('carries method, path, headers and body both ways', async () => {
    handle = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url, headers } = request;
        response.setHeader('WWW-Authenticate', ['Basic realm="a"', 'Bearer']);
        response.writeHead(418, { 'X-Seen': `${method} ${url} ${headers.host} ${headers['x-a']}` });
        response.end(Buffer.concat(chunks).toString().toUpperCase());
      });
    };
    const answer = await call({ method: 'POST', headers: { 'x-a': '1' }, body: 'grüß' });
    expect(answer.status).toBe(418);
    expect(answer.headers['x-seen']).toBe('POST /a/b?c=d agent.local 1');
    expect(answer.headers['www-authenticate']).toEqual(['Basic realm="a"', 'Bearer']);
    expect(await textOf(answer)).toBe('GRÜSS');
  });

  it('gives a stream piece by piece, no faster than it is read', async () => {
    const piece = Buffer.alloc(64 * 1024);
    let written = 0;
    let drained = Promise.resolve();
    handle = (_request, response) => {
      response.writeHead(200);
      const fill = () => {
        while (written < 100) {
          written += 1;
          if (response.write(piece)) continue;
          drained = once(response, 'drain').then(fill);
          return;
        }
        response.end();
      };
      fill();
    };
    const answer = await call();
    // Everything that can happen without a reader has happened.
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBeLessThan(10);
    let size = 0;
    for await (const chunk of answer.body) size += chunk.length;
    await drained;
    expect([written, size]).toEqual([100, 100 * piece.length]);
  });

  it('tells the server when the client leaves a stream', async () => {
    const closed = new Promise<void>((resolve) => {
      handle = (_request, response) => {
        response.on('close', resolve);
        response.write('x');
      };
    });
    const reading = (await call()).body[Symbol.asyncIterator]();
    expect(String((await reading.next()).value)).toBe('x');
    await reading.return?.();
    await closed;
  });

  it('rejects with the reason of a signal, before the answer and while it is read', async () => {
    const reason = new Error('enough');
    const early = new AbortController();
    handle = () => early.abort(reason);
    await expect(call({ signal: early.signal })).rejects.toBe(reason);

    const late = new AbortController();
    const closed = new Promise<void>((resolve) => {
      handle = (_request, response) => {
        response.on('close', resolve);
        response.write('x');
      };
    });
    const { body } = await call({ signal: late.signal });
    const reading = (async () => {
      for await (const _chunk of body) late.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    await closed;
    await expect(call({ signal: late.signal })).rejects.toBe(reason);
  });

  it('fails when no head comes in time, and when the server breaks off', async () => {
    handle = () => undefined;
    await expect(call({ timeout: 20 })).rejects.toMatchObject({ name: 'TransportError', timedOut: true });
    handle = (request) => request.destroy();
    await expect(call()).rejects.toMatchObject({ name: 'TransportError', unsent: false });
    handle = (_request, response) => {
      response.write('half', () => response.destroy());
    };
    const answer = await call();
    await expect(textOf(answer)).rejects.toMatchObject({ name: 'TransportError', timedOut: false });
  });
});

async function textOf({ body }: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

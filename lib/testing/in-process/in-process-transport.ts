import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { HttpRequest, HttpResponse, HttpTransport } from '../../client/http-transport.js';
import { TransportError } from '../../client/transport-error.js';
import { MemorySocket } from './memory-socket.js';

/**
 * A transport into a Nest application of this process, which need not listen: a real client and a real server, with
 * nothing but the network left out. Requests go through Node's own HTTP on both sides, so that headers, streams,
 * back-pressure and aborts are as they would be; the host of their URLs does not matter.
 *
 * ```ts
 * const app = await NestFactory.create(AppModule);
 * const client = await new A2AClientFactory({ transport: inProcessTransport(app) }).connect('http://agent.local');
 * ```
 *
 * @param app on Express or Fastify; initialised by the first request if it is not yet
 * @publicApi
 */
export function inProcessTransport(app: INestApplication): HttpTransport {
  let ready: Promise<Server> | undefined;
  return async (request) => {
    request.signal?.throwIfAborted();
    ready ??= serverOf(app);
    return send(request, await ready);
  };
}

async function serverOf(app: INestApplication): Promise<Server> {
  await app.init();
  const instance: unknown = app.getHttpAdapter().getInstance();
  // Fastify builds its routes when it is about to listen.
  if (isFastify(instance)) await instance.ready();
  return app.getHttpServer() as Server;
}

function isFastify(instance: unknown): instance is { ready(): Promise<unknown> } {
  return typeof instance === 'object' && instance !== null && 'ready' in instance;
}

function send(request: HttpRequest, server: Server): Promise<HttpResponse> {
  const { method, url, headers, body, timeout, signal } = request;
  const { host, pathname, search } = new URL(url);
  const [near, far] = MemorySocket.pair();
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      method,
      path: pathname + search,
      headers: { host, ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      createConnection: () => near,
    });
    const abort = () => outgoing.destroy(new Error('aborted'));
    const expire = () =>
      outgoing.destroy(new TransportError(`No answer came within ${timeout} ms`, { timedOut: true }));
    const timer = timeout === undefined ? undefined : setTimeout(expire, timeout);
    signal?.addEventListener('abort', abort, { once: true });
    near.once('close', () => signal?.removeEventListener('abort', abort));
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      reject(faultOf(error, signal));
    });
    outgoing.once('response', (incoming) => {
      clearTimeout(timer);
      resolve({
        status: incoming.statusCode ?? 0,
        headers: headersOf(incoming),
        body: bodyOf(incoming, signal),
      });
    });
    server.emit('connection', far);
    outgoing.end(body);
  });
}

async function* bodyOf(
  incoming: IncomingMessage,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming as AsyncIterable<Buffer>;
  } catch (error) {
    throw faultOf(error, signal);
  }
}

function headersOf({ headersDistinct }: IncomingMessage): HttpResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [
      name,
      values.length === 1 ? values[0] : values,
    ]),
  );
}

function faultOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof TransportError) return error;
  const errno = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return new TransportError('The application closed the connection', {
    cause: error,
    ...(errno !== undefined && { errno }),
  });
}

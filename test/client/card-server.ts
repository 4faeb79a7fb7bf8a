import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { AgentCard } from 'nest-a2a';

/** A request as a server saw it. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a server answers; a `body` that is no text goes out as JSON. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
}

/** A server that answers by a function, and what it was asked. */
export interface FakeServer {
  readonly origin: string;
  readonly requests: SeenRequest[];
  /** The paths asked for, in order. */
  paths(): string[];
}

export type Answer = (request: SeenRequest) => Reply | Promise<Reply>;

/** Starts a server on the loopback interface; it is closed when the test is over. */
export async function startServer(answer: Answer): Promise<FakeServer> {
  const requests: SeenRequest[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request: SeenRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString(),
      };
      requests.push(request);
      void Promise.resolve(answer(request)).then(({ status = 200, headers = {}, body = '' }) => {
        const isText = typeof body === 'string';
        outgoing.writeHead(status, { ...(!isText && { 'content-type': 'application/json' }), ...headers });
        outgoing.end(isText ? body : JSON.stringify(body));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, requests, paths: () => requests.map(({ path }) => path) };
}

/** A card of an agent that is called at `url`. */
export function cardOf(url: string, more: Partial<AgentCard> = {}): AgentCard {
  return {
    name: 'Fake Agent',
    description: 'For tests',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    ...more,
  };
}

/** A task as an agent answers it. */
export const TASK = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } };

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import { onTestFinished } from 'vitest';
import {
  A2AClient,
  axiosTransport,
  type A2AClientOptions,
  type AgentCard,
  type CallSettings,
} from 'nest-a2a';
import { FixedConnector } from '../../lib/client/agent-connection.js';
import type { ClientBindingName } from '../../lib/client/choose-interface.js';
import { createClientBinding } from '../../lib/client/create-client-binding.js';
import type { HttpTransport } from '../../lib/client/http-transport.js';
import { CollectedLog } from '../support/collected-log.js';

/** A request as it came over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as JSON. */
  readonly json: any;
  readonly socket: Socket;
  /** Resolves when the client has closed the connection, or the answer is out. */
  readonly closed: Promise<void>;
}

/** Answers a request, byte by byte if it likes. */
export type Answer = (request: WireRequest, response: ServerResponse) => unknown;

/** A server that says what a test wants it to. */
export interface WireServer {
  readonly url: string;
  readonly requests: WireRequest[];
  /** Sockets that were ever opened. */
  readonly sockets: Set<Socket>;
  /** What was logged since it started. */
  readonly log: CollectedLog;
  answer: Answer;
}

/** Starts a server; it is closed when the test is over. */
export async function startServer(answer: Answer): Promise<WireServer> {
  const server = createServer({ keepAliveTimeout: 60_000 });
  const wire: WireServer = { url: '', requests: [], sockets: new Set(), log: new CollectedLog(), answer };
  Logger.overrideLogger(wire.log);
  server.on('connection', (socket) => wire.sockets.add(socket));
  server.on('request', (request, response) => {
    const closed = new Promise<void>((resolve) => response.on('close', resolve));
    void text(request).then(async (body) => {
      const { method = '', url = '', headers, socket } = request;
      const seen: WireRequest = {
        ...{ method, path: url, headers, body, socket, closed },
        get json() {
          return JSON.parse(body);
        },
      };
      wire.requests.push(seen);
      await wire.answer(seen, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return Object.assign(wire, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** How a client of these tests is made. */
export interface ClientSetup extends CallSettings, A2AClientOptions {
  binding?: ClientBindingName;
  transport?: HttpTransport;
  tenant?: string;
  card?: Pick<AgentCard, 'capabilities'>;
}

/** A client of one URL. */
export function clientOf(url: string, setup: ClientSetup = {}): A2AClient {
  const {
    binding = 'HTTP+JSON',
    transport = axiosTransport(),
    tenant,
    card,
    strictStreaming,
    ...settings
  } = setup;
  const agentInterface = {
    url,
    protocolBinding: binding,
    protocolVersion: '1.0',
    ...(tenant !== undefined && { tenant }),
  };
  const carrier = createClientBinding(binding, { agentInterface, transport, retry: false, ...settings });
  const connector = new FixedConnector({
    card: card as AgentCard | undefined,
    agentInterface,
    binding: carrier,
  });
  return new A2AClient(connector, strictStreaming === undefined ? {} : { strictStreaming });
}

/** A message to send. */
export const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const;
export const SEND = { message: { ...MESSAGE, parts: [{ text: 'hi' }] } };

/** Answers with JSON; over JSON-RPC in the envelope of the request. */
export function json(value: unknown, status = 200, headers: Record<string, string | string[]> = {}): Answer {
  return (request, response) => {
    const isRpc = request.body.includes('"jsonrpc"');
    const body = isRpc ? { jsonrpc: '2.0', id: request.json.id, result: value } : value;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers with bytes as they are. */
export function raw(
  status: number,
  body: string,
  headers: Record<string, string | string[]> = { 'content-type': 'text/html' },
): Answer {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** Answers with a stream of bytes, and ends it. */
export function stream(...pieces: (string | Uint8Array)[]): Answer {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    response.end();
  };
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The error that something fails with. */
export async function errorOf(work: Promise<unknown>): Promise<any> {
  return work.then(
    (value) => Promise.reject(new Error(`It did not fail: ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  );
}

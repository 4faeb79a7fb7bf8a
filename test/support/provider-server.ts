import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void;

/** A server on 127.0.0.1 that plays an identity provider, well or badly. */
export class ProviderServer {
  /** The requests so far, with their bodies. */
  readonly requests: { readonly request: IncomingMessage; readonly body: string }[] = [];
  #server: Server | undefined;
  #port = 0;
  #arrived: (() => void)[] = [];

  constructor(public answer: Answer) {}

  static async start(answer: Answer): Promise<ProviderServer> {
    const server = new ProviderServer(answer);
    await server.listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/provider`;
  }

  /** Also after {@link stop}, at the same port. */
  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        this.requests.push({ request, body });
        for (const tell of this.#arrived.splice(0)) tell();
        this.answer(response, request, body);
      });
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Resolves with the next request. */
  async nextRequest(): Promise<void> {
    await new Promise<void>((resolve) => this.#arrived.push(resolve));
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Answers with a value as JSON. */
export function json(value: unknown, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

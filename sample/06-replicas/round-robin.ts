import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** A proxy that gives each request to the next server, streams included, and to the one after it where nobody listens. */
export class RoundRobin {
  private readonly server = createServer((incoming, outgoing) => void this.handle(incoming, outgoing));
  private next = 0;

  constructor(private readonly targets: readonly string[]) {}

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const body = await buffer(incoming);
      const answer = await this.ask(incoming, body);
      outgoing.once('close', () => answer.destroy());
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      await pipeline(answer, outgoing);
    } catch {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      // What has begun is cut, so that the client sees that it is not all.
      outgoing.destroy();
    }
  }

  private async ask(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt += 1) {
      const target = this.targets[this.next++ % this.targets.length] ?? '';
      try {
        return await send(target, incoming, body);
      } catch (error) {
        // Only what nobody has taken may be sent again.
        const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
        if (!isRefused || attempt >= this.targets.length) throw error;
      }
    }
  }
}

function send(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(`${target}${url}`, { method, headers }, resolve).on('error', reject).end(body);
  });
}

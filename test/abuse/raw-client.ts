import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection on which a test sends what it likes, when it likes. */
export class RawClient {
  readonly socket: Socket;
  /** What came back so far. */
  answer = '';
  readonly closed: Promise<void>;
  readonly #connected: Promise<void>;

  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.socket = connect(Number(port), hostname);
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk: string) => (this.answer += chunk));
    // A server may well reset such a client.
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
    this.#connected = new Promise((resolve) => this.socket.once('connect', () => resolve()));
    onTestFinished(() => {
      this.socket.destroy();
    });
  }

  /** Resolves when the bytes are with the system. */
  async send(bytes: string): Promise<this> {
    await this.#connected;
    await new Promise<void>((resolve) => this.socket.write(bytes, () => resolve()));
    return this;
  }

  async until(holds: (answer: string) => boolean): Promise<this> {
    while (!holds(this.answer)) {
      if (this.socket.destroyed) throw new Error(`The connection closed after: ${this.answer.slice(-500)}`);
      await new Promise((resolve) => this.socket.once('data', resolve));
    }
    return this;
  }

  /** Goes away: with a reset, as a crashed client does, or politely. */
  leave(how: 'reset' | 'destroy' | 'end'): void {
    if (how === 'reset') this.socket.resetAndDestroy();
    else if (how === 'destroy') this.socket.destroy();
    else this.socket.end();
  }
}

/** The head and the body of a request. */
export function rawRequest(method: string, path: string, body?: unknown): { head: string; body: string } {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: host.example',
    'A2A-Version: 1.0',
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ].join('\r\n');
  return { head: `${head}\r\n\r\n`, body: text };
}

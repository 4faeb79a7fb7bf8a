import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What has arrived at a webhook. */
export interface ReceivedPost {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: any;
  readonly text: string;
}

/** Answers the `index`-th post of all, counted from 0. */
export type AnswerPost = (response: ServerResponse, post: ReceivedPost, index: number) => void;

/** Answers with these statuses in turn, and with the last one from then on. */
export function statuses(...codes: number[]): AnswerPost {
  return (response, _, index) => response.writeHead(codes[Math.min(index, codes.length - 1)]!).end();
}

/** Takes posts and never answers. */
export const silence: AnswerPost = () => undefined;

/** A webhook on this machine that remembers what it was sent. */
export class WebhookReceiver implements AsyncDisposable {
  readonly posts: ReceivedPost[] = [];
  /** Connections that were ever opened. */
  connections = 0;
  readonly #waiting: { count: number; resolve: () => void }[] = [];

  private constructor(
    private readonly server: Server,
    private readonly answer: AnswerPost,
  ) {
    server.on('connection', () => this.connections++);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { method = '', url = '', headers } = request;
        const post = { method, path: url, headers, text, body: text && JSON.parse(text) };
        this.posts.push(post);
        this.answer(response, post, this.posts.length - 1);
        for (const each of this.#waiting) if (this.posts.length >= each.count) each.resolve();
      });
    });
  }

  static async start(
    answer: AnswerPost = statuses(200),
    { host = '127.0.0.1', port = 0 } = {},
  ): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server, answer);
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The URL of a webhook here; posts to all paths are taken. */
  url(path = '/hook', host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  /** Resolves when `count` posts have arrived in all. */
  received(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.posts.length >= count) resolve();
      else this.#waiting.push({ count, resolve });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

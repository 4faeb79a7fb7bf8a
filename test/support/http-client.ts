import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** What goes with a request. */
export interface RequestOptions {
  headers?: Record<string, string | string[]>;
  /** An object is sent as JSON, text and bytes as they are. */
  body?: unknown;
}

/** An answer that was read to its end. */
export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as JSON; reading it fails if it is none. */
  readonly json: any;
}

/** Plain HTTP to one server, without redirects, decompression or retries. */
export class HttpClient {
  readonly #sockets = new Agent({ keepAlive: true });

  constructor(readonly origin: string) {}

  /** Sends a request and reads the whole answer. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<HttpReply> {
    const response = await this.open(method, path, options);
    const body = await text(response);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body,
      get json() {
        return JSON.parse(body);
      },
    };
  }

  /** Sends a request and gives the answer as soon as its head is there. */
  open(method: string, path: string, { headers = {}, body }: RequestOptions = {}): Promise<IncomingMessage> {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const payload = isRaw ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(this.origin + path, { method, headers, agent: this.#sockets }, resolve);
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }

  close(): void {
    this.#sockets.destroy();
  }
}

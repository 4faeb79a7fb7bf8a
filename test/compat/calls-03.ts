import type { TestAgent } from '../support/index.js';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly json: any;
}

type Headers = Record<string, string>;

/** Calls an agent as clients of 0.3 do, with whatever they might send. */
export class Calls03 {
  constructor(private readonly agent: TestAgent) {}

  /** A method of JSON-RPC. */
  rpc(method: string, params?: unknown, headers: Headers = {}): Promise<Answer> {
    const body = { jsonrpc: '2.0', id: 7, method, ...(params !== undefined && { params }) };
    return this.#send('POST', '', body, headers);
  }

  /** A route of HTTP+JSON. */
  rest(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.#send(method, `/v1${path}`, body, headers);
  }

  /** The data of the events of a stream that ends. */
  async events(answer: Promise<Answer>): Promise<any[]> {
    const { json } = await answer;
    return String(json)
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
  }

  async #send(method: string, path: string, body: unknown, headers: Headers): Promise<Answer> {
    const response = await fetch(`${this.agent.http.origin}${this.agent.base}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      json: isJson ? JSON.parse(text) : text,
    };
  }
}

/** A message of a user of 0.3. */
export function message03(text: string, more: object = {}): object {
  return { kind: 'message', messageId: `m-${text}`, role: 'user', parts: [{ kind: 'text', text }], ...more };
}

/** The same as the proto of 0.3 has it. */
export function restMessage03(text: string, more: object = {}): object {
  return { messageId: `m-${text}`, role: 'ROLE_USER', content: [{ text }], ...more };
}

import type { HttpResponse } from '../../client/http-transport.js';
import { TransportError } from '../../client/transport-error.js';
import { errorAnswer } from '../../http/http-answer.js';
import { AgentCardSchema, decode, OPERATIONS, type A2AError, type Schema } from '../../protocol/index.js';
import { pause, silence } from './abortable.js';
import type { ResultOf, ScriptedEvent, ScriptedOperation } from './operation-messages.js';
import type { OpenRequest } from './received-request.js';
import { ScriptedBody, type Chunks } from './scripted-body.js';
import { Step } from './step.js';
import type { Wire } from './wire.js';

/** A request to be answered, and how the agent speaks. */
export interface Exchange {
  readonly request: OpenRequest;
  readonly wire: Wire;
  /** Aborts when nobody waits for the head of the answer any more. */
  readonly headSignal: AbortSignal;
  /** Ends everything, with its reason. */
  readonly signal: AbortSignal | undefined;
}

/** Any HTTP answer. */
export interface HttpReply {
  /** Default 200. */
  readonly status?: number;
  /** Names in any case. Default: the JSON type for an object, none otherwise. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Text, bytes, or an object that is sent as JSON. Default: empty. */
  readonly body?: string | Uint8Array | object;
}

/** How a stream is sent. */
export interface StreamReplyOptions {
  /** Default 200. */
  readonly status?: number;
  /** Beside or in place of the type of event streams. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Cuts everything into pieces of that many bytes, wherever an event or a letter ends. Default: one piece a step. */
  readonly chunkSize?: number;
}

/** The steps of a stream, or what makes them while they are sent; a plain event is a step too. */
export type Steps = Iterable<Step | ScriptedEvent> | AsyncIterable<Step | ScriptedEvent>;

/**
 * What a scripted agent answers.
 *
 * @publicApi
 */
export class Reply {
  private constructor(
    /** @internal */
    readonly send: (exchange: Exchange) => Promise<HttpResponse>,
  ) {}

  /** A result, checked to be one of the operation. */
  static result<O extends ScriptedOperation>(operation: O, result: ResultOf<O>): Reply {
    // Checked where the script is written, so that the fault is found there.
    const encoded = encodeResult(operation, result);
    return new Reply(async (exchange) =>
      Reply.unchecked(exchange.wire.word(operation, encoded)).send(exchange),
    );
  }

  /** A result in the envelope of the binding, whatever it is: for what no agent should answer. */
  static unchecked(result: unknown): Reply {
    return new Reply(async (exchange) => {
      const { request, wire } = exchange;
      if (request.operation === 'agentCard') return whole(exchange, { body: result as object });
      return whole(exchange, wire.result(request, result));
    });
  }

  /** An error, as the binding spells it. */
  static error(error: A2AError): Reply {
    return new Reply(async (exchange) => {
      const { request, wire } = exchange;
      // The card is fetched over plain HTTP, whatever the binding.
      const answer = request.operation === 'agentCard' ? errorAnswer(error) : wire.error(request, error);
      return whole(exchange, answer);
    });
  }

  /** Any HTTP answer, past the binding. */
  static http(reply: HttpReply): Reply {
    return new Reply(async (exchange) => whole(exchange, reply));
  }

  /** A stream, which ends cleanly behind its last step. */
  static stream(steps: Steps, options: StreamReplyOptions = {}): Reply {
    const { status = 200, headers, chunkSize } = options;
    return new Reply(async ({ request, wire, signal }) => ({
      status,
      headers: { 'content-type': 'text/event-stream', ...lowerCased(headers) },
      body: new ScriptedBody(
        (left) => cut(chunksOf(steps, { wire, request, signal: left }), chunkSize),
        signal,
        () => request.close(),
      ),
    }));
  }

  /** Nobody listens where the agent should: not a byte of the request is written. */
  static refuse(): Reply {
    return Reply.failing('The connection was refused', { unsent: true, errno: 'ECONNREFUSED' });
  }

  /** The connection breaks once the request was written: nobody knows whether the agent acted on it. */
  static drop(): Reply {
    return Reply.failing('The connection was closed before an answer came', { errno: 'ECONNRESET' });
  }

  /** No answer ever comes. */
  static hang(): Reply {
    return new Reply(({ headSignal }) => silence(headSignal));
  }

  /** The same, that many milliseconds later. */
  after(milliseconds: number): Reply {
    return new Reply(async (exchange) => {
      await pause(milliseconds, exchange.headSignal);
      return this.send(exchange);
    });
  }

  private static failing(message: string, options: { unsent?: boolean; errno: string }): Reply {
    return new Reply(async () => {
      throw new TransportError(message, options);
    });
  }
}

function encodeResult(operation: ScriptedOperation, result: unknown): object {
  const schema: Schema<object> | undefined =
    operation === 'agentCard' ? AgentCardSchema : OPERATIONS[operation].response;
  return schema === undefined ? {} : decode(schema, result, { from: 'agent', keepUnknown: true });
}

function whole({ request, signal }: Exchange, { status = 200, headers, body = '' }: HttpReply): HttpResponse {
  const isJson = typeof body === 'object' && !(body instanceof Uint8Array);
  const bytes = body instanceof Uint8Array ? body : Buffer.from(isJson ? JSON.stringify(body) : body);
  return {
    status,
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...lowerCased(headers) },
    body: new ScriptedBody(
      () => (bytes.length === 0 ? [] : [bytes]),
      signal,
      () => request.close(),
    ),
  };
}

async function* chunksOf(steps: Steps, context: Parameters<Step['take']>[0]): AsyncGenerator<Uint8Array> {
  for await (const step of steps) {
    const bytes = await (step instanceof Step ? step : Step.event(step)).take(context);
    if (bytes !== undefined) yield bytes;
  }
}

function cut(chunks: AsyncIterable<Uint8Array>, size: number | undefined): Chunks {
  return size === undefined ? chunks : pieces(chunks, size);
}

async function* pieces(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += size) yield chunk.subarray(start, start + size);
  }
}

function lowerCased<T>(headers: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

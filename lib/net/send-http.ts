import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { GuardedAgents } from './guarded-agent.js';
import { InvalidOutboundRequestError, OutboundTimeoutError, UrlRefusedError } from './outbound-errors.js';
import { UrlGuard } from './url-guard.js';

/** One call. */
export interface OutboundRequest {
  /** Default `GET`. */
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds from the start until the head of the answer is there. Default 10,000. */
  readonly timeout?: number;
  /** Milliseconds from the start until the answer has ended. Default: as `timeout`. */
  readonly totalTimeout?: number;
  /** Bytes of the answer that are read; the connection is closed at more. Default 1 MiB. */
  readonly maxBytes?: number;
  /**
   * Throws the body of the answer away, and takes an answer that breaks off, goes on for too long or is too large as
   * answered: only its head counts. Default `false`.
   */
  readonly ignoreBody?: boolean;
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Who connects, and where to. Default: agents that connect anywhere, for URLs that come from the operator. */
  readonly agents?: GuardedAgents;
}

/** What came back, whatever its status. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Up to `maxBytes`; empty with `ignoreBody`. */
  readonly body: Buffer;
  /** Whether the answer was longer than `maxBytes`. */
  readonly truncated: boolean;
}

const unguarded = new GuardedAgents(new UrlGuard({ validateUrl: false }));

/**
 * Makes one HTTP call: no redirects, no proxies, no cookies, bounded in time and size.
 *
 * @throws UrlRefusedError if the guard refuses the URL or the address it leads to
 * @throws OutboundTimeoutError if the answer is not there in time
 * @throws InvalidOutboundRequestError if it cannot be sent as it is
 * @throws Error of the connection otherwise, with Node's `code`
 */
export async function sendHttp(request: OutboundRequest): Promise<OutboundAnswer> {
  const { agents = unguarded, signal } = request;
  signal?.throwIfAborted();
  const fault = agents.guard.checkForm(request.url);
  if (fault !== undefined) throw new UrlRefusedError(fault);

  const outgoing = openRequest(request, agents);
  let incoming: IncomingMessage | undefined;
  // A request that has its answer would drop the reason on the floor.
  const stop = (reason: unknown) =>
    (incoming ?? outgoing).destroy(reason instanceof Error ? reason : undefined);
  const abort = () => stop(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const { timeout = 10_000, totalTimeout = timeout } = request;
  const expire = (ms: number) => setTimeout(() => stop(new OutboundTimeoutError(ms)), ms);
  const timers = [expire(timeout), expire(totalTimeout)];
  try {
    incoming = await answerTo(outgoing, request.body);
    clearTimeout(timers[0]);
    return await readAnswer(incoming, request);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function openRequest(request: OutboundRequest, agents: GuardedAgents): http.ClientRequest {
  const { method = 'GET', headers = {}, url } = request;
  const options = { method, headers: { ...headers } };
  try {
    return new URL(url).protocol === 'https:'
      ? https.request(url, { ...options, agent: agents.https })
      : http.request(url, { ...options, agent: agents.http });
  } catch (error) {
    // Node names the header or the part of the URL, never its value.
    throw new InvalidOutboundRequestError(error instanceof Error ? error.message : 'Invalid request');
  }
}

function answerTo(
  outgoing: http.ClientRequest,
  body: string | Uint8Array | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // The listener stays, since a connection may also break after the answer.
    outgoing.on('error', reject);
    outgoing.once('response', resolve);
    // Node puts a text behind the head and sends both in its encoding, which would be UTF-8 for the headers too.
    outgoing.end(typeof body === 'string' ? Buffer.from(body) : body);
  });
}

async function readAnswer(incoming: IncomingMessage, request: OutboundRequest): Promise<OutboundAnswer> {
  const { maxBytes = 1_048_576, ignoreBody = false, signal } = request;
  const { statusCode: status = 0, headers } = incoming;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (!ignoreBody) chunks.push(chunk);
      // Leaving the loop closes the connection.
      if (size > maxBytes) break;
    }
  } catch (error) {
    if (!ignoreBody || signal?.aborted) throw error;
  }
  return { status, headers, body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: size > maxBytes };
}

import type { IncomingHttpHeaders } from 'node:http';
import { sendHttp, type OutboundAnswer, type OutboundRequest } from '../net/send-http.js';

const TIMEOUT = 5_000;
const MOST_BYTES = 1_048_576;

/** A JSON answer with status 200. */
export interface JsonAnswer {
  readonly value: unknown;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Asks an identity provider something, and again if a kept connection was just being closed.
 *
 * @throws Error that says why there is no answer to use; its text holds nothing of the request or the answer
 */
export async function fetchJson(request: OutboundRequest): Promise<JsonAnswer> {
  const bounded = { timeout: TIMEOUT, maxBytes: MOST_BYTES, ...request };
  const answer = await sendHttp(bounded).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    return sendHttp(bounded);
  });
  return read(answer);
}

function read({ status, headers, body, truncated }: OutboundAnswer): JsonAnswer {
  if (status !== 200) throw new Error(`the answer has the status ${status}`);
  if (truncated) throw new Error(`the answer is larger than ${MOST_BYTES} bytes`);
  const text = body.toString();
  try {
    return { value: JSON.parse(text), text, headers };
  } catch {
    // The error of JSON.parse quotes the text.
    throw new Error('the answer is no JSON');
  }
}

/** What a connection or answer failed with, for the log. Node names addresses and codes, and no contents. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** A URL as the log may show it: its query may hold a key. */
export function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

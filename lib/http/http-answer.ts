import { errorStatus, type A2AError } from '../protocol/index.js';
import { A2A_MEDIA_TYPE } from './media-type.js';

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A whole answer, ready to be written. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string;
}

/** An error as a google.rpc.Status (§11.6). */
export function statusBody(error: A2AError): string {
  return JSON.stringify(errorStatus(error));
}

/** An error as the answer to a request. */
export function errorAnswer(error: A2AError): HttpAnswer {
  const headers: Record<string, string | string[]> = { 'Content-Type': A2A_MEDIA_TYPE };
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(Math.ceil(error.retryAfter));
  for (const [name, value] of Object.entries(error.headers)) {
    headers[name] = typeof value === 'string' ? safeHeader(value) : value.map(safeHeader);
  }
  return { status: error.httpStatus, headers, body: statusBody(error) };
}

/** A header value without what would end the header, or make Node refuse to write it. */
export function safeHeader(value: string): string {
  return value.replace(/[^\t\x20-\x7e]+/g, ' ').trim();
}

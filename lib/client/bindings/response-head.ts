import type { HttpResponse } from '../http-transport.js';

/** Whether the answer is an SSE stream. */
export function isEventStream({ headers }: HttpResponse): boolean {
  const type = headers['content-type'];
  return /^\s*text\/event-stream\s*(;|$)/i.test(String(type ?? ''));
}

/** Whether a status is a 2xx. */
export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The JSON value of a text; `undefined` if it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

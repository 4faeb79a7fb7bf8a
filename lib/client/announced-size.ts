import type { HttpResponse } from './http-transport.js';

/** The bytes that an answer says it has; 0 if it does not say. */
export function announcedSize({ headers }: Pick<HttpResponse, 'headers'>): number {
  const length = headers['content-length'];
  return typeof length === 'string' && /^\d+$/.test(length) ? Number(length) : 0;
}

import { retryAfterOf } from '../../net/retry-after.js';
import type { HttpResponse } from '../http-transport.js';

/** What an answer asks to wait, in whole seconds, so that nobody comes back too early. */
export function secondsToWait(headers: HttpResponse['headers']): number | undefined {
  const wait = retryAfterOf(headers['retry-after']);
  return wait === undefined ? undefined : Math.ceil(wait / 1_000);
}

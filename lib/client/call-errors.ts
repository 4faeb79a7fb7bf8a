import { markCallError } from '../protocol/index.js';
import { expectManyListeners } from './timing/many-listeners.js';

/** Does what a caller asked for, and marks what it fails with as the error of a call. */
export async function calling<T>(
  work: () => Promise<T>,
  options?: { readonly signal?: AbortSignal },
): Promise<T> {
  expectManyListeners(options?.signal);
  try {
    return await work();
  } catch (error) {
    throw ofCall(error, options?.signal);
  }
}

/** Marks the error of a call. A reason to abort is the caller's own, also where it is an error of the protocol. */
export function ofCall<T>(error: T, signal?: AbortSignal): T {
  return signal?.aborted === true && error === signal.reason ? error : markCallError(error);
}

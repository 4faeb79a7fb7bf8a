import { isA2AError } from '../../protocol/index.js';
import { TransportError } from '../transport-error.js';
import { withoutCredentials } from '../wire-errors/body-excerpt.js';

/**
 * What a call rejects with when its transport fails: the reason of the signal if that has ended it, else an error of the
 * protocol, whatever an own transport throws. What it threw is not kept as the cause: it may hold the whole request.
 */
export function typedFault(error: unknown, signal: AbortSignal): Error {
  // The reason is the caller's own, whatever that is.
  if (signal.aborted) return signal.reason as Error;
  if (isA2AError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new TransportError(`The transport failed: ${withoutCredentials(message.slice(0, 300))}`);
}

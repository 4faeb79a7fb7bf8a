import type { HttpResponse } from '../http-transport.js';
import { typedFault } from './typed-fault.js';

/** The answer, or the reason of the signal, also where the transport does not heed it. */
export function endedBy(signal: AbortSignal, transport: () => Promise<HttpResponse>): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    // A transport that throws at once is no worse than one that rejects.
    const answer = Promise.resolve().then(transport);
    const abort = () => {
      // Its reason is the caller's own, whatever that is.
      reject(signal.reason as Error);
      // An answer that still comes is not read.
      answer.then(({ body }) => body[Symbol.asyncIterator]().return?.()).catch(() => undefined);
    };
    const settled = () => {
      signal.removeEventListener('abort', abort);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    answer.finally(settled).then(resolve, (error: unknown) => {
      const fault = typedFault(error, signal);
      reject(fault);
    });
  });
}

import type { HttpRequest } from '../../client/http-transport.js';
import { TransportError } from '../../client/transport-error.js';

/** How long a client waits for the head of an answer: until its time is up, or its signal aborts. */
export class HeadLimit {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(private readonly request: HttpRequest) {
    const { timeout, signal } = request;
    if (timeout !== undefined) this.#timer = setTimeout(() => this.#expire(timeout), timeout);
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Aborts with the reason that the client is to see. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The head has come. */
  clear(): void {
    clearTimeout(this.#timer);
    this.request.signal?.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => this.#controller.abort(this.request.signal?.reason);

  #expire(timeout: number): void {
    this.#controller.abort(new TransportError(`No answer came within ${timeout} ms`, { timedOut: true }));
  }
}

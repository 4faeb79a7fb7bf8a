import { ResponseTooLargeError, StreamIdleError } from '../transport-error.js';
import { typedFault } from './typed-fault.js';

/** What ends a read, and how. */
export interface BodyReaderOptions {
  /** Ends reading with its reason, also where the transport does not heed it. */
  readonly signal: AbortSignal;
  /** Milliseconds that one read may wait. Default: no limit. */
  readonly idleTimeout?: number | undefined;
}

/** Reads a body piece by piece, when asked. */
export class BodyReader {
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #signal: AbortSignal;
  readonly #idleTimeout: number | undefined;
  #pending:
    | { resolve: (end: IteratorReturnResult<undefined>) => void; reject: (reason: unknown) => void }
    | undefined;
  #isClosed = false;

  constructor(body: AsyncIterable<Uint8Array>, { signal, idleTimeout }: BodyReaderOptions) {
    this.#iterator = body[Symbol.asyncIterator]();
    this.#signal = signal;
    this.#idleTimeout = idleTimeout;
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', this.#abort, { once: true });
  }

  /** The next piece; `undefined` at the end. */
  async next(): Promise<Uint8Array | undefined> {
    this.#signal.throwIfAborted();
    if (this.#isClosed) return undefined;
    try {
      const { done, value } = await this.#read();
      if (done !== true) return value;
      this.#finish();
      return undefined;
    } catch (error) {
      this.close();
      throw typedFault(error, this.#signal);
    }
  }

  /** The whole rest as text; nothing is read if it is announced to be too large. @throws ResponseTooLargeError */
  async text(limit: number, announced = 0): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    let size = 0;
    this.#checkSize(announced, limit);
    for (let piece = await this.next(); piece !== undefined; piece = await this.next()) {
      this.#checkSize((size += piece.byteLength), limit);
      text += decoder.decode(piece, { stream: true });
    }
    return text + decoder.decode();
  }

  /** Leaves the body, and with it the connection. */
  close(): void {
    if (this.#isClosed) return;
    this.#finish();
    this.#pending?.resolve({ done: true, value: undefined });
    // Nobody waits for it, and what may go wrong there concerns nobody any more.
    void Promise.resolve(this.#iterator.return?.()).catch(() => undefined);
  }

  #checkSize(size: number, limit: number): void {
    if (size <= limit) return;
    this.close();
    throw new ResponseTooLargeError('The answer', limit);
  }

  #read(): Promise<IteratorResult<Uint8Array, unknown>> {
    const idle = this.#idleTimeout;
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      if (idle === undefined) {
        this.#iterator.next().then(resolve, reject);
        return;
      }
      const timer = setTimeout(() => {
        reject(new StreamIdleError(idle));
      }, idle);
      const stop = () => {
        clearTimeout(timer);
      };
      this.#iterator.next().finally(stop).then(resolve, reject);
    });
  }

  readonly #abort = () => {
    this.#pending?.reject(this.#signal.reason);
    this.close();
  };

  #finish(): void {
    this.#isClosed = true;
    this.#signal.removeEventListener('abort', this.#abort);
  }
}

import { abortable } from './abortable.js';

/** What a body is made of. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * The body of a scripted answer. A generator could not be left while it waits for its next chunk; this one can, as a
 * connection can be closed.
 */
export class ScriptedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #left = new AbortController();
  readonly #chunks: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  readonly #signal: AbortSignal;
  #isDone = false;

  constructor(
    /** Makes the chunks; `signal` aborts when nobody reads on. */
    make: (signal: AbortSignal) => Chunks,
    /** Ends the reading with its reason. */
    private readonly outer: AbortSignal | undefined,
    /** Called once, when the connection is over. */
    private readonly onClose: () => void,
  ) {
    const { signal } = this.#left;
    this.#signal = outer === undefined ? signal : AbortSignal.any([signal, outer]);
    const chunks = make(this.#signal);
    this.#chunks =
      Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
    // Also while nobody asks for more.
    this.#signal.addEventListener('abort', this.#close, { once: true });
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.outer?.throwIfAborted();
    if (this.#isDone) return END;
    try {
      const result = await abortable(Promise.resolve(this.#chunks.next()), this.#signal);
      if (result.done !== true) return { done: false, value: result.value };
      this.#close();
      return END;
    } catch (error) {
      const wasLeft = this.#left.signal.aborted;
      this.#close();
      this.outer?.throwIfAborted();
      if (wasLeft) return END;
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#left.abort();
    this.#close();
    return END;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #close = (): void => {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#signal.removeEventListener('abort', this.#close);
    this.onClose();
    // A script that is a generator gets to run what it has in `finally`; nobody waits for it.
    void (async () => this.#chunks.return?.())().catch(() => undefined);
  };
}

const END: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined };

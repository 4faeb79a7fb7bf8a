import type { Readable } from 'node:stream';
import { TransportError } from '../transport-error.js';

/** How long, and how far, the rest of a body is read whose reader left, so that its connection can be used again. */
const DRAIN_TIME = 100;
const DRAIN_BYTES = 65_536;

/**
 * The body of an answer, read once and only as fast as it is asked for. Leaving it early, also before the first read,
 * gives its rest a moment to arrive and closes the connection otherwise; the end of the signal closes it at once.
 */
export class IncomingBody implements AsyncIterableIterator<Uint8Array> {
  readonly #iterator: AsyncIterator<Uint8Array, undefined>;
  #isOver = false;

  constructor(
    private readonly stream: Readable,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#iterator = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array, undefined>;
    // A stream that breaks while nobody reads it must not end the process.
    stream.on('error', () => undefined);
    signal?.addEventListener('abort', this.#abort, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      const result = await this.#iterator.next();
      if (result.done !== true) return result;
      this.#finish();
      // Some streams end without an error when they are destroyed.
      this.signal?.throwIfAborted();
      return { done: true, value: undefined };
    } catch (error) {
      this.#finish();
      this.signal?.throwIfAborted();
      throw brokenBody(error);
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (!this.#isOver) {
      this.#finish();
      // Not waited for: a read that is pending would hold it up.
      void this.#iterator.return?.().catch(() => undefined);
      drain(this.stream);
    }
    return { done: true, value: undefined };
  }

  readonly #abort = () => {
    this.stream.destroy();
  };

  #finish(): void {
    this.#isOver = true;
    this.signal?.removeEventListener('abort', this.#abort);
  }
}

function brokenBody(error: unknown): TransportError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  // Brotli's begin with `ERR__`. Of a packed body that was cut off, both say that their buffer ends.
  const isPacked = /^(Z_|ERR__)/.test(code ?? '') && code !== 'Z_BUF_ERROR';
  return new TransportError(
    isPacked ? 'The answer could not be decompressed' : 'The connection broke within the answer',
    { ...(code !== undefined && { errno: code }) },
  );
}

function drain(stream: Readable): void {
  const timer = setTimeout(() => stream.destroy(), DRAIN_TIME);
  let size = 0;
  stream.once('close', () => {
    clearTimeout(timer);
  });
  stream.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > DRAIN_BYTES) stream.destroy();
  });
  stream.resume();
}

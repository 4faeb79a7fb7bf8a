import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { EventSource, FrameEncoder } from './event-source.js';
import { wireChunk } from './wire-chunk.js';

/** When a stream speaks though nothing happens, and when it ends. Milliseconds; 0 is never. */
export interface StreamTimes {
  readonly keepAliveInterval: number;
  readonly streamIdleTimeout: number;
}

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  // Compressing middleware and proxies would hold events back.
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};
// Dearer to come by is `queueMicrotask`, which makes a resource for each call.
const RESOLVED = Promise.resolve();
const KEEP_ALIVE = ': keep-alive\n\n';
/** Events in one write; between writes the socket is asked whether it has room. */
const BATCH = 128;
/** Characters after which a write is large enough: what was taken counts for a reader that stalls. */
const BATCH_SIZE = 64 * 1024;

type Response = ServerResponse & { flush?: () => void };

/**
 * Writes events to one client as they come. What is there in one tick goes out in one write. While the socket is
 * full nothing is taken from the source, which thereby decides how far a reader may lag. Nothing here throws: once
 * the head is written, an error can only be the last event.
 */
export class SseWriter<E> {
  #isFull = false;
  #isScheduled = false;
  #isClosed = false;
  #keepAlive: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly response: Response,
    private readonly source: EventSource<E>,
    private readonly encoder: FrameEncoder<E>,
    private readonly times: StreamTimes,
    /** Called once, when the stream is over for whatever reason. */
    private readonly onClose: () => void,
  ) {}

  /** Writes the head and the first events, and whatever comes from now on. */
  start(headers: OutgoingHttpHeaders, first: readonly E[]): void {
    const { response } = this;
    if (response.destroyed || response.writableEnded) {
      this.#close();
      return;
    }
    // The response's end, not the request's: that one is over once its body was read.
    response.once('close', this.#close);
    // Writing to a client that has just gone is no error.
    response.on('error', this.#close);
    response.on('drain', this.#onDrain);
    response.writeHead(200, { ...headers, ...STREAM_HEADERS });
    this.#write(first.length > 0 ? this.#encode(first) : KEEP_ALIVE);
    const { keepAliveInterval, streamIdleTimeout } = this.times;
    if (keepAliveInterval > 0) this.#keepAlive = setTimeout(this.#onSilence, keepAliveInterval).unref();
    if (streamIdleTimeout > 0) this.#idle = setTimeout(this.#onIdle, streamIdleTimeout).unref();
    this.source.onReadable(this.#onReadable);
    this.#pump();
  }

  /** Ends the stream, after what was written so far. */
  end(): void {
    if (this.#isClosed) return;
    this.#close();
    this.response.end();
  }

  /** Several events of one tick wake us several times; they go out together. */
  readonly #onReadable = (): void => {
    if (this.#isScheduled || this.#isFull || this.#isClosed) return;
    this.#isScheduled = true;
    void RESOLVED.then(this.#pump);
  };

  readonly #onDrain = (): void => {
    this.#isFull = false;
    this.#pump();
  };

  readonly #pump = (): void => {
    this.#isScheduled = false;
    while (!this.#isClosed && !this.#isFull) {
      const events = this.source.take(BATCH, BATCH_SIZE);
      if (events.length === 0) {
        if (this.source.ended) this.#finish();
        return;
      }
      this.#write(this.#encode(events));
      this.#idle?.refresh();
    }
  };

  readonly #onSilence = (): void => {
    if (!this.#isFull) this.#write(KEEP_ALIVE);
    this.#keepAlive?.refresh();
  };

  readonly #onIdle = (): void => {
    if (!this.#isFull) {
      this.end();
      return;
    }
    // A client that stopped reading will not read the end of the stream either.
    this.#close();
    this.response.destroy();
  };

  #finish(): void {
    const { error } = this.source;
    if (error !== undefined) this.#write(this.encoder.error(error));
    this.end();
  }

  #encode(events: readonly E[]): string {
    let frames = '';
    for (const event of events) frames += this.encoder.event(event);
    return frames;
  }

  #write(data: string): void {
    if (!this.response.write(wireChunk(data))) this.#isFull = true;
    this.response.flush?.();
    this.#keepAlive?.refresh();
  }

  readonly #close = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#keepAlive);
    clearTimeout(this.#idle);
    this.response.off('drain', this.#onDrain);
    this.source.close();
    this.onClose();
  };
}

/**
 * Waits for the first events of a stream, so that what goes wrong before them is an ordinary error answer. `undefined`
 * if the client went away meanwhile; the source is closed then.
 *
 * @throws what the source ended with, if it ended before its first event
 */
export async function firstEvents<E>(
  source: EventSource<E>,
  response: ServerResponse,
): Promise<E[] | undefined> {
  let events = source.take(BATCH, BATCH_SIZE);
  if (events.length === 0 && !source.ended && source.opensSilently !== true) {
    await new Promise<void>((resolve) => {
      const onClose = () => {
        source.close();
        resolve();
      };
      if (response.destroyed) {
        onClose();
        return;
      }
      response.once('close', onClose);
      source.onReadable(() => {
        if (events.length === 0) events = source.take(BATCH, BATCH_SIZE);
        if (events.length === 0 && !source.ended) return;
        response.off('close', onClose);
        resolve();
      });
    });
  }
  if (events.length > 0) return events;
  if (response.destroyed) return undefined;
  if (source.error !== undefined) throw source.error as Error;
  return [];
}

import { createParser } from 'eventsource-parser';
import { ResponseTooLargeError } from '../transport-error.js';

/** One event of an SSE stream that has data. */
export interface SseFrame {
  /** `undefined` means `message`. */
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
}

/** Cuts the bytes of a stream into frames, however the network cut them. */
export class SseFrames {
  /** Frames that are complete and were not taken yet. */
  readonly #ready: SseFrame[] = [];
  #taken = 0;
  #retry: number | undefined;
  #fault: ResponseTooLargeError | undefined;
  #endedInReturn = false;
  readonly #decoder = new TextDecoder();
  readonly #parser;

  /** @param limit bytes that one event may have */
  constructor(private readonly limit: number) {
    this.#parser = createParser({
      maxBufferSize: limit,
      onEvent: ({ event, id, data }) => {
        if (this.#isTooLarge(data)) this.#fault ??= new ResponseTooLargeError('An event', limit);
        else if (data !== '' && this.#fault === undefined) this.#ready.push({ event, id, data });
      },
      onRetry: (milliseconds) => {
        this.#retry = milliseconds;
      },
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.#fault ??= new ResponseTooLargeError('An event', limit);
      },
    });
  }

  /** The server's hint how long to wait before connecting again. */
  get retry(): number | undefined {
    return this.#retry;
  }

  /** The next frame that is complete. @throws ResponseTooLargeError behind the frames that came before */
  take(): SseFrame | undefined {
    const frame = this.#ready[this.#taken];
    if (frame !== undefined) {
      this.#taken += 1;
      return frame;
    }
    this.#ready.length = 0;
    this.#taken = 0;
    if (this.#fault !== undefined) throw this.#fault;
    return undefined;
  }

  /** Takes bytes in; `undefined` says that there are no more. */
  feed(bytes: Uint8Array | undefined): void {
    if (this.#fault !== undefined) return;
    let text = bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true });
    if (text === '') return;
    // A line may end in CR alone: the parser would wait for the next piece to see whether LF follows, and with it the event.
    if (this.#endedInReturn && text.startsWith('\n')) text = text.slice(1);
    this.#endedInReturn = text.endsWith('\r');
    if (this.#endedInReturn) text += '\n';
    this.#parser.feed(text);
  }

  #isTooLarge(data: string): boolean {
    // A character has three bytes at most.
    return data.length * 3 > this.limit && Buffer.byteLength(data) > this.limit;
  }
}

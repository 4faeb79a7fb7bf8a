import type { StreamResponse } from '../../protocol/index.js';
import type { BodyReader } from '../bindings/body-reader.js';
import type { EventStream, ReceivedEvent } from '../client-binding.js';
import { SseFrames, type SseFrame } from './sse-frames.js';

const DONE = { done: true, value: undefined } as const;

/** What a binding makes of a frame; `undefined` for one that is none of its business. It throws what an error frame holds. */
export type ReadFrame = (frame: SseFrame) => StreamResponse | undefined;

/** The events of one open stream. Its bytes are read only when an event is asked for and none has come yet. */
export class SseEventStream implements EventStream, AsyncIterator<ReceivedEvent, undefined> {
  readonly #frames: SseFrames;
  #isOver = false;

  constructor(
    private readonly body: BodyReader,
    private readonly read: ReadFrame,
    maxEventSize: number,
    /** Called once, when the stream is over, however that came about. */
    private readonly over: () => void,
  ) {
    this.#frames = new SseFrames(maxEventSize);
  }

  get retry(): number | undefined {
    return this.#frames.retry;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ReceivedEvent, undefined>> {
    try {
      while (!this.#isOver) {
        const value = this.#take();
        if (value !== undefined) return { done: false, value };
        const bytes = await this.body.next();
        this.#frames.feed(bytes);
        if (bytes !== undefined) continue;
        // The last line may have ended in nothing but the end.
        const last = this.#take();
        if (last !== undefined) return { done: false, value: last };
        this.close();
      }
      return DONE;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  take(): ReceivedEvent | undefined {
    if (this.#isOver) return undefined;
    try {
      return this.#take();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<ReceivedEvent, undefined>> {
    this.close();
    return DONE;
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.body.close();
    this.over();
  }

  #take(): ReceivedEvent | undefined {
    for (let frame = this.#frames.take(); frame !== undefined; frame = this.#frames.take()) {
      const event = this.read(frame);
      if (event !== undefined) return frame.id === undefined ? { event } : { event, id: frame.id };
    }
    return undefined;
  }
}

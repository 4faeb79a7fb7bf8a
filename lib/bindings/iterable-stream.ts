import { InvalidAgentResponseError, type StreamResponse } from '../protocol/index.js';
import { PublishedEvent } from '../server/published-event.js';
import type { EventSource } from '../http/index.js';

/**
 * Any async iterable as a source for the stream writer. The next event is asked for only once the one before was
 * taken, so a slow client slows the iterable down. Its events have no number within a task: 0.
 */
export class IterableStream implements EventSource<PublishedEvent> {
  readonly #iterator: AsyncIterator<StreamResponse>;
  #event: PublishedEvent | undefined;
  #isDone = false;
  #isPulling = false;
  #isClosed = false;
  #listener: (() => void) | undefined;
  error: unknown;

  constructor(iterable: AsyncIterable<StreamResponse>) {
    this.#iterator = iterable[Symbol.asyncIterator]();
    void this.#pull();
  }

  get ended(): boolean {
    return this.#isDone && this.#event === undefined;
  }

  take(): PublishedEvent[] {
    const event = this.#event;
    this.#event = undefined;
    void this.#pull();
    return event ? [event] : [];
  }

  onReadable(listener: () => void): void {
    this.#listener = listener;
    if (this.#event || this.#isDone) listener();
  }

  close(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#isClosed = true;
    this.#event = undefined;
    this.#listener = undefined;
    this.#release();
  }

  #accept(payload: StreamResponse): void {
    try {
      this.#event = eventOf(payload);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** A generator that waits for something ends only after that; nobody waits for it. */
  #release(): void {
    void (async () => this.#iterator.return?.())().catch(() => undefined);
  }

  async #pull(): Promise<void> {
    if (this.#isPulling || this.#isDone || this.#event) return;
    this.#isPulling = true;
    try {
      const result = await this.#iterator.next();
      if (this.#isClosed) return;
      if (result.done === true) this.#isDone = true;
      else this.#accept(result.value);
    } catch (error) {
      if (this.#isClosed) return;
      this.#isDone = true;
      this.error = error ?? new Error('The stream broke off');
    } finally {
      this.#isPulling = false;
    }
    this.#listener?.();
  }
}

/**
 * An event of a handler that may not be typed. Its JSON is made here, where what cannot be written ends the stream.
 *
 * @throws InvalidAgentResponseError if it is none
 */
function eventOf(payload: Partial<Record<keyof StreamResponse, unknown>> | null | undefined): PublishedEvent {
  const { task, message, statusUpdate, artifactUpdate } = payload ?? {};
  const event = new PublishedEvent(0, payload as StreamResponse);
  const hasContent = Boolean(task ?? message ?? statusUpdate ?? artifactUpdate);
  if (hasContent && (event.json as string | undefined) !== undefined) return event;
  throw new InvalidAgentResponseError('The stream has an event without content');
}

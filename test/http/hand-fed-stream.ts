import type { StreamResponse } from '../../lib/protocol/index.js';
import { PublishedEvent } from '../../lib/server/published-event.js';
import type { TaskStream } from '../../lib/server/task-stream.js';

/** A stream like those of the engine, fed by the test. */
export class HandFedStream implements TaskStream {
  readonly taken: PublishedEvent[] = [];
  readonly closed: Promise<void>;
  isClosed = false;
  error: Error | undefined;
  #queue: PublishedEvent[] = [];
  #hasEnded = false;
  #seq = 0;
  #listener = (): void => undefined;
  #onClose = (): void => undefined;

  constructor() {
    this.closed = new Promise((resolve) => (this.#onClose = resolve));
  }

  get ended(): boolean {
    return this.#hasEnded && this.#queue.length === 0;
  }

  push(...texts: string[]): void {
    for (const text of texts) this.feed(new PublishedEvent(++this.#seq, artifact(text)));
  }

  feed(event: PublishedEvent): void {
    this.#queue.push(event);
    this.#listener();
  }

  end(error?: Error): void {
    this.#hasEnded = true;
    this.error = error;
    this.#listener();
  }

  take(limit = Infinity): PublishedEvent[] {
    const events = this.#queue.splice(0, limit);
    this.taken.push(...events);
    return events;
  }

  onReadable(listener: () => void): void {
    this.#listener = listener;
    listener();
  }

  close(): void {
    this.isClosed = true;
    this.#onClose();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<StreamResponse> {
    throw new Error('not read this way');
  }
}

export function artifact(text: string): StreamResponse {
  return {
    artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] } },
  };
}

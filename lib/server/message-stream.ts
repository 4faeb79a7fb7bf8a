import type { Message, StreamResponse } from '../protocol/index.js';
import { PublishedEvent } from './published-event.js';
import type { TaskStream } from './task-stream.js';

/** The stream of a direct answer: exactly one message (§3.1.2). It belongs to no task, so its number is 0. */
export class MessageStream implements TaskStream {
  #event: PublishedEvent | undefined;
  readonly error = undefined;

  constructor(message: Message) {
    this.#event = new PublishedEvent(0, { message });
  }

  get ended(): boolean {
    return this.#event === undefined;
  }

  take(): PublishedEvent[] {
    const event = this.#event;
    this.#event = undefined;
    return event ? [event] : [];
  }

  onReadable(listener: () => void): void {
    listener();
  }

  close(): void {
    this.#event = undefined;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<StreamResponse> {
    for (const { payload } of this.take()) yield await Promise.resolve(payload);
  }
}

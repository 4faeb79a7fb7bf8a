import type { Message } from '../protocol/index.js';

/** The messages that arrive while a turn runs: waits for the next one until the turn ends. */
export class MessageQueue implements AsyncIterable<Message<Uint8Array>> {
  readonly #messages: Message<Uint8Array>[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  push(message: Message<Uint8Array>): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message<Uint8Array>, void, undefined> {
    for (;;) {
      const message = this.#messages.shift();
      if (message) yield message;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

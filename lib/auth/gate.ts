import { UnavailableError } from '../protocol/index.js';

/** Lets so many tasks run at once, and so many wait for their turn. */
export class Gate {
  readonly #places: number;
  readonly #queue: (() => void)[] = [];
  readonly #longestQueue: number;
  #running = 0;

  constructor(places: number, longestQueue: number) {
    this.#places = places;
    this.#longestQueue = longestQueue;
  }

  /** @throws UnavailableError if too many wait already; whatever `task` throws */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#places) await this.#turn();
    else this.#running++;
    try {
      return await task();
    } finally {
      // The place goes to the next in the queue, if there is one.
      const next = this.#queue.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async #turn(): Promise<void> {
    if (this.#queue.length >= this.#longestQueue) {
      throw new UnavailableError('Too many credentials are being checked');
    }
    await new Promise<void>((resolve) => this.#queue.push(resolve));
  }
}

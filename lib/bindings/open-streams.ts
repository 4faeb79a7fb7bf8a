import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../http/index.js';
import { UnavailableError } from '../protocol/index.js';

/** A place for one open stream. */
export interface StreamSlot {
  /** Ends the stream at shutdown; streams of the engine end by themselves, with their last events. */
  end?: () => void;
  /** Frees the place. */
  release(): void;
}

/** The open streams of an agent, over all its bindings. */
@Injectable()
export class OpenStreams implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #slots = new Set<StreamSlot>();
  #isClosing = false;

  constructor(@Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions) {}

  /** How many are open. */
  get size(): number {
    return this.#slots.size;
  }

  /**
   * Takes a place.
   *
   * @throws UnavailableError if there is none left, or the application shuts down
   */
  reserve(): StreamSlot {
    if (this.#isClosing) throw new UnavailableError('The agent is shutting down');
    if (this.#slots.size >= this.options.limits.openStreams) {
      throw new UnavailableError('Too many streams are open');
    }
    const slot: StreamSlot = { release: () => this.#slots.delete(slot) };
    this.#slots.add(slot);
    return slot;
  }

  onModuleDestroy(): void {
    this.#isClosing = true;
  }

  /** The server does not close while a stream is open. */
  beforeApplicationShutdown(): void {
    for (const { end } of [...this.#slots]) end?.();
  }
}

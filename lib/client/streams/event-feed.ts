import type { StreamResponse } from '../../protocol/index.js';
import type { EventStream, ReceivedEvent } from '../client-binding.js';
import { isLostConnection } from '../timing/transient.js';
import type { ReconnectRules } from './reconnect-policy.js';
import { Resumption } from './resumption.js';
import type { StreamProgress } from './stream-progress.js';
import type { StreamSource } from './stream-source.js';

/**
 * The events of a stream, over as many connections as it takes. It reads none ahead: each is taken from the connection
 * when it is asked for.
 */
export class EventFeed {
  #stream: EventStream | undefined;
  #events: AsyncIterator<ReceivedEvent> | undefined;
  #isOver = false;
  readonly #resumption: Resumption;

  constructor(
    private readonly source: StreamSource,
    rules: ReconnectRules,
    private readonly progress: StreamProgress,
    private readonly signal: AbortSignal,
  ) {
    this.#resumption = new Resumption(source, rules, progress, signal);
  }

  /** Whether the last event was given, or the stream was closed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * The next event, folded; `undefined` once the stream has come to a normal end.
   *
   * @throws StreamEndedError if it ended in any other way and could not be taken up again
   */
  async next(): Promise<StreamResponse | undefined> {
    while (!this.#isOver) {
      const events = this.#events ?? this.#use(await this.source.open(this.signal));
      let cause: unknown;
      try {
        const result = await events.next();
        if (!result.done) {
          // It may have been closed while the event was on its way.
          if (this.isOver) break;
          if (this.#take(result.value)) return result.value.event;
          continue;
        }
      } catch (error) {
        if (this.signal.aborted || !isLostConnection(error)) throw error;
        cause = error;
      }
      await this.#recover(cause);
    }
    return undefined;
  }

  /**
   * The next event, folded, if it has come already. `undefined` says nothing: it may be the end, or something that takes
   * time. It throws as {@link next} rejects.
   */
  take(): StreamResponse | undefined {
    while (!this.#isOver) {
      const received = this.#stream?.take?.();
      if (!received) break;
      if (this.#take(received)) return received.event;
    }
    return undefined;
  }

  /** The error of a stream that ended without an outcome. */
  ended(reason: Error): Error {
    return this.#resumption.ended(reason);
  }

  /** Ends the stream and closes its connection. */
  close(): void {
    this.#isOver = true;
    this.#drop();
  }

  /** Folds an event; `false` for one that only repeats what was delivered. */
  #take(received: ReceivedEvent): boolean {
    if (!this.#resumption.accepts(received)) return false;
    this.progress.take(received.event);
    if (this.progress.isSettled || this.#resumption.hasFoundTurnOver) this.close();
    return true;
  }

  /** The connection has ended: that was the end of the stream, or another one takes its place. */
  async #recover(cause: unknown): Promise<void> {
    if (this.#isOver) return;
    const { retry, isWhole } = this.#stream ?? {};
    const { isPaused, isTurnOver } = this.progress;
    if (isWhole || isTurnOver || (isPaused && cause === undefined)) {
      this.close();
      return;
    }
    this.#drop();
    this.#use(await this.#resumption.resume(cause, retry));
  }

  #use(stream: EventStream): AsyncIterator<ReceivedEvent> {
    const events = stream[Symbol.asyncIterator]();
    this.#stream = stream;
    this.#events = events;
    if (this.#isOver) this.#drop();
    return events;
  }

  #drop(): void {
    this.#stream?.close();
    // What is still being read concerns nobody any more.
    this.#events?.return?.().then(undefined, () => undefined);
    this.#stream = this.#events = undefined;
  }
}

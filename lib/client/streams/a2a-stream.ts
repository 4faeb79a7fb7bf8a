import type { Observable } from 'rxjs';
import { eventToBytes, InternalError, type StreamResponse, type Task } from '../../protocol/index.js';
import { ofCall } from '../call-errors.js';
import { expectManyListeners } from '../timing/many-listeners.js';
import type { Outcome } from '../outcome.js';
import { EventFeed } from './event-feed.js';
import { observe } from './observe.js';
import { reconnectRules, type ReconnectPolicy } from './reconnect-policy.js';
import { StreamProgress } from './stream-progress.js';
import type { StreamSource } from './stream-source.js';

/** How a stream is read. */
export interface StreamOptions {
  /** Ends the stream and closes its connection; reading rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Whether updates are folded into the whole task. `false` keeps its id, context, status and metadata, but no history and
   * no artifacts, so that memory does not grow with the stream. Default `true`.
   */
  readonly accumulate?: boolean;
  /** How a stream that breaks is taken up again; a number is short for `{ maxAttempts }`. Default: not at all. */
  readonly reconnect?: ReconnectPolicy | number;
}

type Result = IteratorResult<StreamResponse<Uint8Array>, undefined>;

const OVER: Result = { done: true, value: undefined };

/**
 * What an agent streams: tasks, messages and updates, as they come.
 *
 * Nothing is sent before it is read, in one of these ways, and it can be read once:
 *
 * - `for await (const event of stream)`; leaving the loop closes the connection
 * - `await stream.open()`, which resolves once the agent has accepted the request and sent its first event, then
 *   `await stream.next()` for each event, or a loop
 * - `await stream.result()` for the outcome alone
 * - `stream.toObservable()`
 *
 * It ends after a message, when its task has ended, or when the agent closes it while the task waits for its client. Any
 * other end is an error. An event is taken from the connection when it is asked for, so a slow reader slows the agent
 * down. Events share their content with the folded task and are frozen: copy what you want to change. After a
 * reconnection the first event is the task as it stands, so events may repeat.
 *
 * @throws StreamEndedError if the stream breaks and is not taken up again; `InternalError` if it is read twice
 * @publicApi
 */
export class A2AStream
  implements AsyncIterableIterator<StreamResponse<Uint8Array>, undefined>, AsyncDisposable
{
  readonly #feed: EventFeed;
  readonly #progress: StreamProgress;
  readonly #signal: AbortSignal | undefined;
  readonly #connection = new AbortController();
  /** The first event, read by {@link open} and not delivered yet. */
  #first: Promise<Result> | undefined;
  /** The last event that was asked for. */
  #reading: Promise<Result> | undefined;
  /** How many events were asked for and have not come. */
  #awaited = 0;
  /** Settles the event that is being read when the stream is ended from outside. */
  #interrupt: (() => void) | undefined;
  #isWatching = false;
  #failure: { readonly reason: Error } | undefined;
  #isTaken = false;
  #isLeft = false;
  #isOver = false;
  #whenOver: (() => void)[] = [];

  /** @internal Made by {@link A2AClient}. */
  constructor(source: StreamSource, { signal, accumulate = true, reconnect }: StreamOptions = {}) {
    this.#progress = new StreamProgress(accumulate, source);
    this.#feed = new EventFeed(source, reconnectRules(reconnect), this.#progress, this.#connection.signal);
    this.#signal = signal;
  }

  /** The task as the events so far make it; `undefined` before the first one, and where a message came instead. */
  get task(): Task<Uint8Array> | undefined {
    return this.#progress.task;
  }

  /** What the stream amounted to; `undefined` before it has come to its end. */
  get outcome(): Outcome | undefined {
    return this.#isOver && !this.#failure ? this.#progress.outcome : undefined;
  }

  /** Resolves once the agent has accepted the request and sent its first event, which {@link next} then gives. */
  async open(): Promise<this> {
    if (!this.#reading) this.#first = this.next();
    await (this.#first ?? this.#reading);
    return this;
  }

  /** The next event. A stream that has failed fails again with the same error. */
  next(): Promise<Result> {
    const first = this.#first;
    this.#first = undefined;
    if (first) return first;
    const ready = this.#take();
    if (ready) return Promise.resolve({ done: false, value: eventToBytes(ready) });
    const before = this.#awaited++ > 0 ? this.#reading : undefined;
    const read = (): Promise<Result> => this.#read();
    return (this.#reading = before ? before.then(read, read) : read());
  }

  /** Closes the connection, as leaving a loop does. */
  async return(): Promise<Result> {
    this.close();
    return OVER;
  }

  /** @throws InternalError if the stream is being read, or was read, by somebody else */
  [Symbol.asyncIterator](): this {
    if (this.#isTaken) throw new InternalError('A stream can be read once; this one is read already');
    this.#isTaken = true;
    return this;
  }

  /**
   * The outcome, all updates folded into its task. Reads what nobody else reads; while a loop or a subscriber reads, it
   * waits for them to come to the end, so do not await it inside of the loop.
   *
   * @throws what reading throws, and StreamEndedError if the stream was left before it had an outcome
   */
  async result(): Promise<Outcome> {
    if (this.#isTaken) await this.#untilOver();
    else for await (const _ of this);
    if (this.#failure) throw this.#failure.reason;
    const { outcome } = this;
    if (outcome) return outcome;
    throw ofCall(this.#feed.ended(new Error(this.#isLeft ? 'it was left' : 'the task is still at work')));
  }

  /** The same as an observable. It can be subscribed to once; unsubscribing closes the connection. */
  toObservable(): Observable<StreamResponse<Uint8Array>> {
    return observe(this);
  }

  /** Stops reading and closes the connection. An event that is being waited for becomes the end. */
  close(): void {
    if (this.#isOver) return;
    this.#isLeft = true;
    this.#connection.abort();
    this.#end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** An event that has come already, which is most of them where an agent is fast; waiting costs more than they do. */
  #take(): StreamResponse | undefined {
    if (this.#isOver || this.#awaited > 0) return undefined;
    try {
      const event = this.#feed.take();
      if (this.#feed.isOver) this.#end();
      return event;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #read(): Promise<Result> {
    this.#watch();
    return new Promise((resolve, reject) => {
      const settle = (event?: StreamResponse): void => {
        this.#interrupt = undefined;
        this.#awaited--;
        if (this.#failure) reject(this.#failure.reason);
        else resolve(event ? { done: false, value: eventToBytes(event) } : OVER);
      };
      if (this.#isOver) {
        settle();
        return;
      }
      this.#interrupt = settle;
      this.#feed.next().then(
        (event) => {
          if (!this.#interrupt) return;
          if (event) settle(event);
          if (this.#feed.isOver) this.#end();
        },
        (error: unknown) => this.#fail(error),
      );
    });
  }

  /** Listens to the caller's signal, from the first read to the end. */
  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    expectManyListeners(this.#signal);
    if (this.#signal?.aborted) this.#abort();
    else this.#signal?.addEventListener('abort', this.#abort, { once: true });
  }

  readonly #abort = (): void => {
    this.#connection.abort(this.#signal?.reason);
    this.#fail(this.#signal?.reason);
  };

  #fail(reason: unknown): void {
    if (this.#isOver) return;
    // Whatever the caller's signal gives as its reason, error or not.
    this.#failure = { reason: ofCall(reason as Error, this.#signal) };
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#feed.close();
    this.#interrupt?.();
    for (const wake of this.#whenOver.splice(0)) wake();
  }

  #untilOver(): Promise<void> {
    return this.#isOver ? Promise.resolve() : new Promise((resolve) => this.#whenOver.push(resolve));
  }
}

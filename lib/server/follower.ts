import { isTerminal, TaskState, type StreamResponse, type Task } from '../protocol/index.js';
import { PublishedEvent } from './published-event.js';
import { withHistoryLength } from './history-length.js';
import { streamIterator } from './stream-iterator.js';
import type { TaskStream } from './task-stream.js';

/** One event in the chain of a feed. */
export interface Link {
  readonly event?: PublishedEvent;
  /** Bytes of all events up to this one. */
  readonly bytes: number;
  next?: Link;
}

const NOTHING = (): void => undefined;

/** What a follower tells its feed. */
export interface FollowedFeed {
  /** It begins: what it shows next comes after the event with this number. */
  begun(follower: Follower, seq: number): void;
  ended(follower: Follower): void;
}

/** A position in the chain of a feed: one open stream. */
export class Follower implements TaskStream {
  /** `undefined` once ended, so that a finished stream holds no events. */
  #position: Link | undefined;
  #first: PublishedEvent | undefined;
  /** Events up to this one are part of the snapshot that the stream began with. */
  #seen = 0;
  #started = false;
  #listener = NOTHING;

  constructor(
    position: Link,
    private readonly historyLength: number | undefined,
    private readonly feed: FollowedFeed,
  ) {
    this.#position = position;
  }

  get ended(): boolean {
    return this.#position === undefined && this.#first === undefined;
  }

  /** Why the stream broke off. */
  error: Error | undefined;

  /** Begins with the task as it stands; events that are part of it are skipped. */
  start(task: Task, seq: number): void {
    this.#first = new PublishedEvent(seq, { task });
    this.#begin(seq);
  }

  /** Begins behind the event with this number, which its client has. */
  startBehind(seq: number): void {
    this.#begin(seq);
  }

  /** Nothing follows what the stream begins with. */
  endAfterFirst(): void {
    this.#finish();
    this.wake();
  }

  /** Begins with whatever comes first, which must be the task itself. */
  begin(): void {
    this.#begin(0);
  }

  take(limit = Infinity, size = Infinity): PublishedEvent[] {
    const events: PublishedEvent[] = [];
    if (!this.#started) return events;
    if (this.#first) {
      events.push(this.#trim(this.#first));
      this.#first = undefined;
    }
    const start = this.#position?.bytes ?? 0;
    while (events.length < limit && this.#position?.next && this.#position.bytes - start < size) {
      this.#position = this.#position.next;
      const { event } = this.#position;
      if (!event || event.seq <= this.#seen) continue;
      events.push(this.#trim(event));
      if (isLast(event.payload)) this.#finish();
    }
    return events;
  }

  onReadable(listener: () => void): void {
    this.#listener = listener;
    if (this.#started || this.ended) listener();
  }

  close(): void {
    this.#first = undefined;
    this.#listener = NOTHING;
    this.#finish();
  }

  /** Ends the stream where it is: its client can subscribe again. */
  end(error?: Error): void {
    this.error = error;
    this.#first = undefined;
    this.#finish();
    this.wake();
  }

  /** How many bytes it has yet to read. */
  lag(tail: Link): number {
    return this.#position === undefined ? 0 : tail.bytes - this.#position.bytes;
  }

  wake(): void {
    if (this.#started || this.ended) this.#listener();
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamResponse> {
    return streamIterator(this);
  }

  #begin(seq: number): void {
    this.#seen = seq;
    this.#started = true;
    this.feed.begun(this, seq);
    this.wake();
  }

  #trim(event: PublishedEvent): PublishedEvent {
    const { task } = event.payload;
    if (!task || this.historyLength === undefined) return event;
    return new PublishedEvent(event.seq, { task: withHistoryLength(task, this.historyLength) });
  }

  #finish(): void {
    if (this.#position === undefined) return;
    this.#position = undefined;
    this.feed.ended(this);
  }
}

/** A stream ends at a terminal state, and when the task comes to wait for input (§3.1.2, §11.7). */
export function isLast({ statusUpdate }: StreamResponse): boolean {
  if (!statusUpdate) return false;
  const { state } = statusUpdate.status;
  return isTerminal(state) || state === TaskState.InputRequired;
}

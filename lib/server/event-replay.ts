import { EVENT_REPLAY_EXTENSION, type StreamResponse, type TaskEvent } from '../protocol/index.js';
import type { CallContext } from './call-context.js';
import { streamIterator } from './stream-iterator.js';
import { isLast, type Follower } from './follower.js';
import { shownOf, type PublishedEvent } from './published-event.js';
import type { TaskRecord } from './task-record.js';
import type { TaskStore } from './task-store.js';
import type { TaskStream } from './task-stream.js';

/** Events that are read from the log at a time. */
const PAGE = 100;
const NOTHING = (): void => undefined;

/** The number of the last event that a subscriber has, if it asks to go on behind it. */
export function replayPosition({ extensions, headers }: CallContext): number | undefined {
  const id = headers['last-event-id'];
  if (id === undefined || !extensions.includes(EVENT_REPLAY_EXTENSION)) return undefined;
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
}

/**
 * What happened to a task behind one of its events: first as the log has it, page by page as it is read, then live. The
 * follower was attached before, so that there is no gap between the two.
 */
export class EventReplay implements TaskStream {
  /** A stream whose client has everything is open although there may be nothing to show for long. */
  readonly opensSilently = true;
  #events: PublishedEvent[] = [];
  #position: number;
  #isReading = false;
  #isLive = false;
  #hasEnded = false;
  #error: Error | undefined;
  #listener = NOTHING;

  private constructor(
    private readonly store: TaskStore,
    private readonly record: TaskRecord,
    private readonly follower: Follower,
    after: number,
  ) {
    this.#position = after;
  }

  /** `undefined` where the log cannot tell what came behind the event. */
  static async open(
    store: TaskStore,
    record: TaskRecord,
    follower: Follower,
    after: number,
  ): Promise<EventReplay | undefined> {
    if (after > record.seq) return undefined;
    const replay = new EventReplay(store, record, follower, after);
    return (await replay.#readPage()) ? replay : undefined;
  }

  get ended(): boolean {
    if (this.#events.length > 0) return false;
    return this.#hasEnded || (this.#isLive && this.follower.ended);
  }

  get error(): Error | undefined {
    return this.#error ?? (this.#isLive ? this.follower.error : undefined);
  }

  take(limit = Infinity, size = Infinity): PublishedEvent[] {
    let room = size;
    let count = 0;
    while (count < limit && count < this.#events.length && room > 0) {
      room -= this.#events[count]?.json.length ?? 0;
      count++;
    }
    const taken = this.#events.splice(0, count);
    if (this.#events.length > 0 || this.#hasEnded) return taken;
    if (!this.#isLive) void this.#readOn();
    else if (taken.length === 0) return this.follower.take(limit, size);
    return taken;
  }

  onReadable(listener: () => void): void {
    this.#listener = listener;
    this.follower.onReadable(() => {
      // Until the log is read the follower only gathers.
      if (this.#isLive || this.follower.ended) this.#listener();
    });
    listener();
  }

  close(): void {
    this.#events = [];
    this.#hasEnded = true;
    this.#listener = NOTHING;
    this.follower.close();
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamResponse> {
    return streamIterator(this);
  }

  async #readOn(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      // What is missing was there a moment ago: the task was removed, or forgotten in part. Its client subscribes again.
      if (!(await this.#readPage())) this.#finish();
    } catch (error) {
      this.#error = error as Error;
      this.#finish();
    } finally {
      this.#isReading = false;
    }
    this.#listener();
  }

  async #readPage(): Promise<boolean> {
    const page = await this.store.events(this.record.id, this.record, { after: this.#position, limit: PAGE });
    if (!page) return false;
    if (!this.#hasEnded) this.#accept(page);
    return true;
  }

  #accept(page: readonly TaskEvent[]): void {
    const shown = shownOf(page);
    const last = shown.findIndex(({ payload }) => isLast(payload));
    this.#events = last === -1 ? shown : shown.slice(0, last + 1);
    this.#position = page.at(-1)?.seq ?? this.#position;
    if (last !== -1) this.#finish();
    else if (page.length < PAGE) {
      this.#isLive = true;
      this.follower.startBehind(this.#position);
    }
  }

  /** Nothing comes behind what was read. */
  #finish(): void {
    this.#hasEnded = true;
    this.follower.close();
  }
}

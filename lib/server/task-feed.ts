import { Follower, type Link } from './follower.js';
import type { PublishedEvent } from './published-event.js';
import type { TaskEventBus, TaskKey, Unsubscribe } from './task-event-bus.js';

/**
 * The events of one task for those who follow it in this process.
 *
 * Events form a chain, and a follower is a position in it. What every follower has read is garbage at once, a
 * follower costs nothing while it is stalled, and none holds up another: one that lags too far is ended.
 */
export class TaskFeed {
  readonly #followers = new Set<Follower>();
  readonly #unsubscribe: Unsubscribe;
  #tail: Link = { bytes: 0 };

  constructor(
    bus: TaskEventBus,
    key: TaskKey,
    private readonly lagLimit: number,
    private readonly onEmpty: () => void,
  ) {
    this.#unsubscribe = bus.follow(key, ({ events }) => {
      this.#append(events);
    });
  }

  /** A follower that sees every event from now on. */
  attach(historyLength?: number): Follower {
    const follower = new Follower(this.#tail, historyLength, () => {
      this.#detach(follower);
    });
    this.#followers.add(follower);
    return follower;
  }

  /** Ends every follower; with an `error` if the task cannot be followed any further. */
  end(error?: Error): void {
    for (const follower of [...this.#followers]) follower.end(error);
  }

  #append(events: readonly PublishedEvent[]): void {
    // What comes now nobody had time to read: it may be larger than the limit, and counts from the next time on.
    const behind = this.#tail;
    for (const event of events) {
      const link: Link = { event, bytes: this.#tail.bytes + event.json.length };
      this.#tail.next = link;
      this.#tail = link;
    }
    for (const follower of [...this.#followers]) {
      if (follower.lag(behind) > this.lagLimit) follower.end();
      else follower.wake();
    }
  }

  #detach(follower: Follower): void {
    if (!this.#followers.delete(follower) || this.#followers.size > 0) return;
    this.#unsubscribe();
    this.onEmpty();
  }
}

/** The feeds of all tasks that somebody follows in this process. */
export class TaskFeeds {
  readonly #feeds = new Map<string, TaskFeed>();

  constructor(
    private readonly bus: TaskEventBus,
    private readonly agent: string,
    private readonly lagLimit: number,
  ) {}

  /** How many tasks are followed. */
  get size(): number {
    return this.#feeds.size;
  }

  /** Follows a task; the follower shows nothing until it is started. */
  follow(id: string, historyLength?: number): Follower {
    let feed = this.#feeds.get(id);
    if (!feed) {
      feed = new TaskFeed(this.bus, { agent: this.agent, id }, this.lagLimit, () => this.#feeds.delete(id));
      this.#feeds.set(id, feed);
    }
    return feed.attach(historyLength);
  }

  /** Breaks off the streams of one task. */
  fail(id: string, error: Error): void {
    this.#feeds.get(id)?.end(error);
  }

  /** Ends every stream. */
  end(): void {
    for (const feed of [...this.#feeds.values()]) feed.end();
  }
}

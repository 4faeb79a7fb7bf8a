import type { Follower } from './follower.js';
import type { TaskEventBus } from './task-event-bus.js';
import { TaskFeed, type FeedSource } from './task-feed.js';

/** Milliseconds between two looks while the bus says that nothing arrives. */
const WITHOUT_BUS = 1_000;
/** Feeds that look at the same time: the others wait for the next time, so that a store is not asked too much. */
const LOOKS = 500;

/** The feeds of all tasks that somebody follows in this process. */
export class TaskFeeds {
  readonly #feeds = new Map<string, TaskFeed>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly source: FeedSource,
    /** Milliseconds of silence after which a feed of a task that is driven elsewhere looks into the store. */
    private readonly pollInterval: number,
  ) {}

  /** How many tasks are followed. */
  get size(): number {
    return this.#feeds.size;
  }

  /** Follows a task; the follower shows nothing until it is started. */
  follow(id: string, historyLength?: number): Follower {
    let feed = this.#feeds.get(id);
    if (!feed) {
      feed = new TaskFeed(this.source, { agent: this.source.agent, id }, () => {
        this.#forget(id);
      });
      this.#feeds.set(id, feed);
      this.#watch();
    }
    return feed.attach(historyLength);
  }

  /** Breaks off the streams of one task. */
  fail(id: string, error: Error): void {
    this.#feeds.get(id)?.end(error);
  }

  /** Ends the streams of tasks that no turn in this process drives: their clients can subscribe again elsewhere. */
  endElsewhere(): void {
    for (const [id, feed] of [...this.#feeds]) if (!this.source.isDrivenHere(id)) feed.end();
  }

  /** Ends every stream. */
  end(): void {
    for (const feed of [...this.#feeds.values()]) feed.end();
  }

  /** Looks from time to time whether something went by the feeds of tasks that are driven elsewhere. */
  #watch(): void {
    if (!this.source.store.keepsEvents) return;
    this.#timer ??= setInterval(
      () => {
        this.#look();
      },
      Math.min(WITHOUT_BUS, this.pollInterval),
    ).unref();
  }

  #look(): void {
    const isConnected = isBusConnected(this.source.bus);
    const now = Date.now();
    const isDue = ([id, feed]: [string, TaskFeed]): boolean => {
      const patience = isConnected && !feed.isBehind ? this.pollInterval : WITHOUT_BUS;
      return now - feed.lastNews >= patience && !this.source.isDrivenHere(id);
    };
    const due = [...this.#feeds].filter(isDue).sort(([, a], [, b]) => a.lastNews - b.lastNews);
    for (const [, feed] of due.slice(0, LOOKS)) feed.look();
  }

  #forget(id: string): void {
    this.#feeds.delete(id);
    if (this.#feeds.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** A bus that is told by its methods alone may not have this one. */
function isBusConnected(bus: TaskEventBus): boolean {
  return (bus as Partial<TaskEventBus>).isConnected?.() ?? true;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { TaskNotFoundError } from '../protocol/index.js';
import { Follower, type FollowedFeed, type Link } from './follower.js';
import { shownOf, type PublishedEvent } from './published-event.js';
import type { TaskEventBatch, TaskEventBus, TaskKey, Unsubscribe } from './task-event-bus.js';
import { systemScope } from './task-scope.js';
import type { TaskStore } from './task-store.js';

/** Events that are read from the store at a time. */
const PAGE = 50;

/** What the feeds of an agent stand on. */
export interface FeedSource {
  readonly agent: string;
  readonly bus: TaskEventBus;
  readonly store: TaskStore;
  /** Bytes that a follower may lag behind before it is ended. */
  readonly lagLimit: number;
  /** Whether a turn on the task is open in this process: of what that publishes nothing goes missing. */
  isDrivenHere(id: string): boolean;
}

/**
 * The events of one task for those who follow it in this process.
 *
 * Events form a chain, and a follower is a position in it. What every follower has read is garbage at once, a
 * follower costs nothing while it is stalled, and none holds up another: one that lags too far is ended.
 *
 * What the bus did not bring is read from the store before the chain goes on, and what it brings twice is dropped.
 */
export class TaskFeed implements FollowedFeed {
  readonly #followers = new Set<Follower>();
  readonly #unsubscribe: Unsubscribe;
  #tail: Link = { bytes: 0 };
  /** The number of the last event in the chain, or before it; unknown until the first follower begins. */
  #shown: number | undefined;
  /** What came before that. */
  #early: TaskEventBatch[] = [];
  /** The highest number that an event is known to have. */
  #known = 0;
  #mayHaveMissed = false;
  #isReading = false;
  #isClosed = false;
  /** When there last was something new, or a look into the store; milliseconds since 1970. */
  lastNews = Date.now();

  constructor(
    private readonly source: FeedSource,
    private readonly key: TaskKey,
    private readonly onEmpty: () => void,
  ) {
    this.#unsubscribe = source.bus.follow(
      key,
      (batch) => {
        this.#take(batch);
      },
      () => {
        this.look();
      },
    );
  }

  /** Whether there are events that it could not read. */
  get isBehind(): boolean {
    return this.#shown !== undefined && this.#shown < this.#known;
  }

  /** A follower that sees every event from now on. */
  attach(historyLength?: number): Follower {
    const follower = new Follower(this.#tail, historyLength, this);
    this.#followers.add(follower);
    return follower;
  }

  /** Ends every follower; with an `error` if the task cannot be followed any further. */
  end(error?: Error): void {
    for (const follower of [...this.#followers]) follower.end(error);
  }

  begun(_follower: Follower, seq: number): void {
    this.#known = Math.max(this.#known, seq);
    if (this.#shown === undefined) {
      this.#shown = seq;
      for (const batch of this.#early.splice(0)) this.#take(batch);
      if (this.#mayHaveMissed) this.look();
    } else if (this.isBehind) this.look();
  }

  ended(follower: Follower): void {
    if (!this.#followers.delete(follower) || this.#followers.size > 0) return;
    this.#isClosed = true;
    this.#unsubscribe();
    this.onEmpty();
  }

  /** Reads from the store what may have gone by. */
  look(): void {
    this.lastNews = Date.now();
    this.#mayHaveMissed = true;
    if (this.#isReading || this.#shown === undefined || !this.source.store.keepsEvents) return;
    if (!this.source.isDrivenHere(this.key.id)) void this.#read();
  }

  #take(batch: TaskEventBatch): void {
    const shown = this.#shown;
    if (shown === undefined) {
      this.#early.push(batch);
      return;
    }
    const { after, events, announced = 0 } = batch;
    const known = Math.max(events.at(-1)?.seq ?? 0, announced);
    if (known <= shown) return;
    this.#known = Math.max(this.#known, known);
    this.lastNews = Date.now();
    // What is being read comes in the order of the store, this included.
    if (this.#isReading) return;
    const { keepsEvents } = this.source.store;
    const isNext = after <= shown || !keepsEvents;
    if (isNext) this.#append(events);
    if (isNext && announced <= (this.#shown ?? 0)) return;
    if (keepsEvents) void this.#read();
    // Nobody can tell what was announced: who follows has to subscribe again.
    else this.end();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      do {
        await this.#readPage();
        // What was read must be able to leave by the sockets.
        if (this.isBehind) await nextTurn();
      } while (this.isBehind && !this.#isClosed);
    } catch {
      // The store is away, and says so elsewhere: the next look will tell.
      this.#known = Math.max(this.#known, (this.#shown ?? 0) + 1);
    } finally {
      this.#isReading = false;
      this.lastNews = Date.now();
    }
  }

  async #readPage(): Promise<void> {
    const { agent, id } = this.key;
    const { store } = this.source;
    const after = this.#shown ?? 0;
    const known = this.#known;
    const page = await store.events(id, systemScope(agent), { after, limit: PAGE });
    if (page === undefined) {
      // It is gone, or the store has forgotten what came next: who follows gets the task when subscribing again.
      this.end((await store.get(id, systemScope(agent))) ? undefined : new TaskNotFoundError(id));
      return;
    }
    const last = page.at(-1)?.seq;
    if (last === undefined) {
      // Unless there was news while the store was read: then it may have that by now.
      if (this.#known === known) this.#known = after;
      return;
    }
    this.#append(shownOf(page));
    this.#shown = last;
    this.#known = Math.max(this.#known, page.length === PAGE ? last + 1 : last);
  }

  #append(events: readonly PublishedEvent[]): void {
    // What comes now nobody had time to read: it may be larger than the limit, and counts from the next time on.
    const behind = this.#tail;
    for (const event of events) {
      if (event.seq <= (this.#shown ?? 0)) continue;
      const link: Link = { event, bytes: this.#tail.bytes + event.json.length };
      this.#tail.next = link;
      this.#tail = link;
      this.#shown = event.seq;
    }
    for (const follower of [...this.#followers]) {
      if (follower.lag(behind) > this.source.lagLimit) follower.end();
      else follower.wake();
    }
  }
}

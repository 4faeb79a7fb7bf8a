import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TaskMoment } from '../protocol/index.js';
import { contentSize } from './content-size.js';
import { PublishedEvent } from './published-event.js';
import type { TaskNotifier } from './push-notifications.js';
import type { FoldedChanges } from './record-writer.js';
import type { TaskChange } from './task-changes.js';
import type { TaskEventBus, TaskKey } from './task-event-bus.js';

/** After this much content the event loop gets a turn: what is published must be able to leave by the sockets. */
const FAIR_SHARE = 256 * 1024;

/** Tells the followers and the webhooks of one task of changes that are stored. */
export class ChangeAnnouncer {
  /** Number of the last event that followers were told of. */
  #published: number;
  /** Content published since the event loop had a turn. */
  #share = 0;

  constructor(
    private readonly key: TaskKey,
    seq: number,
    private readonly bus: TaskEventBus,
    private readonly notifier: TaskNotifier | undefined,
  ) {
    this.#published = seq;
  }

  /** Whether the webhooks are shown the task after each change. */
  get showsTask(): boolean {
    return this.notifier !== undefined && this.notifier.isListening && this.notifier.showsTask;
  }

  /**
   * Tells of changes. Resolves when followers have been told of all of them; there is nothing to wait for if they are few.
   *
   * @param size characters of their content
   * @param now the task as it stands, put together when called
   */
  announce(
    changes: readonly TaskChange[],
    folded: FoldedChanges,
    size: number,
    now: () => TaskMoment,
  ): Promise<void> | undefined {
    const shown = published(changes, folded);
    if (this.notifier?.isListening && shown.length > 0) this.#notify(this.notifier, shown, folded, now);
    if (this.#share + size >= FAIR_SHARE) return this.#publishInShares(shown);
    this.#share += size;
    this.#publish(shown);
    return undefined;
  }

  /** Publishes events, but not so many at once that a follower falls behind without having had a chance to read. */
  async #publishInShares(events: readonly PublishedEvent[]): Promise<void> {
    let slice: PublishedEvent[] = [];
    for (const event of events) {
      slice.push(event);
      this.#share += contentSize(event.payload);
      if (this.#share < FAIR_SHARE) continue;
      this.#publish(slice);
      slice = [];
      this.#share = 0;
      await nextTurn();
    }
    this.#publish(slice);
  }

  #publish(events: readonly PublishedEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.bus.publish(this.key, { after: this.#published, events });
    this.#published = last.seq;
  }

  /** Tells the webhooks what streams see too. */
  #notify(
    notifier: TaskNotifier,
    shown: readonly PublishedEvent[],
    { events, moments }: FoldedChanges,
    now: () => TaskMoment,
  ): void {
    const first = events[0]?.seq ?? 0;
    if (notifier.showsTask && !moments) {
      // The webhook came while the store was written: it learns how the task stands now.
      notifier.notify(shown.slice(-1).map((event) => ({ event, moment: now() })));
      return;
    }
    const momentOf = ({ seq }: PublishedEvent) => (notifier.showsTask ? moments?.[seq - first] : undefined);
    const range = { after: first - 1, seq: first - 1 + events.length };
    notifier.notify(
      shown.map((event) => ({ event, moment: momentOf(event) })),
      range,
    );
  }
}

/** What streams show of changes: the events without those that only the store is told of. */
function published(changes: readonly TaskChange[], { events }: FoldedChanges): PublishedEvent[] {
  const shown: PublishedEvent[] = [];
  changes.forEach((payload, index) => {
    if ('message' in payload || 'patch' in payload) return;
    shown.push(new PublishedEvent(events[index]?.seq ?? 0, payload));
  });
  return shown;
}

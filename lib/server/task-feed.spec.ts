import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TaskState, type TaskEvent } from '../protocol/index.js';
import type { Follower } from './follower.js';
import { InProcessTaskEventBus } from './in-process-event-bus.js';
import { PublishedEvent } from './published-event.js';
import { TaskFeeds } from './task-feeds.js';
import type { TaskEventBatch, TaskKey } from './task-event-bus.js';
import type { TaskStore } from './task-store.js';

const KEY = { agent: 'default', id: 't1' };
const TASK = { id: KEY.id, contextId: 'c1', status: { state: TaskState.Working } };

/** A bus that can lose things, and says when it is away. */
class UnsureBus extends InProcessTaskEventBus {
  connected = true;
  readonly missed = new Set<() => void>();

  override follow(key: TaskKey, listener: (batch: TaskEventBatch) => void, missed?: () => void): () => void {
    if (missed) this.missed.add(missed);
    return super.follow(key, listener);
  }

  override isConnected(): boolean {
    return this.connected;
  }

  comesBack(): void {
    for (const tell of this.missed) tell();
  }
}

/** The events of a task as the store has them. */
class EventLog {
  keepsEvents = true;
  readonly log: TaskEvent[] = [];
  /** Every look: behind which event. */
  readonly looks: number[] = [];
  failure: Error | undefined;
  isGone = false;
  /** Runs after a page was put together and before it is given. */
  meanwhile = (): void => undefined;

  async events(
    _id: string,
    _scope: object,
    { after, limit }: { after: number; limit: number },
  ): Promise<TaskEvent[] | undefined> {
    this.looks.push(after);
    if (this.failure) throw this.failure;
    const page = this.log.filter(({ seq }) => seq > after).slice(0, limit);
    await Promise.resolve();
    this.meanwhile();
    return this.isGone ? undefined : page;
  }

  async get(): Promise<object | undefined> {
    return this.isGone ? undefined : {};
  }
}

function setUp({ seq = 0, drivenHere = false, lagLimit = 1024 * 1024 } = {}) {
  const bus = new UnsureBus();
  const log = new EventLog();
  const store = log as unknown as TaskStore;
  const source = { agent: KEY.agent, bus, store, lagLimit, isDrivenHere: () => drivenHere };
  const feeds = new TaskFeeds(source, 15_000);
  const artifact = (number: number): TaskEvent => ({
    seq: number,
    artifactUpdate: {
      taskId: KEY.id,
      contextId: 'c1',
      artifact: { artifactId: 'a', parts: [{ text: `${number}` }] },
    },
  });
  const storeUpTo = (upTo: number) => {
    for (let next = (log.log.at(-1)?.seq ?? seq) + 1; next <= upTo; next++) log.log.push(artifact(next));
  };
  const publish = (after: number, upTo: number, key: TaskKey = KEY) => {
    storeUpTo(upTo);
    const events = Array.from({ length: upTo - after }, (_, index) => {
      const { seq: number, ...payload } = artifact(after + index + 1) as TaskEvent & {
        artifactUpdate: never;
      };
      return new PublishedEvent(number, payload);
    });
    bus.publish(key, { after, events });
  };
  const follower = feeds.follow(KEY.id);
  return { bus, log, feeds, follower, publish, artifact, store: storeUpTo };
}

const numbers = (follower: Follower) => follower.take().map(({ seq }) => seq);

/** Lets reads of the store and what follows from them happen. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds);
  await settled();
}

describe('TaskFeed', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('reads nothing from the store while everything arrives', async () => {
    const { follower, publish, log } = setUp();
    follower.start(TASK, 3);
    publish(3, 5);
    publish(5, 6);
    await settled();
    expect(numbers(follower)).toEqual([3, 4, 5, 6]);
    expect(log.looks).toEqual([]);
  });

  it('reads what went missing before it shows what came after, and drops what comes twice', async () => {
    const { follower, publish, log, store } = setUp({ seq: 3 });
    follower.start(TASK, 3);
    store(6);
    publish(6, 7);
    publish(7, 8);
    publish(3, 6);
    await settled();
    publish(7, 8);
    publish(8, 9);
    expect(numbers(follower)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    // The second look is for what came while the first was under way.
    expect(log.looks).toEqual([3, 7]);
  });

  it('what comes before the snapshot counts, and what went missing before that is read', async () => {
    const { follower, publish, store, log } = setUp({ seq: 3 });
    publish(3, 4);
    store(6);
    publish(6, 7);
    follower.start(TASK, 4);
    await settled();
    expect(numbers(follower)).toEqual([4, 5, 6, 7]);
    expect(log.looks).toEqual([4]);
  });

  it('reads what is announced', async () => {
    const { bus, follower, publish, store, log } = setUp();
    follower.start(TASK, 0);
    store(2);
    bus.publish(KEY, { after: 0, events: [], announced: 2 });
    await settled();
    publish(2, 3);
    expect(numbers(follower)).toEqual([0, 1, 2, 3]);
    expect(log.looks).toEqual([0]);
  });

  it('ends followers where nobody can tell what was announced', async () => {
    const { bus, follower, log, publish } = setUp();
    log.keepsEvents = false;
    follower.start(TASK, 0);
    publish(1, 2);
    expect(numbers(follower)).toEqual([0, 2]);
    bus.publish(KEY, { after: 2, events: [], announced: 3 });
    await settled();
    expect(follower.ended).toBe(true);
    expect(follower.error).toBeUndefined();
  });

  it('reads on in pages, also what comes while it reads', async () => {
    const { follower, publish, store, log } = setUp();
    follower.start(TASK, 0);
    store(120);
    let isLate = true;
    log.meanwhile = () => {
      if (isLate) publish(120, 130);
      isLate = false;
    };
    publish(119, 120);
    await settled();
    expect(numbers(follower)).toEqual(Array.from({ length: 131 }, (_, index) => index));
    expect(log.looks).toEqual([0, 50, 100]);
  });

  it('an event that arrives while the store finds nothing is not lost', async () => {
    const { bus, follower, publish, log } = setUp();
    follower.start(TASK, 0);
    let isFirst = true;
    log.meanwhile = () => {
      if (isFirst) publish(0, 1);
      isFirst = false;
    };
    bus.comesBack();
    await settled();
    expect(numbers(follower)).toEqual([0, 1]);
  });

  it('reads when the bus may have missed something, also if that was before the snapshot came', async () => {
    const { bus, follower, store, log } = setUp();
    bus.comesBack();
    store(1);
    follower.start(TASK, 0);
    await settled();
    expect(numbers(follower)).toEqual([0, 1]);
    store(2);
    bus.comesBack();
    await settled();
    expect(numbers(follower)).toEqual([2]);
    expect(log.looks).toEqual([0, 1]);
  });

  it('shows of the log what streams show', async () => {
    const { bus, follower, log, artifact } = setUp();
    const message = { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'x' }] };
    log.log.push(
      { seq: 1, task: TASK },
      { seq: 2, message },
      { seq: 3, patch: { metadata: {} } },
      artifact(4),
    );
    follower.begin();
    bus.comesBack();
    await settled();
    const events = follower.take();
    expect(events.map(({ seq }) => seq)).toEqual([1, 4]);
    expect(events[0]?.payload).toEqual({ task: TASK });
  });

  it('looks after a silence, and every second while the bus is away', async () => {
    const { bus, follower, store, log } = setUp();
    follower.start(TASK, 0);
    store(1);
    await pass(14_000);
    expect(log.looks).toEqual([]);
    await pass(2_000);
    expect(numbers(follower)).toEqual([0, 1]);
    bus.connected = false;
    store(2);
    await pass(2_000);
    expect(numbers(follower)).toEqual([2]);
  });

  it('a follower of a task that ends while the bus is away ends too', async () => {
    const { bus, follower, log, feeds } = setUp();
    follower.start(TASK, 0);
    bus.connected = false;
    const status = { state: TaskState.Completed };
    log.log.push({ seq: 1, statusUpdate: { taskId: KEY.id, contextId: 'c1', status } });
    await pass(2_000);
    expect(numbers(follower)).toEqual([0, 1]);
    expect(follower.ended).toBe(true);
    expect(feeds.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a task that is driven in this process costs the store nothing', async () => {
    const { bus, follower, log } = setUp({ drivenHere: true });
    follower.start(TASK, 0);
    bus.comesBack();
    bus.connected = false;
    await pass(60_000);
    expect(log.looks).toEqual([]);
  });

  it('a store that is away is asked again', async () => {
    const { bus, follower, store, log } = setUp();
    follower.start(TASK, 0);
    store(1);
    log.failure = new Error('away');
    bus.comesBack();
    await settled();
    log.failure = undefined;
    await pass(2_000);
    expect(numbers(follower)).toEqual([0, 1]);
  });

  it('the streams of a task that is gone say so', async () => {
    const { bus, follower, log } = setUp();
    follower.start(TASK, 0);
    log.isGone = true;
    bus.comesBack();
    await settled();
    expect(follower.error).toMatchObject({ name: 'TaskNotFoundError' });
  });

  it('several followers see the same, and one that comes later what is new', async () => {
    const { feeds, follower, publish, store } = setUp();
    follower.start(TASK, 0);
    store(2);
    const later = feeds.follow(KEY.id);
    later.start(TASK, 2);
    await settled();
    publish(2, 3);
    expect(numbers(follower)).toEqual([0, 1, 2, 3]);
    expect(numbers(later)).toEqual([2, 3]);
  });
});

import { describe, expect, it } from 'vitest';
import { InProcessTaskEventBus } from './in-process-event-bus.js';
import { PublishedEvent } from './published-event.js';
import { InMemoryTaskStore } from './in-memory-task-store.js';
import { TaskFeeds } from './task-feeds.js';

const KEY = { agent: 'default', id: 't1' };

function following(lagLimit = 1024 * 1024) {
  const bus = new InProcessTaskEventBus();
  const source = {
    agent: KEY.agent,
    bus,
    store: new InMemoryTaskStore(),
    lagLimit,
    isDrivenHere: () => true,
  };
  const feeds = new TaskFeeds(source, 15_000);
  const follower = feeds.follow(KEY.id);
  follower.begin();
  let seq = 0;
  const publish = (...sizes: number[]) => {
    const after = seq;
    const events = sizes.map(
      (size) => new PublishedEvent(++seq, { artifactUpdate: artifact('x'.repeat(size)) }),
    );
    bus.publish(KEY, { after, events });
  };
  return { feeds, follower, publish };
}

const artifact = (text: string) => ({
  taskId: KEY.id,
  contextId: 'c1',
  artifact: { artifactId: 'a1', parts: [{ text }] },
});

describe('Follower', () => {
  it('gives at most as many events as were asked for, in order', () => {
    const { follower, publish } = following();
    publish(1, 1, 1);
    expect(follower.take(2).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(follower.take(2).map(({ seq }) => seq)).toEqual([3]);
    expect(follower.take()).toEqual([]);
  });

  it('O-CONC-02: gives no more once what it gave is large, and at least one', () => {
    const { follower, publish } = following();
    publish(1_000, 1_000, 1_000, 10);
    expect(follower.take(128, 2_000).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(follower.take(128, 10).map(({ seq }) => seq)).toEqual([3]);
    expect(follower.take(128, 10).map(({ seq }) => seq)).toEqual([4]);
  });

  it('O-CONC-02: is ended when it lags too far, and holds nothing then', () => {
    const { feeds, follower, publish } = following(5_000);
    publish(2_000, 2_000);
    publish(2_000);
    expect(follower.ended).toBe(false);
    publish(1);
    expect([follower.ended, feeds.size]).toEqual([true, 0]);
    expect(follower.take()).toEqual([]);
  });

  it('is not ended for what it had no time to read, however much that is', () => {
    const { follower, publish } = following(5_000);
    publish(20_000, 20_000);
    expect(follower.take().map(({ seq }) => seq)).toEqual([1, 2]);
    publish(20_000);
    expect(follower.take().map(({ seq }) => seq)).toEqual([3]);
    expect(follower.ended).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { PublishedEvent } from '../server/published-event.js';
import type { TaskNotice, WantedWebhook } from '../server/push-notifications.js';
import type { PushConfigRecord } from './push-notification-config-store.js';
import { TaskWatch } from './task-watch.js';

const TASK = { agent: 'a', id: 't' };

function record(id: string): PushConfigRecord {
  return { agent: 'a', config: { id, taskId: 't', url: 'https://hook.example.com' }, version: '1.0' };
}
function notice(seq: number): TaskNotice {
  const statusUpdate = { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' as const } };
  return { event: new PublishedEvent(seq, { statusUpdate }), moment: undefined };
}

/** A watch whose store answers when the test says so, and what it has delivered: `seq>webhooks`. */
function setUp(options: { isNew?: boolean; wanted?: WantedWebhook } = {}) {
  const reads: { resolve: (ids: string[]) => void; reject: (error: Error) => void }[] = [];
  const delivered: string[] = [];
  const failures: unknown[] = [];
  const watch = new TaskWatch(
    TASK,
    {
      showsTask: false,
      read: () =>
        new Promise((resolve, reject) => {
          reads.push({ resolve: (ids) => resolve(ids.map(record)), reject });
        }),
      keep: () => Promise.resolve(record('wanted')),
      deliver: (_task, notices, webhooks) => {
        for (const { event } of notices)
          delivered.push(`${event.seq}>${webhooks.map(({ config }) => config.id).join()}`);
      },
      failed: (_task, error) => failures.push(error),
    },
    options,
  );
  return { watch, reads, delivered, failures };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('TaskWatch', () => {
  it('of a new task without a webhook listens to nothing and reads nothing', () => {
    const { watch, reads } = setUp({ isNew: true });
    expect([watch.isListening, watch.appearing(), reads.length]).toEqual([false, undefined, 0]);
  });

  it('of a new task with a webhook keeps it when the task appears, and not before', async () => {
    const wanted = { config: { url: 'https://hook.example.com' }, version: '1.0' };
    const { watch, delivered } = setUp({ isNew: true, wanted });
    expect(watch.isListening).toBe(true);
    await watch.appearing();
    watch.notify([notice(1), notice(2)]);
    expect(delivered).toEqual(['1>wanted', '2>wanted']);
  });

  it('of a known task lets changes wait in line while the webhooks are read', async () => {
    const { watch, reads, delivered } = setUp();
    void watch.reload();
    watch.notify([notice(1)]);
    watch.notify([notice(2)]);
    await settled();
    expect([watch.isListening, delivered, reads.length]).toEqual([true, [], 1]);
    reads[0]!.resolve(['a', 'b']);
    await settled();
    watch.notify([notice(3)]);
    expect(delivered).toEqual(['1>a,b', '2>a,b', '3>a,b']);
    expect(reads).toHaveLength(1);
  });

  it('tells a new webhook of what comes after it was read, and of nothing before', async () => {
    const { watch, reads, delivered } = setUp({ isNew: true });
    const added = watch.reload();
    await settled();
    reads[0]!.resolve(['a']);
    await added;
    watch.notify([notice(1)]);
    const replaced = watch.reload();
    watch.notify([notice(2)]);
    await settled();
    reads[1]!.resolve(['b']);
    await replaced;
    await settled();
    expect(delivered).toEqual(['1>a', '2>b']);
  });

  it('looks again with the next change where the store has failed', async () => {
    const { watch, reads, delivered, failures } = setUp();
    void watch.reload();
    await settled();
    reads[0]!.reject(new Error('away'));
    await settled();
    expect([failures.length, watch.isListening]).toEqual([1, true]);
    watch.notify([notice(1)]);
    await settled();
    reads[1]!.resolve([]);
    await settled();
    expect([delivered, watch.isListening]).toEqual([['1>'], false]);
  });

  it('reads the webhooks for every change once nobody says when they change', async () => {
    const { watch, reads, delivered } = setUp({ isNew: true });
    watch.detach();
    for (const [index, ids] of [['a'], [], ['b']].entries()) {
      watch.notify([notice(index)]);
      await settled();
      reads[index]!.resolve(ids);
      await settled();
      expect(watch.isListening).toBe(true);
    }
    expect(delivered).toEqual(['0>a', '1>', '2>b']);
  });
});

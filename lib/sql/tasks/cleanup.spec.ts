import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TaskState } from '../../protocol/index.js';
import { systemScope } from '../../server/task-scope.js';
import { A2ADatabase } from '../a2a-database.js';
import { statement } from '../database/driver.js';
import { SqlTaskStore } from './sql-task-store.js';
import type { RetentionOptions } from './task-store-options.js';

const HOUR = 3_600_000;
const scope = { agent: 'a', owner: 'o\0' };

async function storeWith(retention?: RetentionOptions) {
  const database = await A2ADatabase.open('sqlite::memory:', { migrate: true });
  onTestFinished(() => database.close());
  const store = new SqlTaskStore(database, retention ? { retention } : {});
  const count = async (table: string) =>
    (await database.run(statement<{ n: number }>(`select count(*) as n from ${table}`)))[0]?.n;
  return { database, store, count };
}

async function put(store: SqlTaskStore, id: string, state: TaskState, age: number): Promise<void> {
  const task = { id, status: { state, timestamp: new Date(Date.now() - age).toISOString() } };
  await store.put({ ...scope, id, task, version: 1, seq: 1, epoch: 1 }, [{ seq: 1, task }]);
}

describe('The end of old tasks', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('removes tasks by state and age, in batches, and tells of each', async () => {
    const { store, count } = await storeWith({ keep: { TASK_STATE_COMPLETED: HOUR }, batchSize: 2 });
    for (const id of ['1', '2', '3', '4', '5']) await put(store, id, 'TASK_STATE_COMPLETED', HOUR + 1_000);
    await put(store, 'young', 'TASK_STATE_COMPLETED', HOUR - 60_000);
    await put(store, 'waits', 'TASK_STATE_INPUT_REQUIRED', 99 * HOUR);
    const failures = vi.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const gone: string[] = [];
    store.onRemoval(() => {
      throw new Error('a listener that fails harms nobody');
    });
    store.onRemoval(({ agent, id }) => gone.push(`${agent} ${id}`));
    await store.removeOld();
    expect(failures).toHaveBeenCalledTimes(5);
    expect(gone.sort()).toEqual(['a 1', 'a 2', 'a 3', 'a 4', 'a 5']);
    const { records } = await store.list({ limit: 10 }, systemScope('a'));
    expect(records.map(({ id }) => id)).toEqual(['young', 'waits']);
    expect(await count('a2a_task_events')).toBe(2);
  });

  it('keeps every task without retention, but neither old messages nor workers', async () => {
    const { store, count } = await storeWith();
    await put(store, 't', 'TASK_STATE_COMPLETED', 9_999 * HOUR);
    await store.claimMessage(scope, 'old', { taskId: 't', worker: 'w' }, Date.now() - 1);
    await store.claimMessage(scope, 'held', { taskId: 't', worker: 'w' }, Date.now() + HOUR);
    await store.renewLease('long gone', Date.now() - 2 * HOUR);
    await store.renewLease('just gone', Date.now() - 1);
    await store.removeOld();
    expect(await Promise.all(['a2a_tasks', 'a2a_messages', 'a2a_workers'].map(count))).toEqual([1, 1, 1]);
  });

  it('comes by itself, again and again, until the database is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { database, store, count } = await storeWith({
      keep: { TASK_STATE_FAILED: HOUR },
      interval: 1_000,
    });
    for (const id of ['1', '2']) {
      await put(store, id, 'TASK_STATE_FAILED', 2 * HOUR);
      await vi.advanceTimersByTimeAsync(1_000);
      await expect.poll(() => count('a2a_tasks')).toBe(0);
    }
    await database.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

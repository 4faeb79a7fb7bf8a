import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { A2ADatabase } from '../a2a-database.js';
import { SqlTaskStore } from './sql-task-store.js';

const scope = { agent: 'a' };

async function storeOf(count: number, countLimit: number): Promise<SqlTaskStore> {
  const database = await A2ADatabase.open('sqlite::memory:', { migrate: true });
  onTestFinished(() => database.close());
  const store = new SqlTaskStore(database, { countLimit });
  for (let at = 0; at < count; at++) await add(store, at);
  return store;
}

async function add(store: SqlTaskStore, at: number): Promise<void> {
  const timestamp = new Date(at * 1_000).toISOString();
  const task = {
    id: `t${at}`,
    contextId: `c${at % 2}`,
    status: { state: 'TASK_STATE_WORKING' as const, timestamp },
  };
  await store.put({ ...scope, id: task.id, task, version: 1, seq: 1, epoch: 1 }, [{ seq: 1, task }]);
}

describe('Totals of listings', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('stop at the bound', async () => {
    const store = await storeOf(7, 5);
    expect(await store.list({ limit: 2 }, scope)).toMatchObject({ total: 5, more: true });
    expect((await store.list({ limit: 2, contextId: 'c0' }, scope)).total).toBe(4);
  });

  it('that are beyond the bound are counted again after a while only', async () => {
    const store = await storeOf(5, 5);
    expect((await store.list({ limit: 2 }, scope)).total).toBe(5);
    await store.remove('t0', scope);
    expect((await store.list({ limit: 2 }, scope)).total).toBe(5);
    expect((await store.list({ limit: 2, contextId: 'c0' }, scope)).total).toBe(2);
    vi.advanceTimersByTime(10_000);
    expect((await store.list({ limit: 2 }, scope)).total).toBe(4);
  });

  it('are told where no task is on the page too', async () => {
    const store = await storeOf(3, 5);
    expect(await store.list({ limit: 2, after: { timestamp: 0, id: 'z' } }, scope)).toEqual({
      records: [],
      more: false,
      total: 3,
    });
    expect((await store.list({ limit: 2 }, { agent: 'b' })).total).toBe(0);
  });
});

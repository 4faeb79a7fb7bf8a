import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InMemoryTaskStore } from '../server/in-memory-task-store.js';
import { StoreUnavailableError } from '../server/store-errors.js';
import { FailingTaskStore } from './failing-task-store.js';
import { SlowTaskStore } from './slow-task-store.js';
import { describeTaskStore } from './task-store/describe-task-store.js';
import { TaskWriter } from './task-store/task-writer.js';
import type { TaskStoreCall } from './wrapped-task-store.js';

const scope = { agent: 'agent' };

describe('SlowTaskStore', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('asks late and answers late', async () => {
    const inner = new InMemoryTaskStore();
    const { id, record } = await TaskWriter.create(inner, scope);
    const get = vi.spyOn(inner, 'get');
    const answered = vi.fn();
    void new SlowTaskStore(inner, 40).get(id, scope).then(answered);
    await vi.advanceTimersByTimeAsync(19);
    expect(get).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(get).toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(19);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(answered).toHaveBeenCalledWith(record);
  });

  it('asks for the delay of each call', async () => {
    const calls: TaskStoreCall[] = [];
    const slow = new SlowTaskStore(new InMemoryTaskStore(), (call) => calls.push(call) && 0);
    const all = Promise.all([slow.get('a', scope), slow.get('b', scope), slow.list({ limit: 1 }, scope)]);
    await vi.runAllTimersAsync();
    await all;
    expect(calls).toEqual([
      { method: 'get', count: 1, taskId: 'a' },
      { method: 'get', count: 2, taskId: 'b' },
      { method: 'list', count: 1 },
    ]);
  });
});

describe('FailingTaskStore', () => {
  describeTaskStore(
    'FailingTaskStore that does not fail',
    () => new FailingTaskStore(new InMemoryTaskStore()),
    {
      describe,
      it,
    },
  );

  it('fails on the calls that the rule names, and nothing is stored by them', async () => {
    const store = new FailingTaskStore(
      new InMemoryTaskStore(),
      ({ method, count }) => method === 'put' && count === 2,
    );
    const writer = await TaskWriter.create(store, scope);
    await expect(writer.moveTo('WORKING', 1)).rejects.toThrow('The task store failed: put number 2');
    expect(await store.get(writer.id, scope)).toEqual(writer.record);
    await writer.moveTo('COMPLETED', 2);
    expect(await store.get(writer.id, scope)).toEqual(writer.record);
  });

  it('throws the error of the rule, until there is another rule', async () => {
    const store = new FailingTaskStore(new InMemoryTaskStore());
    store.failWhen(() => new StoreUnavailableError());
    await expect(store.list({ limit: 1 }, scope)).rejects.toThrow(StoreUnavailableError);
    store.failWhen(() => false);
    await expect(store.list({ limit: 1 }, scope)).resolves.toMatchObject({ total: 0 });
  });
});

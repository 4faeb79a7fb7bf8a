import { describe, expect, it } from 'vitest';
import { type TaskState, type TaskEvent } from '../protocol/index.js';
import { describeTaskStore } from '../testing/index.js';
import { InMemoryTaskStore } from './in-memory-task-store.js';
import type { TaskRecord } from './task-record.js';
import { systemScope } from './task-scope.js';

describeTaskStore('InMemoryTaskStore', () => new InMemoryTaskStore(), { describe, it });

const scope = { agent: 'agent', owner: 'a' };

function record(id: string, version = 1, agent = 'agent'): TaskRecord {
  return {
    ...scope,
    agent,
    id,
    version,
    seq: version,
    epoch: 1,
    get task(): never {
      throw new Error('the whole task was read');
    },
  };
}

function whole(id: string, state: TaskState, second: number): TaskEvent {
  return { seq: 1, task: { id, contextId: `c-${id}`, status: statusOf(state, second) } };
}

function statusOf(state: TaskState, second: number) {
  return { state, timestamp: new Date(second * 1000).toISOString() };
}

function update(id: string, state: TaskState, second: number): TaskEvent {
  return { seq: 2, statusUpdate: { taskId: id, contextId: `c-${id}`, status: statusOf(state, second) } };
}

async function idsIn(store: InMemoryTaskStore, agent = 'agent'): Promise<string[]> {
  return (await store.list({ limit: 1000 }, systemScope(agent))).records.map(({ id }) => id);
}

describe('InMemoryTaskStore', () => {
  it('folds the changes and never reads the whole task', async () => {
    const store = new InMemoryTaskStore();
    await store.put(record('t'), [whole('t', 'TASK_STATE_SUBMITTED', 1)]);
    await store.put(record('t', 2), [update('t', 'TASK_STATE_WORKING', 2)]);
    await store.put(record('t', 3), []);
    expect(await store.get('t', scope)).toEqual({
      ...scope,
      id: 't',
      version: 3,
      seq: 3,
      epoch: 1,
      task: { id: 't', contextId: 'c-t', status: statusOf('TASK_STATE_WORKING', 2) },
    });
  });

  it('takes the whole task of a new record whose changes do not hold it', async () => {
    const store = new InMemoryTaskStore();
    const task = { id: 't', status: statusOf('TASK_STATE_WORKING', 1) };
    await store.put({ ...scope, id: 't', version: 1, seq: 0, epoch: 0, task }, []);
    expect((await store.get('t', scope))?.task).toEqual(task);
  });

  it('S-102: a new store is empty', async () => {
    const before = new InMemoryTaskStore();
    await before.put(record('t'), [whole('t', 'TASK_STATE_WORKING', 1)]);
    expect(await new InMemoryTaskStore().get('t', scope)).toBeUndefined();
  });

  it('lists a status without a time as the oldest', async () => {
    const store = new InMemoryTaskStore();
    await store.put(record('none'), [
      { seq: 1, task: { id: 'none', status: { state: 'TASK_STATE_WORKING' } } },
    ]);
    await store.put(record('new'), [whole('new', 'TASK_STATE_WORKING', 1)]);
    expect(await idsIn(store)).toEqual(['new', 'none']);
  });

  describe('finishedTasks', () => {
    it('removes those that finished first, and never one that runs or waits', async () => {
      const store = new InMemoryTaskStore({ finishedTasks: 2 });
      await store.put(record('runs'), [whole('runs', 'TASK_STATE_WORKING', 0)]);
      await store.put(record('waits'), [whole('waits', 'TASK_STATE_INPUT_REQUIRED', 0)]);
      // The second one takes longest, and all finish in one millisecond.
      const finished = { a: 'COMPLETED', c: 'CANCELED', d: 'REJECTED', b: 'FAILED' } as const;
      for (const id of ['a', 'b', 'c', 'd'])
        await store.put(record(id), [whole(id, 'TASK_STATE_WORKING', 1)]);
      for (const [id, state] of Object.entries(finished)) {
        await store.put(record(id, 2), [update(id, `TASK_STATE_${state}`, 10)]);
      }
      expect(await idsIn(store)).toEqual(['b', 'd', 'runs', 'waits']);
      expect(await store.get('a', scope)).toBeUndefined();
      expect((await store.list({ limit: 9, contextId: 'c-a' }, scope)).total).toBe(0);
    });

    it('counts per agent', async () => {
      const store = new InMemoryTaskStore({ finishedTasks: 1 });
      for (const agent of ['one', 'two']) {
        for (const id of ['a', 'b']) {
          await store.put(record(id, 1, agent), [whole(id, 'TASK_STATE_FAILED', id === 'a' ? 1 : 2)]);
        }
        expect(await idsIn(store, agent)).toEqual(['b']);
      }
    });

    it('keeps 10,000 by default and everything under Infinity', async () => {
      const [bounded, unbounded] = [
        new InMemoryTaskStore(),
        new InMemoryTaskStore({ finishedTasks: Infinity }),
      ];
      for (let at = 0; at < 10_001; at++) {
        for (const store of [bounded, unbounded]) {
          await store.put(record(`t${at}`), [whole(`t${at}`, 'TASK_STATE_COMPLETED', at)]);
        }
      }
      expect((await bounded.list({ limit: 1 }, scope)).total).toBe(10_000);
      expect((await unbounded.list({ limit: 1 }, scope)).total).toBe(10_001);
      expect(await bounded.get('t0', scope)).toBeUndefined();
    });

    it('0 keeps none', async () => {
      const store = new InMemoryTaskStore({ finishedTasks: 0 });
      await store.put(record('t'), [whole('t', 'TASK_STATE_COMPLETED', 1)]);
      expect(await idsIn(store)).toEqual([]);
    });

    it.each([-1, NaN])('%d is refused by name', (finishedTasks) => {
      expect(() => new InMemoryTaskStore({ finishedTasks })).toThrow(/^finishedTasks: /);
    });
  });
});

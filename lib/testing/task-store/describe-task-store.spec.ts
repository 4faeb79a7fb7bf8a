import { type TaskEvent } from '../../protocol/index.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { InMemoryTaskStore } from '../../server/in-memory-task-store.js';
import type { TaskRecord } from '../../server/task-record.js';
import { systemScope, type Scope } from '../../server/task-scope.js';
import type { TaskPage, TaskQuery } from '../../server/task-store.js';
import { describeTaskStore } from './describe-task-store.js';

/** Stores that break one promise each. */
const BROKEN: Record<string, () => InMemoryTaskStore> = {
  'shows every task to everybody': () =>
    new (class extends InMemoryTaskStore {
      override get(id: string, scope: Scope): Promise<TaskRecord | undefined> {
        return super.get(id, systemScope(scope.agent));
      }
    })(),
  'hands out its own objects': () => {
    const handedOut = new Map<string, TaskRecord>();
    return new (class extends InMemoryTaskStore {
      override async get(id: string, scope: Scope): Promise<TaskRecord | undefined> {
        const record = await super.get(id, scope);
        if (!record) return undefined;
        const key = `${id} ${record.version}`;
        handedOut.set(key, handedOut.get(key) ?? record);
        return handedOut.get(key);
      }
    })();
  },
  'takes any version': () =>
    new (class extends InMemoryTaskStore {
      override async put(record: TaskRecord, changes: readonly TaskEvent[]): Promise<void> {
        const before = await super.get(record.id, systemScope(record.agent));
        return super.put({ ...record, version: (before?.version ?? 0) + 1 }, changes);
      }
    })(),
  'takes any epoch': () =>
    new (class extends InMemoryTaskStore {
      override put(record: TaskRecord, changes: readonly TaskEvent[]): Promise<void> {
        return super.put({ ...record, epoch: 9 }, changes);
      }
    })(),
  'lists artifacts unasked': () =>
    new (class extends InMemoryTaskStore {
      override list(query: TaskQuery, scope: Scope): Promise<TaskPage> {
        return super.list({ ...query, includeArtifacts: true }, scope);
      }
    })(),
  'counts the page for the total': () =>
    new (class extends InMemoryTaskStore {
      override async list(query: TaskQuery, scope: Scope): Promise<TaskPage> {
        const page = await super.list(query, scope);
        return { ...page, total: page.records.length };
      }
    })(),
  'has a cursor of the time only': () =>
    new (class extends InMemoryTaskStore {
      override list(query: TaskQuery, scope: Scope): Promise<TaskPage> {
        const { after, ...rest } = query;
        return super.list({ ...rest, ...(after && { after: { ...after, id: '\uffff' } }) }, scope);
      }
    })(),
  'lets a message be taken twice': () =>
    new (class extends InMemoryTaskStore {
      override async claimMessage(): Promise<undefined> {
        return undefined;
      }
    })(),
  'forgets the run': () =>
    new (class extends InMemoryTaskStore {
      override put({ run: _, ...record }: TaskRecord, changes: readonly TaskEvent[]): Promise<void> {
        return super.put(record, changes);
      }
    })(),
};

/** Runs the suite outside the test runner and gives the titles that fail. */
async function failuresOf(makeStore: () => InMemoryTaskStore): Promise<string[]> {
  const cases: [string, () => Promise<void>][] = [];
  describeTaskStore('x', makeStore, {
    describe: (_, define) => define(),
    it: (title, run) => cases.push([title, run]),
  });
  const results = await Promise.allSettled(cases.map(([, run]) => run()));
  return cases.filter((_, at) => results[at]?.status === 'rejected').map(([title]) => title);
}

describe('describeTaskStore', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each(Object.entries(BROKEN))('finds a store that %s', async (_, makeStore) => {
    expect(await failuresOf(makeStore)).not.toEqual([]);
  });

  it('passes a good store', async () => {
    expect(await failuresOf(() => new InMemoryTaskStore())).toEqual([]);
  });

  it('uses the globals of the test runner, and says what is missing', () => {
    const [describeGlobal, itGlobal] = [vi.fn((_: string, define: () => void) => define()), vi.fn()];
    vi.stubGlobal('describe', describeGlobal);
    expect(() => describeTaskStore('x', () => new InMemoryTaskStore())).toThrow('pass { describe, it }');
    vi.stubGlobal('it', itGlobal);
    describeTaskStore('x', () => new InMemoryTaskStore());
    expect(describeGlobal).toHaveBeenCalledWith('x as a task store', expect.any(Function));
    expect(itGlobal).toHaveBeenCalled();
  });
});

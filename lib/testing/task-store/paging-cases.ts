import { deepEqual, equal } from 'node:assert/strict';
import type { TaskScope } from '../../server/task-scope.js';
import type { TaskCursor, TaskPage, TaskQuery, TaskStore } from '../../server/task-store.js';
import { cursorOf } from './naive-list.js';
import type { StoreCases } from './store-cases.js';
import { TaskWriter, status } from './task-writer.js';

/** Follows a listing to its end; `between` runs after each page. */
async function pagesOf(
  store: TaskStore,
  query: TaskQuery,
  scope: TaskScope,
  between: (page: TaskPage) => Promise<void> = () => Promise.resolve(),
): Promise<string[][]> {
  const pages: string[][] = [];
  let after: TaskCursor | undefined;
  for (;;) {
    const page = await store.list({ ...query, ...(after && { after }) }, scope);
    pages.push(page.records.map(({ id }) => id));
    await between(page);
    const last = page.records.at(-1);
    if (!page.more || !last) return pages;
    after = cursorOf(last);
  }
}

export const PAGING_CASES: StoreCases = {
  'O-LIST-04: tasks of the same moment are ordered by id, none skipped or repeated': async (store, agent) => {
    const ids = Array.from({ length: 25 }, (_, at) => `t${String((at * 7) % 25).padStart(2, '0')}`);
    for (const id of ids) await TaskWriter.create(store, { agent }, { id });
    const pages = await pagesOf(store, { limit: 10 }, { agent });
    deepEqual(
      pages.map(({ length }) => length),
      [10, 10, 5],
    );
    deepEqual(pages.flat(), [...ids].sort());
    deepEqual(await pagesOf(store, { limit: 10 }, { agent }), pages);
  },

  'the last page says so, also when it is full': async (store, agent) => {
    for (let at = 0; at < 4; at++) await TaskWriter.create(store, { agent });
    for (const limit of [1, 2, 4, 5]) {
      const pages = await pagesOf(store, { limit }, { agent });
      equal(pages.length, Math.ceil(4 / limit));
    }
  },

  'the total is that of all pages, whichever page is asked for': async (store, agent) => {
    for (let at = 0; at < 7; at++) {
      await TaskWriter.create(
        store,
        { agent },
        { contextId: at < 5 ? 'c' : 'd', status: status('WORKING', at) },
      );
    }
    const totals: number[] = [];
    await pagesOf(
      store,
      { limit: 2, contextId: 'c' },
      { agent },
      async ({ total }) => void totals.push(total),
    );
    deepEqual(totals, [5, 5, 5]);
  },

  'filters hold on later pages too': async (store, agent) => {
    const expected: string[] = [];
    for (let at = 0; at < 100; at++) {
      const state = at % 3 === 0 ? 'COMPLETED' : 'WORKING';
      const { id } = await TaskWriter.create(store, { agent }, { contextId: 'c', status: status(state, at) });
      if (at % 3 === 0) expected.unshift(id);
    }
    const query = { limit: 10, status: 'TASK_STATE_COMPLETED', contextId: 'c' } as const;
    deepEqual((await pagesOf(store, query, { agent })).flat(), expected);
  },

  'a task that does not change while paging is seen exactly once': async (store, agent) => {
    const writers: TaskWriter[] = [];
    for (let at = 0; at < 30; at++) {
      writers.push(await TaskWriter.create(store, { agent }, { status: status('WORKING', at >> 2) }));
    }
    const still = writers.filter((_, at) => at % 3 !== 0);
    const restless = writers.filter((_, at) => at % 3 === 0);
    let second = 100;
    const pages = await pagesOf(store, { limit: 4 }, { agent }, async () => {
      await restless.shift()?.moveTo('COMPLETED', second++);
      await TaskWriter.create(store, { agent }, { status: status('SUBMITTED', second++) });
    });
    const seen = pages.flat();
    for (const { id } of still) equal(seen.filter((other) => other === id).length, 1);
  },

  'a listing goes on behind a task that was removed': async (store, agent) => {
    const ids: string[] = [];
    for (let at = 0; at < 6; at++) {
      ids.unshift((await TaskWriter.create(store, { agent }, { status: status('WORKING', at) })).id);
    }
    const pages = await pagesOf(store, { limit: 2 }, { agent }, async ({ records }) => {
      for (const { id } of records) await store.remove(id, { agent });
    });
    deepEqual(pages.flat(), ids);
  },
};

import { deepEqual, equal } from 'node:assert/strict';
import { systemScope } from '../../server/task-scope.js';
import type { TaskStore, TaskQuery } from '../../server/task-store.js';
import { naiveList } from './naive-list.js';
import type { StoreCases } from './store-cases.js';
import { TaskWriter, message, status, timeOf, type StateName } from './task-writer.js';

async function idsOf(store: TaskStore, agent: string, query: Partial<TaskQuery> = {}): Promise<string[]> {
  const { records, total, more } = await store.list({ limit: 100, ...query }, { agent });
  deepEqual([total, more], [records.length, false]);
  return records.map(({ id }) => id);
}

export const LISTING_CASES: StoreCases = {
  'a scope without tasks lists none': async (store, agent) => {
    for (const scope of [{ agent }, { agent, owner: 'a' }, systemScope(agent)]) {
      const { records, total, more } = await store.list({ limit: 10 }, scope);
      deepEqual([records, total, more], [[], 0, false]);
    }
  },

  'S-104: the newest status comes first, and a task that changes its status moves there': async (
    store,
    agent,
  ) => {
    const a = await TaskWriter.create(store, { agent }, { id: 'a', status: status('SUBMITTED', 1) });
    await TaskWriter.create(store, { agent }, { id: 'b', status: status('SUBMITTED', 3) });
    const c = await TaskWriter.create(store, { agent }, { id: 'c', status: status('SUBMITTED', 2) });
    deepEqual(await idsOf(store, agent), ['b', 'c', 'a']);
    await a.moveTo('WORKING', 4);
    await c.put({}, c.artifact({ artifactId: 'x', parts: [{ text: 'no change of status' }] }));
    deepEqual(await idsOf(store, agent), ['a', 'b', 'c']);
  },

  'S-104: artifacts are left out unless asked for, the rest is there': async (store, agent) => {
    const writer = await TaskWriter.create(
      store,
      { agent },
      {
        history: [message('m-1')],
        metadata: { k: 1 },
        artifacts: [{ artifactId: 'first', parts: [{ text: 'x' }] }],
      },
    );
    await writer.put({}, writer.artifact({ artifactId: 'a', parts: [{ text: 'x' }] }));
    const { artifacts: _, ...task } = writer.task;
    for (const query of [{}, { includeArtifacts: false }]) {
      deepEqual((await store.list({ limit: 1, ...query }, { agent })).records, [{ ...writer.record, task }]);
    }
    const { records } = await store.list({ limit: 1, includeArtifacts: true }, { agent });
    deepEqual(records, [writer.record]);
  },

  'the state filter follows the task': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent });
    for (const [second, state] of (
      ['WORKING', 'INPUT_REQUIRED', 'WORKING', 'COMPLETED'] as const
    ).entries()) {
      await writer.moveTo(state, second);
      deepEqual(await idsOf(store, agent, { status: `TASK_STATE_${state}` }), [writer.id]);
      deepEqual(await idsOf(store, agent, { status: 'TASK_STATE_SUBMITTED' }), []);
    }
    deepEqual(await idsOf(store, agent, { status: 'TASK_STATE_WORKING' }), []);
  },

  'the time filter is inclusive and counts milliseconds': async (store, agent) => {
    const at = { ...status('WORKING', 0), timestamp: '2026-01-01T00:00:00.500Z' };
    const { id } = await TaskWriter.create(store, { agent }, { status: at });
    deepEqual(await idsOf(store, agent, { statusTimestampAfter: timeOf(0.5) }), [id]);
    deepEqual(await idsOf(store, agent, { statusTimestampAfter: timeOf(0.501) }), []);
  },

  'every filter and every combination agrees with looking at each task': async (store, agent) => {
    const states: StateName[] = ['WORKING', 'COMPLETED', 'INPUT_REQUIRED'];
    const writers: TaskWriter[] = [];
    for (let at = 0; at < 200; at++) {
      const context = at % 2 === 0 ? 'large' : `c${at % 20}`;
      const writer = await TaskWriter.create(
        store,
        { agent, owner: `o${at % 5 === 0}` },
        { contextId: context },
      );
      await writer.moveTo(states[at % 3] ?? 'WORKING', (at * 37) % 50);
      writers.push(writer);
    }
    for (const writer of writers.slice(50, 60)) await writer.moveTo('CANCELED', 60);
    for (const { id } of writers.splice(0, 20)) await store.remove(id, systemScope(agent));
    const records = writers.map(({ record }) => record);
    for (const scope of [{ agent, owner: 'ofalse' }, { agent, owner: 'otrue' }, systemScope(agent)]) {
      for (const contextId of [undefined, 'large', 'c1', 'c15', 'none']) {
        for (const state of [undefined, ...states, 'CANCELED' as const]) {
          for (const since of [undefined, 0, 25, 100]) {
            const query: TaskQuery = {
              limit: 7,
              ...(contextId !== undefined && { contextId }),
              ...(state && { status: `TASK_STATE_${state}` }),
              ...(since !== undefined && { statusTimestampAfter: timeOf(since) }),
            };
            const page = await store.list(query, scope);
            const { ids, total, more } = naiveList(records, query, scope);
            deepEqual([page.records.map(({ id }) => id), page.total, page.more], [ids, total, more]);
          }
        }
      }
    }
    equal(records.length, 180);
  },
};

import { deepEqual, equal, rejects } from 'node:assert/strict';
import { systemScope } from '../../server/task-scope.js';
import type { StoreCases } from './store-cases.js';
import { leased, TaskWriter } from './task-writer.js';

const CONFLICT = { name: 'TaskVersionConflictError' };

export const WRITING_CASES: StoreCases = {
  'a version that is not the next one is a conflict and changes nothing': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent });
    await writer.moveTo('WORKING', 1);
    for (const version of [1, 2, 4]) {
      await rejects(writer.put({ version }, writer.status('COMPLETED', 2)), CONFLICT);
    }
    deepEqual(await store.get(writer.id, { agent }), writer.record);
    const working = await store.list({ limit: 10, status: 'TASK_STATE_WORKING' }, { agent });
    equal(working.total, 1);
    await writer.moveTo('COMPLETED', 3);
    deepEqual(await store.get(writer.id, { agent }), writer.record);
  },

  'a new task starts at version 1': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent });
    const later = { ...writer.record, id: 'new', version: 2, task: { ...writer.task, id: 'new' } };
    await rejects(store.put(later, [{ seq: 1, task: later.task }]), CONFLICT);
    equal(await store.get('new', { agent }), undefined);
  },

  'a task cannot be made twice, nor taken over by another owner': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent, owner: 'a' });
    for (const owner of ['a', 'b']) {
      await rejects(TaskWriter.create(store, { agent, owner }, { id: writer.id }), CONFLICT);
    }
    await rejects(writer.put({ owner: 'b' }, writer.status('WORKING', 1)), CONFLICT);
    deepEqual(await store.get(writer.id, systemScope(agent)), writer.record);
  },

  'O-CONC-01: of writes at the same time one wins': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent });
    const next = { ...writer.record, version: 2, seq: 2 };
    const puts = Array.from({ length: 10 }, (_, at) =>
      store.put({ ...next, epoch: at + 1 }, [{ seq: 2, ...writer.status('WORKING', at) }]),
    );
    const results = await Promise.allSettled(puts);
    const winner = results.findIndex(({ status }) => status === 'fulfilled');
    equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    const stored = await store.get(writer.id, { agent });
    deepEqual([stored?.version, stored?.epoch], [2, winner + 1]);
  },

  'a writer whose turn was taken over is stale': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent });
    await writer.put({ epoch: 3 });
    await rejects(writer.put({ epoch: 2 }, writer.status('COMPLETED', 1)), { name: 'StaleRunError' });
    deepEqual(await store.get(writer.id, { agent }), writer.record);
  },

  'O-PERS-04: a task that was removed does not come back': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent });
    await store.remove(writer.id, { agent });
    await rejects(writer.put({}, writer.status('COMPLETED', 1)), CONFLICT);
    await rejects(writer.put({}), CONFLICT);
    equal(await store.get(writer.id, systemScope(agent)), undefined);
    const { records, total } = await store.list({ limit: 10 }, { agent });
    deepEqual([records, total], [[], 0]);
  },

  'a put without changes keeps the task': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent });
    await writer.put({}, writer.artifact({ artifactId: 'a', parts: [{ text: 'x' }] }));
    await writer.put({ epoch: 2, run: await leased(store, `w ${agent}`) });
    deepEqual(await store.get(writer.id, { agent }), writer.record);
  },

  'a run ends when a put has none': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent });
    await writer.put({ run: { worker: 'w', leaseUntil: 5 } });
    const { run: _, ...ended } = { ...writer.record, version: 3 };
    await store.put(ended, []);
    deepEqual(await store.get(writer.id, { agent }), ended);
  },
};

import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { TaskEvent } from '../../protocol/index.js';
import { systemScope, type Scope } from '../../server/task-scope.js';
import type { TaskStore } from '../../server/task-store.js';
import { meddle } from './meddle.js';
import { where, type StoreCases } from './store-cases.js';
import { message, TaskWriter } from './task-writer.js';

const ALL = { after: 0, limit: 100 };

function read(store: TaskStore, id: string, scope: Scope, page = ALL) {
  return store.events(id, scope, page);
}

function numbers(events: readonly TaskEvent[] | undefined): number[] | undefined {
  return events?.map(({ seq }) => seq);
}

async function writeFive(store: TaskStore, agent: string): Promise<TaskWriter> {
  const writer = await TaskWriter.create(store, { agent, owner: 'a' }, { metadata: { k: [null] } });
  await writer.put({}, { message: message('m') }, { patch: { metadata: { n: 1 } } });
  await writer.put({}, writer.artifact({ artifactId: 'a', parts: [{ data: { deep: [null] } }] }, true));
  await writer.moveTo('COMPLETED', 4, message('done', 'ROLE_AGENT'));
  return writer;
}

const CASES: StoreCases = {
  'events come back as they were put, in order': async (store, agent) => {
    const scope = { agent, owner: 'a' };
    const writer = await writeFive(store, agent);
    const events = await read(store, writer.id, scope);
    deepEqual(numbers(events), [1, 2, 3, 4, 5]);
    deepEqual(JSON.parse(JSON.stringify(events)), JSON.parse(JSON.stringify(writer.events)));
    deepEqual(await read(store, writer.id, systemScope(agent)), events);
  },

  'a page starts behind a number and has its limit': async (store, agent) => {
    const scope = { agent, owner: 'a' };
    const { id } = await writeFive(store, agent);
    deepEqual(numbers(await read(store, id, scope, { after: 1, limit: 3 })), [2, 3, 4]);
    deepEqual(numbers(await read(store, id, scope, { after: 4, limit: 3 })), [5]);
    deepEqual(numbers(await read(store, id, scope, { after: 5, limit: 3 })), []);
    deepEqual(numbers(await read(store, id, scope, { after: 99, limit: 3 })), []);
  },

  'a task outside of the scope, unknown or removed has no events': async (store, agent) => {
    const { id } = await writeFive(store, agent);
    for (const scope of [{ agent }, { agent, owner: 'b' }, { agent, owner: 'a', tenant: 'a' }])
      equal(await read(store, id, scope), undefined);
    equal(await read(store, id, systemScope(`${agent}-2`)), undefined);
    equal(await read(store, 'no-such-task', systemScope(agent)), undefined);
    await store.remove(id, systemScope(agent));
    equal(await read(store, id, systemScope(agent)), undefined);
  },

  'a put that is refused leaves no events, and one without changes none': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent });
    await writer.put({ epoch: 3 });
    await rejects(writer.put({ version: 9 }, writer.status('WORKING', 1)));
    await rejects(writer.put({ epoch: 2 }, writer.status('WORKING', 1)));
    deepEqual(numbers(await read(store, writer.id, { agent })), [1]);
  },

  'O-PERS-02: events that a store hands out cannot change what it keeps': async (store, agent) => {
    const writer = await writeFive(store, agent);
    meddle(await read(store, writer.id, systemScope(agent)));
    deepEqual(
      JSON.parse(JSON.stringify(await read(store, writer.id, systemScope(agent)))),
      JSON.parse(JSON.stringify(writer.events)),
    );
  },
};

export const EVENT_CASES = where(({ keepsEvents }) => keepsEvents, CASES);

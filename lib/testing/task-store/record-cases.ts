import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Task } from '../../protocol/index.js';
import { systemScope } from '../../server/task-scope.js';
import { meddle } from './meddle.js';
import type { StoreCases } from './store-cases.js';
import { leased, TaskWriter, message, status } from './task-writer.js';

/** A task with every field, and with values that a careless mapping loses. */
const FULL: Partial<Task> = {
  contextId: 'context-ü',
  status: status('INPUT_REQUIRED', 1, { ...message('question', 'ROLE_AGENT'), taskId: 't', contextId: 'c' }),
  artifacts: [
    {
      artifactId: 'a',
      name: 'name',
      description: 'description',
      parts: [
        { text: '' },
        { text: '<b>&"é漢😀\u0001' },
        { raw: 'AAEC/w==', filename: 'f', mediaType: 'application/octet-stream' },
        { url: 'https://example.com/f', metadata: { nested: { null: null } } },
        { data: null },
        { data: { list: [1, null, { deep: [] }], float: 0.1, integer: 9_007_199_254_740_991 } },
        { data: JSON.parse('{"__proto__":{"constructor":1}}') as null },
      ],
      metadata: {},
      extensions: ['urn:one', 'urn:two'],
    },
  ],
  history: [
    { ...message('m-1'), metadata: { k: [null] }, extensions: ['urn:x'], referenceTaskIds: ['other'] },
  ],
  metadata: { key: { null: null, empty: {} } },
};

export const RECORD_CASES: StoreCases = {
  'S-103: get gives what put was given': async (store, agent) => {
    const scope = { agent, tenant: 'tenant', owner: 'owner' };
    const writer = await TaskWriter.create(store, scope);
    await writer.put({ epoch: 7, run: await leased(store, `w ${agent}`) });
    deepEqual(await store.get(writer.id, scope), writer.record);
  },

  'a task that was never put does not exist': async (store, agent) => {
    equal(await store.get('no-such-task', { agent }), undefined);
    equal(await store.get('no-such-task', systemScope(agent)), undefined);
  },

  'O-PERS-03: every field and value of a task comes back as it was': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent }, FULL);
    const stored = await store.get(writer.id, { agent });
    deepEqual(
      JSON.parse(JSON.stringify(stored?.task)),
      JSON.parse(JSON.stringify({ ...FULL, id: writer.id })),
    );
    ok(JSON.stringify(stored?.task).includes('{"__proto__":{"constructor":1}}'));
  },

  'a task has no key for what it does not have': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent });
    const stored = await store.get(writer.id, { agent });
    deepEqual(Object.keys(stored?.task ?? {}).sort(), ['contextId', 'id', 'status']);
    deepEqual(Object.keys(stored ?? {}).sort(), ['agent', 'epoch', 'id', 'seq', 'task', 'version']);
  },

  'O-PERS-02: what a store hands out or was given cannot change what it keeps': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent }, FULL);
    await writer.put(
      { run: await leased(store, `w ${agent}`) },
      writer.artifact({ artifactId: 'b', parts: [] }),
    );
    const given = { ...writer.record, version: 3, run: await leased(store, `v ${agent}`) };
    const expected = structuredClone(given);
    await store.put(given, []);
    meddle(given);
    meddle(await store.get(writer.id, { agent }));
    meddle(await store.list({ limit: 10, includeArtifacts: true }, { agent }));
    deepEqual(await store.get(writer.id, { agent }), expected);
    const { records } = await store.list({ limit: 10, includeArtifacts: true }, { agent });
    deepEqual(records, [expected]);
  },

  'what a store has handed out does not change any more': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent }, FULL);
    const early = await store.get(writer.id, { agent });
    const expected = structuredClone(early);
    await writer.put({}, writer.artifact({ artifactId: 'a', parts: [{ text: 'late' }] }, true));
    await writer.moveTo('COMPLETED', 9);
    deepEqual(early, expected);
  },
};

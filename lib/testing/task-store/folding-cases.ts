import { deepEqual } from 'node:assert/strict';
import type { Part, Task } from '../../protocol/index.js';
import type { TaskStore } from '../../server/task-store.js';
import type { StoreCases } from './store-cases.js';
import { TaskWriter, message, type Change } from './task-writer.js';

const p1: Part = { text: 'p1' };
const p2: Part = { text: 'p2' };
const p3: Part = { text: 'p3' };
const q1: Part = { text: 'q1' };

/** The task as it stands after each change had a put of its own, and after all had one together. */
async function fold(
  store: TaskStore,
  agent: string,
  changesOf: (writer: TaskWriter) => Change[],
): Promise<Task | undefined> {
  const given = { history: [message('m-1')] };
  const [one, all] = [
    await TaskWriter.create(store, { agent }, given),
    await TaskWriter.create(store, { agent }, given),
  ];
  for (const change of changesOf(one)) await one.put({}, change);
  await all.put({}, ...changesOf(all));
  for (const writer of [one, all]) deepEqual(await store.get(writer.id, { agent }), writer.record);
  return (await store.get(one.id, { agent }))?.task;
}

export const FOLDING_CASES: StoreCases = {
  'O-PART-05: appending adds to the artifact with the id, replacing keeps its place': async (
    store,
    agent,
  ) => {
    const task = await fold(store, agent, (writer) => [
      writer.artifact({ artifactId: 'a1', name: 'one', description: 'd', parts: [p1] }),
      writer.artifact({ artifactId: 'a2', parts: [q1] }),
      writer.artifact({ artifactId: 'a1', name: 'two', parts: [p2] }, true),
      writer.artifact({ artifactId: 'a3', parts: [p3] }, true),
      writer.artifact({ artifactId: 'a2', parts: [p3] }, false),
    ]);
    deepEqual(task?.artifacts, [
      { artifactId: 'a1', name: 'two', description: 'd', parts: [p1, p2] },
      { artifactId: 'a2', parts: [p3] },
      { artifactId: 'a3', parts: [p3] },
    ]);
  },

  'O-SEND-10: messages join the history in order, each once': async (store, agent) => {
    const task = await fold(store, agent, () => [
      { message: message('m-2') },
      { message: message('m-2') },
      { message: message('m-3') },
    ]);
    deepEqual(
      task?.history?.map(({ messageId }) => messageId),
      ['m-1', 'm-2', 'm-3'],
    );
  },

  'O-SEND-10: an id that the user uses again for other words loses none of them': async (store, agent) => {
    const other = { ...message('m-1'), parts: [{ text: 'other words' }] };
    const task = await fold(store, agent, () => [{ message: other }, { message: other }]);
    deepEqual(
      task?.history?.map(({ parts }) => parts[0]),
      [{ text: 'm-1' }, { text: 'other words' }],
    );
  },

  'O-SEND-14: a later turn keeps history, artifacts and metadata': async (store, agent) => {
    const task = await fold(store, agent, (writer) => [
      writer.artifact({ artifactId: 'a1', parts: [p1] }),
      { patch: { metadata: { k: 1 } } },
      writer.status('INPUT_REQUIRED', 1),
      { message: message('m-2') },
      { patch: { history: [message('m-1'), message('n-1', 'ROLE_AGENT')] } },
      writer.status('COMPLETED', 2),
    ]);
    deepEqual(task?.artifacts, [{ artifactId: 'a1', parts: [p1] }]);
    deepEqual(
      task?.history?.map(({ messageId }) => messageId),
      ['m-1', 'm-2', 'n-1'],
    );
    deepEqual(task?.metadata, { k: 1 });
  },

  'metadata of a status update joins that of the task, key by key': async (store, agent) => {
    const task = await fold(store, agent, (writer) => [
      { patch: { metadata: { kept: 1, changed: { a: 1 } } } },
      writer.status('WORKING', 1, undefined, { changed: { b: 2 }, added: null }),
      writer.status('COMPLETED', 2),
    ]);
    deepEqual(task?.metadata, { kept: 1, changed: { b: 2 }, added: null });
  },

  'O-SEND-15: a status message joins the history once it is superseded, and once only': async (
    store,
    agent,
  ) => {
    const task = await fold(store, agent, (writer) => [
      writer.status('INPUT_REQUIRED', 1, message('q1', 'ROLE_AGENT')),
      { message: message('m-2') },
      writer.status('WORKING', 2, message('w1', 'ROLE_AGENT')),
      writer.status('WORKING', 3, message('w1', 'ROLE_AGENT')),
      writer.status('COMPLETED', 4, message('done', 'ROLE_AGENT')),
    ]);
    deepEqual(
      task?.history?.map(({ messageId }) => messageId),
      ['m-1', 'q1', 'm-2', 'w1'],
    );
    deepEqual(task?.status.message?.messageId, 'done');
  },

  'O-STREAM-11: 500 appended pieces are all there, in order': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent });
    const pieces = Array.from({ length: 500 }, (_, at): Part => ({ text: `${at}` }));
    for (let at = 0; at < pieces.length; at += 50) {
      const changes = pieces
        .slice(at, at + 50)
        .map((part) => writer.artifact({ artifactId: 'a', parts: [part] }, true));
      await writer.put({}, ...changes);
    }
    await writer.moveTo('COMPLETED', 1);
    const stored = await store.get(writer.id, { agent });
    deepEqual(stored?.task.artifacts, [{ artifactId: 'a', parts: pieces }]);
    deepEqual([stored.version, stored.seq], [12, 502]);
  },
};

import { deepEqual, equal } from 'node:assert/strict';
import { systemScope, type TaskScope } from '../../server/task-scope.js';
import type { StoreCases } from './store-cases.js';
import { status, timeOf, TaskWriter } from './task-writer.js';

/** Scopes that differ, however little. */
function scopesOf(agent: string): TaskScope[] {
  return [
    { agent },
    { agent, owner: '' },
    { agent, owner: 'a' },
    { agent, owner: 'A' },
    { agent, owner: 'null' },
    // What a collation, a pattern or a short column would take for another one.
    { agent, owner: 'a ' },
    { agent, owner: '%' },
    { agent, owner: 'ä' },
    { agent, owner: 'a\u0308' },
    { agent, owner: 'o'.repeat(1_000) },
    { agent, owner: `${'o'.repeat(1_000)}.` },
    // One name in two authorities, as the default resolver writes them.
    { agent, owner: '["https://idp.example.com","dave"]' },
    { agent, owner: '["https://IDP.example.com","dave"]' },
    { agent, owner: '[null,"dave"]' },
    { agent, tenant: '' },
    { agent, tenant: 'a' },
    { agent, tenant: 'a', owner: 'a' },
    { agent, tenant: 'a","a' },
    { agent, tenant: 'b', owner: 'a' },
    { agent: `${agent}-2` },
    { agent: `${agent}-2`, owner: 'a' },
  ];
}

export const SCOPE_CASES: StoreCases = {
  'a task exists in its own scope only; an absent owner or tenant is a scope of its own': async (
    store,
    agent,
  ) => {
    const scopes = scopesOf(agent);
    const writers: TaskWriter[] = [];
    for (const scope of scopes) writers.push(await TaskWriter.create(store, scope, { contextId: 'shared' }));
    for (const [at, scope] of scopes.entries()) {
      const seen: (string | undefined)[] = [];
      for (const { id } of writers) seen.push((await store.get(id, scope))?.id);
      deepEqual(
        seen,
        writers.map(({ id }, other) => (other === at ? id : undefined)),
      );
      for (const filter of [{}, { contextId: 'shared' }, { status: 'TASK_STATE_SUBMITTED' as const }]) {
        const { records, total } = await store.list({ limit: 100, ...filter }, scope);
        deepEqual([records.map(({ id }) => id), total], [[writers[at]?.id], 1]);
      }
    }
  },

  'the system sees every task of one agent': async (store, agent) => {
    const ids = new Map<string, string[]>();
    for (const scope of scopesOf(agent)) {
      const { id } = await TaskWriter.create(store, scope, { contextId: 'shared' });
      ids.set(scope.agent, [...(ids.get(scope.agent) ?? []), id]);
    }
    for (const [name, expected] of ids) {
      const { records, total, more } = await store.list(
        { limit: 100, contextId: 'shared' },
        systemScope(name),
      );
      deepEqual(records.map(({ id }) => id).sort(), expected.sort());
      deepEqual([total, more], [expected.length, false]);
      for (const id of expected) equal((await store.get(id, systemScope(name)))?.id, id);
    }
  },

  'S-121: a listing that goes on behind a task of another owner shows the own tasks only': async (
    store,
    agent,
  ) => {
    const [a, b] = [
      { agent, owner: 'a' },
      { agent, owner: 'b' },
    ];
    const own: string[] = [];
    for (const second of [1, 3, 5]) {
      own.unshift((await TaskWriter.create(store, a, { status: status('WORKING', second) })).id);
    }
    const foreign = await TaskWriter.create(store, b, { status: status('WORKING', 4) });
    const after = { timestamp: timeOf(4), id: foreign.id };
    const { records, total, more } = await store.list({ limit: 10, after }, a);
    deepEqual([records.map(({ id }) => id), total, more], [own.slice(1), 3, false]);
    deepEqual((await store.list({ limit: 10, after }, b)).records, []);
  },

  'two agents may have tasks with the same id': async (store, agent) => {
    const one = await TaskWriter.create(store, { agent }, { id: 'same' });
    const two = await TaskWriter.create(store, { agent: `${agent}-2` }, { id: 'same' });
    await one.moveTo('COMPLETED', 1);
    deepEqual(await store.get('same', { agent }), one.record);
    deepEqual(await store.get('same', { agent: `${agent}-2` }), two.record);
    await store.remove('same', { agent });
    deepEqual(await store.get('same', { agent: `${agent}-2` }), two.record);
  },

  'a task is removed from inside its scope only': async (store, agent) => {
    const scopes = scopesOf(agent);
    const writer = await TaskWriter.create(store, { agent, owner: 'a' });
    for (const scope of scopes.filter(({ owner, tenant }) => owner !== 'a' || tenant !== undefined)) {
      await store.remove(writer.id, scope);
    }
    await store.remove(writer.id, systemScope(`${agent}-2`));
    deepEqual(await store.get(writer.id, { agent, owner: 'a' }), writer.record);
    await store.remove(writer.id, { agent, owner: 'a' });
    equal(await store.get(writer.id, { agent, owner: 'a' }), undefined);
  },

  'the system removes any task, and removing again does nothing': async (store, agent) => {
    const writer = await TaskWriter.create(store, { agent, owner: 'a' });
    const other = await TaskWriter.create(store, { agent, owner: 'a' });
    await store.remove(writer.id, systemScope(agent));
    await store.remove(writer.id, systemScope(agent));
    const { records, total } = await store.list({ limit: 10 }, { agent, owner: 'a' });
    deepEqual([records.map(({ id }) => id), total], [[other.id], 1]);
  },
};

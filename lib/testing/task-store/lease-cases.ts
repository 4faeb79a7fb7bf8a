import { deepEqual, equal, rejects } from 'node:assert/strict';
import { systemScope, type TaskScope } from '../../server/task-scope.js';
import type { TaskRecord, TaskRun } from '../../server/task-record.js';
import type { TaskStore } from '../../server/task-store.js';
import { where, type StoreCases } from './store-cases.js';
import { TaskWriter } from './task-writer.js';

const LONG = 600_000;

/** Makes tasks that a worker drives. */
async function driven(
  store: TaskStore,
  agent: string,
  worker: string,
  count = 1,
  run: Partial<TaskRun> = {},
): Promise<TaskWriter[]> {
  const writers: TaskWriter[] = [];
  for (let n = 0; n < count; n++) {
    const writer = await TaskWriter.create(store, { agent, tenant: 't', owner: `owner ${n}` });
    await writer.put({ run: { worker, leaseUntil: 1, ...run } }, writer.status('WORKING', n));
    writers.push(writer);
  }
  return writers;
}

function ids(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id).sort();
}

const CASES: StoreCases = {
  'a renewal gives how long the lease was before': async (store, agent) => {
    const now = Date.now();
    equal(await store.renewLease(`w ${agent}`, now + LONG), 0);
    equal(await store.renewLease(`w ${agent}`, now + LONG + 5), now + LONG);
    equal(await store.renewLease(`v ${agent}`, now + LONG), 0);
    await store.endLease(`w ${agent}`);
    equal(await store.renewLease(`w ${agent}`, now - 1), 0);
    equal(await store.renewLease(`w ${agent}`, now + LONG), now - 1);
  },

  'a run shows how long the lease of its worker lasts, whatever was put': async (store, agent) => {
    const worker = `w ${agent}`;
    const [until, later] = [Date.now() + LONG, Date.now() + 2 * LONG];
    await store.renewLease(worker, until);
    const [writer] = await driven(store, agent, worker);
    const scope = systemScope(agent);
    equal((await store.get(writer?.id ?? '', scope))?.run?.leaseUntil, until);
    await store.renewLease(worker, later);
    equal((await store.get(writer?.id ?? '', scope))?.run?.leaseUntil, later);
    equal((await store.list({ limit: 1 }, scope)).records[0]?.run?.leaseUntil, later);
    await store.endLease(worker);
    equal((await store.get(writer?.id ?? '', scope))?.run?.leaseUntil, 0);
  },

  'a task whose worker is gone is taken over as it stands': async (store, agent) => {
    const [old, next] = [`w ${agent}`, `v ${agent}`];
    const until = Date.now() + LONG;
    await store.renewLease(old, Date.now() - 1);
    await store.renewLease(next, until);
    const terms = {
      messageId: 'm-1',
      acceptedOutputModes: ['text/plain'],
      metadata: { k: [null, { deep: 'ü' }] },
      call: { identity: 'i', scopes: ['s'], extensions: [], version: '1.0' },
    };
    const [writer] = await driven(store, agent, old, 1, { terms, attempt: 2 });
    const before = writer!.record;
    const taken = {
      ...before,
      version: before.version + 1,
      epoch: before.epoch + 1,
      run: { worker: next, leaseUntil: until, terms, attempt: 2 },
    };
    deepEqual(await store.takeExpired(agent, next, 10), [taken]);
    deepEqual(await store.get(before.id, systemScope(agent)), taken);
    deepEqual(await store.takeExpired(agent, next, 10), []);
  },

  'the worker before cannot write any more': async (store, agent) => {
    const [writer] = await driven(store, agent, `w ${agent}`);
    await store.renewLease(`v ${agent}`, Date.now() + LONG);
    const [taken] = await store.takeExpired(agent, `v ${agent}`, 10);
    const late = { version: (taken?.version ?? 0) + 1 };
    await rejects(writer?.put(late, writer.status('COMPLETED', 9)) ?? Promise.resolve(), {
      name: 'StaleRunError',
    });
    await rejects(writer?.put({}, writer.status('COMPLETED', 9)) ?? Promise.resolve());
    deepEqual(await store.get(taken?.id ?? '', systemScope(agent)), taken);
  },

  'only tasks without a living worker are taken, and only those of the agent': async (store, agent) => {
    const [gone, ended, alive, me] = ['gone', 'ended', 'alive', 'me'].map((name) => `${name} ${agent}`) as [
      string,
      string,
      string,
      string,
    ];
    const until = Date.now() + LONG;
    await store.renewLease(gone, Date.now() - 1);
    for (const worker of [ended, alive, me]) await store.renewLease(worker, until);
    const lost = [
      ...(await driven(store, agent, gone, 2)),
      ...(await driven(store, agent, ended)),
      ...(await driven(store, agent, `never seen ${agent}`)),
    ];
    await store.endLease(ended);
    await driven(store, agent, alive);
    await driven(store, agent, me);
    await driven(store, `${agent}-2`, gone);
    const idle = await TaskWriter.create(store, { agent });
    await idle.moveTo('INPUT_REQUIRED', 1);
    deepEqual(ids(await store.takeExpired(agent, me, 100)), ids(lost));
    equal((await store.takeExpired(`${agent}-2`, me, 100)).length, 1);
  },

  'a worker never takes its own tasks, also when it was away for long': async (store, agent) => {
    const me = `me ${agent}`;
    await store.renewLease(me, Date.now() - 1);
    await driven(store, agent, me);
    deepEqual(await store.takeExpired(agent, me, 10), []);
  },

  'a task that was taken can be taken from its new worker': async (store, agent) => {
    const [one, two] = [`one ${agent}`, `two ${agent}`];
    await driven(store, agent, `w ${agent}`);
    await store.renewLease(one, Date.now() + LONG);
    await store.renewLease(two, Date.now() + LONG);
    const [first] = await store.takeExpired(agent, one, 10);
    deepEqual(await store.takeExpired(agent, two, 10), []);
    await store.endLease(one);
    const [second] = await store.takeExpired(agent, two, 10);
    deepEqual([second?.run?.worker, second?.epoch], [two, (first?.epoch ?? 0) + 1]);
  },

  'turns are counted in their scope, in whatever state they are': async (store, agent) => {
    const run = { worker: `w ${agent}`, leaseUntil: 1 };
    const scope = { agent, tenant: 't', owner: 'o' };
    const make = (at: TaskScope): Promise<TaskWriter> => TaskWriter.create(store, at);
    const [first, second] = [await make(scope), await make(scope)];
    await first.put({ run });
    await second.put({ run }, second.status('WORKING', 1));
    for (const elsewhere of [
      { agent, tenant: 't' },
      { ...scope, owner: 'p' },
      { ...scope, agent: `${agent}-2` },
    ])
      await (await make(elsewhere)).put({ run });
    const ended = await make(scope);
    await ended.moveTo('COMPLETED', 1);
    const waiting = await make(scope);
    await waiting.moveTo('INPUT_REQUIRED', 1);
    equal(await store.countTurns(scope, 10), 2);
    await second.moveTo('FAILED', 2);
    equal(await store.countTurns(scope, 10), 1);
  },

  'several workers that take at once share the tasks, each task once': async (store, agent) => {
    const lost = await driven(store, agent, `w ${agent}`, 12);
    const workers = [1, 2, 3].map((n) => `w${n} ${agent}`);
    for (const worker of workers) await store.renewLease(worker, Date.now() + LONG);
    const taken: TaskRecord[] = [];
    for (let round = 0; taken.length < lost.length && round < 20; round++) {
      const batches = await Promise.all(workers.map((worker) => store.takeExpired(agent, worker, 2)));
      for (const batch of batches) equal(batch.length <= 2, true);
      taken.push(...batches.flat());
    }
    deepEqual(ids(taken), ids(lost));
  },
};

export const LEASE_CASES = where(({ durable }) => durable, CASES);

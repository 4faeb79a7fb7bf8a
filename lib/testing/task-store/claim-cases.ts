import { deepEqual, equal } from 'node:assert/strict';
import type { TaskScope } from '../../server/task-scope.js';
import type { TaskStore } from '../../server/task-store.js';
import { where, type StoreCases } from './store-cases.js';

/** Long enough for any test. */
const LATER = 600_000;

function claim(store: TaskStore, scope: TaskScope, messageId: string, taskId: string, until = LATER) {
  const worker = `worker of ${scope.agent}`;
  return store.claimMessage(scope, messageId, { taskId, worker }, Date.now() + until);
}

const CASES: StoreCases = {
  'a message is taken once, and a later claim gives who has it': async (store, agent) => {
    equal(await claim(store, { agent }, 'm', 't1'), undefined);
    for (const taskId of ['t2', 't1']) {
      const held = await claim(store, { agent }, 'm', taskId);
      deepEqual([held?.taskId, held?.worker], ['t1', `worker of ${agent}`]);
    }
    equal(await claim(store, { agent }, 'other', 't1'), undefined);
  },

  'of claims at the same time one wins': async (store, agent) => {
    const ids = Array.from({ length: 10 }, (_, at) => `t${at}`);
    const all = await Promise.all(ids.map((taskId) => claim(store, { agent }, 'm', taskId)));
    const winner = ids[all.indexOf(undefined)];
    deepEqual(
      all.map((held) => held?.taskId ?? winner),
      ids.map(() => winner),
    );
    equal(all.filter((held) => held === undefined).length, 1);
  },

  'each scope has its own messages': async (store, agent) => {
    const scopes: TaskScope[] = [
      { agent },
      { agent, owner: '' },
      { agent, owner: 'a' },
      { agent, owner: 'A' },
      { agent, owner: 'o'.repeat(1_000) },
      { agent, owner: `${'o'.repeat(1_000)}.` },
      { agent, tenant: 'a' },
      { agent, tenant: 'a', owner: 'a' },
      { agent: `${agent}-2` },
    ];
    for (const [at, scope] of scopes.entries()) equal(await claim(store, scope, 'm', `t${at}`), undefined);
    for (const [at, scope] of scopes.entries())
      equal((await claim(store, scope, 'm', 'x'))?.taskId, `t${at}`);
  },

  'ids are told apart to the letter, however long': async (store, agent) => {
    const ids = ['m', 'M', 'm ', 'ä', 'a\u0308', '%', 'm'.repeat(2_000), `${'m'.repeat(2_000)}.`];
    for (const [at, id] of ids.entries()) equal(await claim(store, { agent }, id, `t${at}`), undefined);
    for (const [at, id] of ids.entries()) equal((await claim(store, { agent }, id, 'x'))?.taskId, `t${at}`);
  },

  'a message is free again once its time is over': async (store, agent) => {
    equal(await claim(store, { agent }, 'm', 't1', -1), undefined);
    equal(await claim(store, { agent }, 'm', 't2'), undefined);
    equal((await claim(store, { agent }, 'm', 't3'))?.taskId, 't2');
  },

  'a message is given up by the task that holds it only': async (store, agent) => {
    await store.releaseMessage({ agent }, 'm', 't1');
    await claim(store, { agent }, 'm', 't1');
    await store.releaseMessage({ agent }, 'm', 't2');
    await store.releaseMessage({ agent, owner: 'a' }, 'm', 't1');
    equal((await claim(store, { agent }, 'm', 't2'))?.taskId, 't1');
    await store.releaseMessage({ agent }, 'm', 't1');
    equal(await claim(store, { agent }, 'm', 't2'), undefined);
  },

  'a claim tells how long the lease of its worker lasts': async (store, agent) => {
    const [worker, until] = [`worker of ${agent}`, Date.now() + LATER];
    await store.renewLease(worker, until);
    await claim(store, { agent }, 'm', 't1');
    const held = await claim(store, { agent }, 'm', 't2');
    equal(held?.leaseUntil, store.durable ? until : Number.MAX_SAFE_INTEGER);
    if (!store.durable) return;
    await store.endLease(worker);
    equal((await claim(store, { agent }, 'm', 't2'))?.leaseUntil, 0);
  },
};

export const CLAIM_CASES = where(({ claimsMessages }) => claimsMessages, CASES);

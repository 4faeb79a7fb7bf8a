import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { isA2AError } from '../../protocol/index.js';
import type {
  PushConfigRecord,
  PushNotificationConfigStore,
} from '../../push/push-notification-config-store.js';
import { systemScope, type Scope, type TaskScope } from '../../server/task-scope.js';

/** Cases by what they promise. Each gets a store, and the name of an agent that has nothing in it yet. */
type Cases = Record<string, (store: PushNotificationConfigStore, agent: string) => Promise<void>>;

const LIMIT = 100;

export const PUSH_CONFIG_CASES: Cases = {
  'gives back what it was given, and nothing that is not there': async (store, agent) => {
    const scope = { agent, tenant: 'acme', owner: 'a' };
    const record = recordOf(scope, 't', 'c', {
      tenant: 'acme',
      token: 'tk',
      authentication: { scheme: 'Bearer', credentials: 'é' },
    });
    await store.put(record, LIMIT);
    deepEqual(await store.get('t', 'c', scope), record);
    deepEqual(await pageOf(store, 't', scope), [record]);
    equal(await store.get('t', 'd', scope), undefined);
    equal(await store.get('u', 'c', scope), undefined);
    deepEqual(await store.list('u', scope, { limit: 10 }), { configs: [], hasMore: false });
  },

  'a config with the same task and id is replaced whole': async (store, agent) => {
    await store.put(recordOf({ agent }, 't', 'c', { token: 'tk' }), 1);
    const second = { ...recordOf({ agent }, 't', 'c'), version: '0.3' };
    await store.put(second, 1);
    deepEqual(await pageOf(store, 't', { agent }), [second]);
  },

  'two tasks, and two agents, may have configs with the same id': async (store, agent) => {
    const records = [
      recordOf({ agent }, 't', 'c'),
      recordOf({ agent }, 'u', 'c'),
      recordOf({ agent: `${agent}-2` }, 't', 'c'),
    ];
    for (const record of records) await store.put(record, LIMIT);
    await store.remove('t', 'c', { agent });
    deepEqual(await pageOf(store, 't', { agent }), []);
    deepEqual(await pageOf(store, 'u', { agent }), [records[1]]);
    deepEqual(await pageOf(store, 't', { agent: `${agent}-2` }), [records[2]]);
  },

  'a config exists in its own scope, and for the system': async (store, agent) => {
    const scope = { agent, tenant: 'acme', owner: 'a' };
    const record = recordOf(scope, 't', 'c');
    await store.put(record, LIMIT);
    const others: Scope[] = [
      { agent },
      { agent, tenant: 'acme' },
      { agent, owner: 'a' },
      { agent, tenant: 'acme', owner: 'b' },
      { agent, tenant: '', owner: 'a' },
      systemScope(`${agent}-2`),
    ];
    for (const other of others) {
      equal(await store.get('t', 'c', other), undefined);
      deepEqual(await pageOf(store, 't', other), []);
      await store.remove('t', 'c', other);
      await store.remove('t', undefined, other);
    }
    for (const inside of [scope, systemScope(agent)]) {
      deepEqual(await store.get('t', 'c', inside), record);
      deepEqual(await pageOf(store, 't', inside), [record]);
    }
  },

  'removes one config, or all of a task; removing again does nothing': async (store, agent) => {
    for (const id of ['c1', 'c2', 'c3']) await store.put(recordOf({ agent }, 't', id), LIMIT);
    await store.put(recordOf({ agent }, 'u', 'c1'), LIMIT);
    for (let times = 0; times < 2; times++) {
      await store.remove('t', 'c2', { agent });
      deepEqual(await idsOf(store, 't', { agent }), ['c1', 'c3']);
    }
    for (let times = 0; times < 2; times++) {
      await store.remove('t', undefined, systemScope(agent));
      deepEqual(await idsOf(store, 't', { agent }), []);
    }
    deepEqual(await idsOf(store, 'u', { agent }), ['c1']);
  },

  'pages are ordered by id, without gaps and repetitions': async (store, agent) => {
    const ids = Array.from({ length: 7 }, (_, n) => `c${n}`);
    for (const id of [...ids].reverse()) await store.put(recordOf({ agent }, 't', id), LIMIT);
    const seen: string[] = [];
    for (let after: string | undefined, hasMore = true; hasMore; after = seen.at(-1)) {
      const page = await store.list('t', { agent }, { ...(after !== undefined && { after }), limit: 3 });
      ok(page.configs.length <= 3);
      seen.push(...page.configs.map(({ config }) => config.id));
      hasMore = page.hasMore;
    }
    deepEqual(seen, ids);
    deepEqual((await store.list('t', { agent }, { limit: 7 })).hasMore, false);
    // A config that is gone still has its place.
    await store.remove('t', 'c3', { agent });
    const behind = await store.list('t', { agent }, { after: 'c3', limit: 1 });
    deepEqual([behind.configs.map(({ config }) => config.id), behind.hasMore], [['c4'], true]);
  },

  'a task has as many configs as the limit says, also when they come at once': async (store, agent) => {
    const puts = Array.from({ length: 20 }, (_, n) => store.put(recordOf({ agent }, 't', `c${n}`), 5));
    const outcomes = await Promise.allSettled(puts);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    equal(refused.length, 15);
    for (const { reason } of refused) ok(isA2AError(reason) && reason.name === 'ResourceExhaustedError');
    const ids = await idsOf(store, 't', { agent });
    equal(ids.length, 5);
    // Those that it has can be replaced, and another task is not concerned.
    await store.put(recordOf({ agent }, 't', ids[0] ?? ''), 5);
    await store.put(recordOf({ agent }, 'u', 'c'), 5);
    await rejects(store.put(recordOf({ agent }, 't', 'another'), 5));
    await store.remove('t', ids[0], { agent });
    await store.put(recordOf({ agent }, 't', 'another'), 5);
  },

  'what goes in and what comes out cannot be used to change what is kept': async (store, agent) => {
    const given = recordOf({ agent }, 't', 'c', { authentication: { scheme: 'Bearer' } });
    const expected = structuredClone(given);
    await store.put(given, LIMIT);
    meddleWith(given);
    for (const record of [await store.get('t', 'c', { agent }), ...(await pageOf(store, 't', { agent }))]) {
      deepEqual(record, expected);
      if (record) meddleWith(record);
    }
    deepEqual(await store.get('t', 'c', { agent }), expected);
  },
};

function recordOf(
  scope: TaskScope,
  taskId: string,
  id: string,
  more: Partial<PushConfigRecord['config']> = {},
): PushConfigRecord {
  return {
    ...scope,
    config: { id, taskId, url: `https://hook.example.com/${taskId}/${id}`, ...more },
    version: '1.0',
  };
}

async function pageOf(
  store: PushNotificationConfigStore,
  taskId: string,
  scope: Scope,
): Promise<readonly PushConfigRecord[]> {
  return (await store.list(taskId, scope, { limit: LIMIT })).configs;
}

async function idsOf(store: PushNotificationConfigStore, taskId: string, scope: Scope): Promise<string[]> {
  return (await pageOf(store, taskId, scope)).map(({ config }) => config.id);
}

/** Changes what it can. */
function meddleWith({ config }: PushConfigRecord): void {
  for (const change of [
    () => Object.assign(config, { url: 'https://evil.example.com' }),
    () => config.authentication && Object.assign(config.authentication, { scheme: 'Evil' }),
  ]) {
    try {
      change();
    } catch {
      // It is frozen, which is as good.
    }
  }
}

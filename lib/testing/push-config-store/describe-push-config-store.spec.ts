import { describe, expect, it } from 'vitest';
import { InMemoryPushConfigStore } from '../../push/in-memory-push-config-store.js';
import type { PushConfigPage, PushConfigRecord } from '../../push/push-notification-config-store.js';
import { systemScope, type Scope } from '../../server/task-scope.js';
import { describePushNotificationConfigStore } from './describe-push-config-store.js';

/** Stores that break one promise each. */
const BROKEN: Record<string, () => InMemoryPushConfigStore> = {
  'shows every config to everybody': () =>
    new (class extends InMemoryPushConfigStore {
      override get(taskId: string, id: string, scope: Scope) {
        return super.get(taskId, id, systemScope(scope.agent));
      }
    })(),
  'hands out what it keeps': () => {
    const kept = new Map<string, PushConfigRecord>();
    return new (class extends InMemoryPushConfigStore {
      override async get(taskId: string, id: string, scope: Scope) {
        const record = await super.get(taskId, id, scope);
        if (!record) return undefined;
        if (!kept.has(id)) kept.set(id, structuredClone(record));
        return kept.get(id);
      }
    })();
  },
  'counts before it waits': () =>
    new (class extends InMemoryPushConfigStore {
      override async put(record: PushConfigRecord, limit: number) {
        const { configs } = await this.list(record.config.taskId, record, { limit: 1_000 });
        return super.put(record, configs.length < limit ? Infinity : limit);
      }
    })(),
  'repeats the last config of a page': () =>
    new (class extends InMemoryPushConfigStore {
      override async list(
        taskId: string,
        scope: Scope,
        page: { readonly after?: string; readonly limit: number },
      ): Promise<PushConfigPage> {
        const { after, limit } = page;
        const all = (await super.list(taskId, scope, { limit: 1_000 })).configs;
        const start = after === undefined ? 0 : all.findIndex(({ config }) => config.id === after);
        return { configs: all.slice(start, start + limit), hasMore: start + limit < all.length };
      }
    })(),
  'forgets the version': () =>
    new (class extends InMemoryPushConfigStore {
      override put(record: PushConfigRecord, limit: number) {
        return super.put({ ...record, version: '1.0' }, limit);
      }
    })(),
  'removes nothing without an id': () =>
    new (class extends InMemoryPushConfigStore {
      override async remove(taskId: string, id: string | undefined, scope: Scope) {
        if (id !== undefined) await super.remove(taskId, id, scope);
      }
    })(),
};

/** Runs the suite outside the test runner and gives the titles that fail. */
async function failuresOf(makeStore: () => InMemoryPushConfigStore): Promise<string[]> {
  const cases: [string, () => Promise<void>][] = [];
  describePushNotificationConfigStore('x', makeStore, {
    describe: (_, define) => define(),
    it: (title, run) => cases.push([title, run]),
  });
  const results = await Promise.allSettled(cases.map(([, run]) => run()));
  return cases.filter((_, at) => results[at]?.status === 'rejected').map(([title]) => title);
}

describe('describePushNotificationConfigStore', () => {
  it.each(Object.entries(BROKEN))('finds a store that %s', async (_, makeStore) => {
    expect(await failuresOf(makeStore)).not.toEqual([]);
  });
});

describePushNotificationConfigStore('InMemoryPushConfigStore', () => new InMemoryPushConfigStore(), {
  describe,
  it,
});

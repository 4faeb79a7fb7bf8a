import type { TaskEvent, TaskRecord, TaskState } from 'nest-a2a';
import { systemScope } from 'nest-a2a';
import { A2ADatabase, SqlPushNotificationConfigStore, SqlTaskStore } from 'nest-a2a/sql';
import { expect, it, onTestFinished } from 'vitest';
import { describeDurable } from '../faults/describe-durable.js';

const HOUR = 3_600_000;
const agent = 'a';

describeDurable('Old tasks', (makeDatabase) => {
  async function open(url: string) {
    const database = await A2ADatabase.open(url, { migrate: true });
    onTestFinished(() => database.close());
    const keep = { TASK_STATE_COMPLETED: HOUR, TASK_STATE_INPUT_REQUIRED: HOUR };
    return {
      tasks: new SqlTaskStore(database, { retention: { keep, batchSize: 2 } }),
      webhooks: new SqlPushNotificationConfigStore(database),
    };
  }

  const left = async (tasks: SqlTaskStore) =>
    (await tasks.list({ limit: 100 }, systemScope(agent))).records.map(({ id }) => id).sort();

  /** A task that has been in a state for two hours. */
  async function old(tasks: SqlTaskStore, id: string, state: TaskState = 'TASK_STATE_COMPLETED') {
    const timestamp = new Date(Date.now() - 2 * HOUR).toISOString();
    const task = { id, contextId: 'c', status: { state, timestamp } };
    const record: TaskRecord = { agent, id, task, version: 1, seq: 1, epoch: 1 };
    await tasks.put(record, [{ seq: 1, task }]);
    return (fields: Partial<TaskRecord>, ...events: TaskEvent[]) =>
      tasks.put({ ...record, version: 2, seq: 2, ...fields }, events);
  }

  it('stay while somebody goes on with them, and go once nobody does', async () => {
    const { tasks } = await open(await makeDatabase());
    await old(tasks, 'idle', 'TASK_STATE_INPUT_REQUIRED');
    const put = await old(tasks, 'continued', 'TASK_STATE_INPUT_REQUIRED');
    const leaseUntil = Date.now() + HOUR;
    await tasks.renewLease('w', leaseUntil);
    await put({ seq: 1, epoch: 2, run: { worker: 'w', leaseUntil } });
    await tasks.removeOld();
    expect(await left(tasks)).toEqual(['continued']);
    await tasks.endLease('w');
    await tasks.removeOld();
    expect(await left(tasks)).toEqual([]);
  });

  it('stay until their webhooks have heard of everything, and hold up no others', async () => {
    const { tasks, webhooks } = await open(await makeDatabase());
    for (const id of ['waits', 'waits too', 'waits as well', 'told', 'without']) {
      const put = await old(tasks, id);
      if (id === 'without') continue;
      const config = { taskId: id, id: 'c', url: 'https://hook.example' };
      await webhooks.put({ agent, config, version: '1.0' }, 10);
      const status = { state: 'TASK_STATE_COMPLETED' as const, timestamp: '2020-01-01T00:00:00.000Z' };
      await put({}, { seq: 2, statusUpdate: { taskId: id, contextId: 'c', status } });
    }
    const claims = await webhooks.claim(agent, 'w', { limit: 10 });
    const told = async (id: string) => {
      const claim = claims.find(({ record }) => record.config.taskId === id)!;
      expect(await webhooks.advance('w', claim, 2)).toBeUndefined();
    };
    await told('told');
    await tasks.removeOld();
    expect(await left(tasks)).toEqual(['waits', 'waits as well', 'waits too']);
    for (const id of await left(tasks)) await told(id);
    await tasks.removeOld();
    expect(await left(tasks)).toEqual([]);
  });

  it('are removed once by processes that do it at the same time', async () => {
    const url = await makeDatabase();
    const stores = await Promise.all([open(url), open(url)]);
    const gone: string[] = [];
    for (const { tasks } of stores) tasks.onRemoval(({ id }) => gone.push(id));
    const ids = Array.from({ length: 20 }, (_, at) => `t${String(at).padStart(2, '0')}`);
    for (const id of ids) await old(stores[0].tasks, id);
    await Promise.all(stores.map(({ tasks }) => tasks.removeOld()));
    expect(gone.sort()).toEqual(ids);
  });
});

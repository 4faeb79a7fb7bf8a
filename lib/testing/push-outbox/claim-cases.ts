import { deepEqual, equal, ok } from 'node:assert/strict';
import type { ClaimedWebhook } from '../../push/outbox/push-outbox.js';
import { systemScope } from '../../server/task-scope.js';
import { message } from '../task-store/task-writer.js';
import { LONG, type OutboxCases } from './outbox-bench.js';

export const CLAIM_CASES: OutboxCases = {
  'a webhook waits once its task has changed, and from where the task was when it was made': async (
    bench,
  ) => {
    const task = await bench.task();
    const record = await bench.webhook(task.id);
    deepEqual(await bench.claim('w'), []);
    await task.put({}, task.status('WORKING', 1), task.status('COMPLETED', 2));
    const [claimed, ...more] = await bench.claim('w');
    deepEqual(claimed, { uid: claimed?.uid, record, delivered: 1, target: 3 });
    deepEqual(more, []);
  },

  'a webhook that is there before its task misses nothing': async (bench) => {
    const { id } = await bench.task();
    await bench.tasks.remove(id, systemScope(bench.agent));
    await bench.webhook('later');
    const task = { id: 'later', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' as const } };
    const record = { agent: bench.agent, id: 'later', task, version: 1, seq: 1, epoch: 1 };
    await bench.tasks.put(record, [{ seq: 1, task }]);
    const [claimed] = await bench.claim('w');
    deepEqual([claimed?.delivered, claimed?.target], [0, 1]);
  },

  'what streams do not show is nothing to wait for': async (bench) => {
    const task = await bench.task();
    await bench.webhook(task.id);
    await task.put({}, { message: message('m-1') }, { patch: { metadata: {} } });
    deepEqual(await bench.claim('w'), []);
    await task.put({}, task.status('WORKING', 1), { message: message('m-2') });
    const [claimed] = await bench.claim('w');
    equal(claimed?.delivered, 1);
    // It may be as far as the task is.
    ok(claimed.target >= 4);
  },

  'a put that is refused leaves nothing to wait for': async (bench) => {
    const task = await bench.task();
    await bench.webhook(task.id);
    await task.put({ version: 7 }, task.status('WORKING', 1)).catch(() => undefined);
    deepEqual(await bench.claim('w'), []);
  },

  'is claimed by one worker at a time, also when many ask at once': async (bench) => {
    const tasks = await Promise.all([1, 2, 3].map(() => bench.task()));
    for (const task of tasks) {
      for (const id of ['c1', 'c2']) await bench.webhook(task.id, id);
      await task.moveTo('WORKING', 1);
    }
    const workers = Array.from({ length: 6 }, (_, n) => `w${n}`);
    const claims = (await Promise.all(workers.map((worker) => bench.claim(worker)))).flat();
    equal(new Set(claims.map(({ uid }) => uid)).size, 6);
    equal(claims.length, 6);
  },

  'claims are for one agent, of the tasks that are named, and at most so many': async (bench) => {
    const [one, two] = [await bench.task(), await bench.task()];
    for (const task of [one, two]) {
      await bench.webhook(task.id);
      await task.moveTo('WORKING', 1);
    }
    deepEqual(await bench.outbox.claim(`${bench.agent}-2`, 'w', { limit: 10 }), []);
    deepEqual(await bench.claim('w', { taskIds: ['none'] }), []);
    const named = await bench.claim('w', { taskIds: [two.id, 'none'] });
    deepEqual(
      named.map(({ record }) => record.config.taskId),
      [two.id],
    );
    equal((await bench.claim('w', { limit: 1 })).length, 1);
    deepEqual(await bench.claim('w'), []);
  },

  'a cursor moves event by event, and the claim ends where nothing more waits': async (bench) => {
    const task = await bench.task();
    await bench.webhook(task.id);
    await task.put({}, task.status('WORKING', 1), task.status('WORKING', 2));
    const first = await bench.claimOne('w');
    const second = await bench.advance('w', first, 2);
    deepEqual(second, { ...first, delivered: 2 });
    // What comes meanwhile joins what waits.
    await task.moveTo('COMPLETED', 3);
    deepEqual(await bench.claim('x'), []);
    const third = await bench.advance('w', second ?? first, 3);
    deepEqual(third, { ...first, delivered: 3, target: 4 });
    equal(await bench.advance('w', third ?? first, 4), undefined);
    deepEqual(await bench.claim('x'), []);
    deepEqual(await bench.outbox.renew(bench.agent, 'w', LONG), []);
  },

  'a claim runs out, and with it every right': async (bench) => {
    const task = await bench.task();
    await bench.webhook(task.id);
    await task.moveTo('WORKING', 1);
    const lost = await bench.claimOne('dead', 1);
    const claimed = await bench.claimOne('alive');
    deepEqual(claimed, lost);
    equal(await bench.advance('dead', lost, 2), undefined);
    deepEqual(await bench.outbox.renew(bench.agent, 'dead', LONG), []);
    await bench.outbox.release(bench.agent, 'dead');
    deepEqual(await bench.claim('other'), []);
    deepEqual(await bench.outbox.renew(bench.agent, 'alive', LONG), [claimed]);
  },

  'renewing holds everything that a worker has, and shows it as it is now': async (bench) => {
    const task = await bench.task();
    for (const id of ['a', 'b', 'c']) await bench.webhook(task.id, id);
    await task.moveTo('WORKING', 1);
    await bench.claim('w');
    await task.moveTo('COMPLETED', 2);
    await bench.webhook(task.id, 'b', 'https://new.example.com/');
    await bench.outbox.remove(task.id, 'c', { agent: bench.agent });
    const held = await bench.outbox.renew(bench.agent, 'w', LONG);
    deepEqual(
      [...held]
        .sort(byId)
        .map(({ record: { config }, delivered, target }) => [config.url, delivered, target]),
      [
        ['https://hook.example.com/path', 1, 3],
        ['https://new.example.com/', 1, 3],
      ],
    );
  },

  'what is released can be claimed at once': async (bench) => {
    const task = await bench.task();
    for (const id of ['a', 'b']) await bench.webhook(task.id, id);
    await task.moveTo('WORKING', 1);
    const claimed = await bench.claim('w');
    deepEqual(await bench.claim('x'), []);
    await bench.outbox.release(bench.agent, 'w');
    deepEqual([...(await bench.claim('x'))].sort(byId), [...claimed].sort(byId));
  },

  'a webhook that is replaced keeps its place and its uid': async (bench) => {
    const task = await bench.task();
    await bench.webhook(task.id);
    await task.moveTo('WORKING', 1);
    const before = await bench.claimOne('w');
    const record = await bench.webhook(task.id, 'c', 'https://new.example.com/');
    await bench.outbox.release(bench.agent, 'w');
    deepEqual(await bench.claimOne('x'), { ...before, record });
  },

  'a webhook that is deleted waits for nothing; made again it is another one': async (bench) => {
    const task = await bench.task();
    await bench.webhook(task.id);
    await task.moveTo('WORKING', 1);
    const before = await bench.claimOne('w');
    await bench.outbox.remove(task.id, 'c', { agent: bench.agent });
    equal(await bench.advance('w', before, 2), undefined);
    await bench.webhook(task.id);
    deepEqual(await bench.claim('w'), []);
    await task.moveTo('COMPLETED', 2);
    const after = await bench.claimOne('w');
    ok(after.uid !== before.uid);
    equal(after.delivered, 2);
  },

  'webhooks go with their task': async (bench) => {
    const task = await bench.task();
    await bench.webhook(task.id);
    await task.moveTo('WORKING', 1);
    await bench.tasks.remove(task.id, { agent: bench.agent });
    deepEqual(await bench.claim('w'), []);
    equal(await bench.outbox.get(task.id, 'c', { agent: bench.agent }), undefined);
  },
};

function byId(a: ClaimedWebhook, b: ClaimedWebhook): number {
  return a.record.config.id < b.record.config.id ? -1 : 1;
}

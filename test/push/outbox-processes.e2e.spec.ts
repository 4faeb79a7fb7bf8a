import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import {
  A2ADeadLetters,
  InMemoryTaskStore,
  StoreUnavailableError,
  type AgentExecutor,
  type ClaimedWebhook,
  type TaskPushNotificationConfig,
  type TaskStore,
} from 'nest-a2a';
import { SqlPushNotificationConfigStore, SqlTaskStore, type A2ADatabase } from 'nest-a2a/sql';
import { FailingTaskStore } from 'nest-a2a/testing';
import { deferred, startAgent, type AgentOptions, type TestAgent } from '../support/index.js';
import { openDatabase, storesIn } from '../support/sql-stores.js';
import { LOOPBACK, Webhook } from '../support/webhook.js';
import { silence, statuses } from './webhook-receiver.js';

const threeChanges: AgentExecutor['execute'] = async (_context, task) => {
  await task.working();
  await task.complete();
};
const ALL = ['SUBMITTED', 'WORKING', 'COMPLETED'];

/** An application that stands for a process. It looks for what others left all the time. */
function start(database: A2ADatabase, options: AgentOptions = {}): Promise<TestAgent> {
  const { pushNotifications, ...others } = options;
  return startAgent({
    adapter: 'express',
    binding: 'http-json',
    ...storesIn(database),
    pushNotifications: { ...LOOPBACK, retryConfig: false, pollInterval: 20, ...pushNotifications },
    execute: threeChanges,
    ...others,
  });
}

/** Sends a message with a webhook and gives the id of the task. */
async function send(agent: TestAgent, { url }: Webhook, id = 'c'): Promise<string> {
  const config: TaskPushNotificationConfig = { id, url, token: 'the-token' };
  return (await agent.send('go', { taskPushNotificationConfig: config }).task()).id;
}

function idsOf({ posts }: Webhook): unknown[] {
  return posts.map(({ headers }) => headers['x-a2a-notification-id']);
}

/** A store whose process dies before the `count`-th cursor is moved, or which is away at that time. */
class Failing extends SqlPushNotificationConfigStore {
  count = 0;
  readonly reached = deferred();

  constructor(
    database: A2ADatabase,
    private readonly fails: (count: number) => boolean,
  ) {
    super(database);
  }

  override async advance(...args: Parameters<SqlPushNotificationConfigStore['advance']>) {
    if (this.fails(++this.count)) {
      this.reached.resolve();
      throw new StoreUnavailableError();
    }
    return super.advance(...args);
  }
}

it('a restart delivers what the process before has not, in order, and nothing twice', async () => {
  const database = await openDatabase();
  const webhook = await Webhook.start((response, _post, index) => {
    if (index > 0) response.end();
  });
  const before = await start(database);
  await send(before, webhook);
  await webhook.received(1);
  await before.close();
  await start(database);
  // The first had no answer, so it comes again.
  await webhook.received(4);
  expect(webhook.states).toEqual(['SUBMITTED', ...ALL]);
  const ids = idsOf(webhook);
  expect([ids[1], new Set(ids).size]).toEqual([ids[0], 3]);
});

it('a process that dies between a delivery and the record of it: once more, under the same id', async () => {
  const database = await openDatabase();
  const webhook = await Webhook.start();
  const store = new Failing(database, (count) => count >= 2);
  const dead = await start(database, {
    pushNotificationConfigStore: store,
    pushNotifications: { claimLease: 200 },
  });
  await send(dead, webhook);
  await store.reached.promise;
  // It renews nothing any more.
  store.renew = () => Promise.reject(new StoreUnavailableError());
  await start(database);
  await webhook.received(4);
  expect(webhook.states).toEqual(['SUBMITTED', 'WORKING', 'WORKING', 'COMPLETED']);
  const ids = idsOf(webhook);
  expect([ids[2], new Set(ids).size]).toEqual([ids[1], 3]);
});

it('two processes share the work: each change is told once, and in order', async () => {
  const database = await openDatabase();
  const webhooks = await Promise.all(Array.from({ length: 8 }, () => Webhook.start()));
  const agents = await Promise.all([start(database), start(database)]);
  await Promise.all(webhooks.flatMap((webhook, at) => send(agents[at % 2]!, webhook)));
  for (const webhook of webhooks) {
    await webhook.received(3);
    expect(webhook.states).toEqual(ALL);
  }
  await Promise.all(agents.map((agent) => agent.close()));
  for (const webhook of webhooks) expect(new Set(idsOf(webhook)).size).toBe(3);
});

it('one process delivers what another one that has lost its lease was about to, and that one stops', async () => {
  const database = await openDatabase();
  const open: ServerResponse[] = [];
  const webhook = await Webhook.start((response, _post, index) => {
    if (index === 0) open.push(response);
    else response.end();
  });
  const store = new Failing(database, () => false);
  const slow = await start(database, {
    pushNotificationConfigStore: store,
    pushNotifications: { claimLease: 150 },
  });
  await send(slow, webhook);
  await webhook.received(1);
  const aborted = new Promise((resolve) => open[0]!.once('close', resolve));
  const renew = store.renew.bind(store);
  store.renew = () => Promise.reject(new StoreUnavailableError());
  await start(database);
  await webhook.received(4);
  store.renew = renew;
  await aborted;
  expect(webhook.states).toEqual(['SUBMITTED', ...ALL]);
  expect(webhook.posts).toHaveLength(4);
});

it('a webhook that hangs holds up itself alone', async () => {
  const database = await openDatabase();
  const [hanging, other] = [await Webhook.start(silence), await Webhook.start()];
  const agent = await start(database);
  const id = await send(agent, hanging, 'a');
  await agent.call('createTaskPushNotificationConfig', { taskId: id, id: 'b', url: other.url }).result();
  await send(agent, other);
  await other.received(3);
  await hanging.received(1);
});

it('a database that is away is waited for: nothing is lost, and the log has a line for each end', async () => {
  const database = await openDatabase();
  const webhook = await Webhook.start();
  let failures = 0;
  const isAway = () => store.count > 0 && failures < 3;
  class Away extends Failing {
    override claim(...args: Parameters<SqlPushNotificationConfigStore['claim']>) {
      return isAway() ? Promise.reject(new StoreUnavailableError()) : super.claim(...args);
    }
    override renew(...args: Parameters<SqlPushNotificationConfigStore['renew']>) {
      return isAway() ? Promise.reject(new StoreUnavailableError()) : super.renew(...args);
    }
  }
  const store: Failing = new Away(database, () => ++failures < 3);
  const agent = await start(database, { pushNotificationConfigStore: store });
  await send(agent, webhook);
  await webhook.received(3);
  expect(webhook.states).toEqual(ALL);
  await expect.poll(() => store.count).toBe(5);
  const lines = agent.log.lines.filter((line) => line.includes('the store'));
  expect(lines).toEqual([
    expect.stringContaining('Push notifications wait, since the store does not answer'),
    expect.stringContaining('Push notifications: the store answers again'),
  ]);
});

it('dead letters are listed without secrets, and sent again to the webhook as it is by then', async () => {
  const database = await openDatabase();
  const webhook = await Webhook.start(statuses(500, 500, 200));
  const agent = await start(database);
  const id = await send(agent, webhook);
  const letters = agent.app.get(A2ADeadLetters);
  await webhook.received(3);
  await expect.poll(async () => (await letters.list()).letters.length).toBe(2);
  const page = await letters.list({ limit: 1 });
  expect(page).toEqual({
    letters: [
      {
        id: idsOf(webhook)[1],
        taskId: id,
        configId: 'c',
        origin: new URL(webhook.url).origin,
        attempts: 1,
        reason: expect.stringContaining('answered 500'),
        failedAt: expect.any(Number),
        isResending: false,
      },
    ],
    hasMore: true,
  });
  const [last] = page.letters;
  const rest = await letters.list({ after: last! });
  expect(rest.letters.map((letter) => letter.id)).toEqual([idsOf(webhook)[0]]);
  expect(JSON.stringify([page, rest]) + agent.log.lines.join()).not.toMatch(/the-token|\/hook/);

  const mended = await Webhook.start();
  await agent.call('createTaskPushNotificationConfig', { taskId: id, id: 'c', url: mended.url }).result();
  for (const letter of [...page.letters, ...rest.letters]) expect(await letters.resend(letter.id)).toBe(true);
  expect(await letters.resend('none')).toBe(false);
  await mended.received(2);
  expect(mended.states.sort()).toEqual(['SUBMITTED', 'WORKING']);
  expect(new Set(idsOf(mended))).toEqual(new Set(idsOf(webhook).slice(0, 2)));
  await expect.poll(async () => (await letters.list()).letters).toEqual([]);
});

it('a dead letter that is removed is gone; where webhooks are in memory there are none', async () => {
  const database = await openDatabase();
  const webhook = await Webhook.start(statuses(500));
  const agent = await start(database);
  await send(agent, webhook);
  const letters = agent.app.get(A2ADeadLetters);
  await expect.poll(async () => (await letters.list()).letters.length).toBe(3);
  const [first] = (await letters.list()).letters;
  expect([await letters.remove(first!.id), await letters.remove(first!.id)]).toEqual([true, false]);
  const other = await startAgent({ adapter: 'express', binding: 'http-json', execute: threeChanges });
  await expect(other.app.get(A2ADeadLetters).list()).rejects.toThrow('SqlPushNotificationConfigStore');
});

it('an agent does not start with an outbox that never hears of its tasks', async () => {
  const [database, other] = [await openDatabase(), await openDatabase()];
  const pushNotificationConfigStore = new SqlPushNotificationConfigStore(database);
  const start = (taskStore?: TaskStore) =>
    startAgent({
      adapter: 'express',
      binding: 'http-json',
      execute: threeChanges,
      pushNotificationConfigStore,
      ...(taskStore && { taskStore }),
    });
  for (const taskStore of [undefined, new InMemoryTaskStore(), new SqlTaskStore(other)]) {
    await expect(start(taskStore)).rejects.toThrow('pushNotificationConfigStore would tell webhooks nothing');
  }
  await start(new SqlTaskStore(database));
  await start(new FailingTaskStore(new SqlTaskStore(database)));
});

it('far behind, changes of artifacts are skipped, and changes of state never', async () => {
  const database = await openDatabase();
  const held = deferred();
  const webhook = await Webhook.start((response, _post, index) => {
    void (index === 0 ? held.promise : Promise.resolve()).then(() => response.end());
  });
  const agent = await start(database, {
    pushNotifications: { maxWaiting: 3 },
    execute: async (_context, task) => {
      await task.working();
      for (let n = 0; n < 20; n++) await task.appendArtifact('a1', [{ text: `${n}` }]);
      await task.complete();
    },
  });
  await send(agent, webhook);
  held.resolve();
  await webhook.received(6);
  expect(webhook.states).toEqual([
    'SUBMITTED',
    'WORKING',
    'WORKING 18',
    'WORKING 19',
    'WORKING 20',
    'COMPLETED 20',
  ]);
});

it('a claim whose answer went missing is found again', async () => {
  const database = await openDatabase();
  const webhook = await Webhook.start();
  class Forgetful extends SqlPushNotificationConfigStore {
    claims = 0;
    override async claim(...args: Parameters<SqlPushNotificationConfigStore['claim']>) {
      const claimed: readonly ClaimedWebhook[] = await super.claim(...args);
      if (claimed.length > 0 && ++this.claims === 1) throw new StoreUnavailableError();
      return claimed;
    }
  }
  const pushNotificationConfigStore = new Forgetful(database);
  const agent = await start(database, { pushNotificationConfigStore, pushNotifications: { claimLease: 90 } });
  await send(agent, webhook);
  await webhook.received(3);
  expect(webhook.states).toEqual(ALL);
});

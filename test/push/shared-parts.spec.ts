import { afterEach, expect, it } from 'vitest';
import {
  A2AModule,
  getPushNotificationConfigStoreToken,
  getPushNotificationSenderToken,
  InMemoryPushConfigStore,
  InMemoryTaskStore,
  InProcessTaskEventBus,
  PushNotificationConfigStore,
  PushNotificationSender,
  StoreUnavailableError,
  type A2AModuleOptions,
  type PushNotification,
} from 'nest-a2a';
import { FailingTaskStore, WrappedTaskStore, type TaskStoreCall } from 'nest-a2a/testing';
import { startApp, stopApps } from '../module/start-app.js';
import { deferred, untilAborted } from '../support/index.js';

const CARD = { name: 'Agent', description: 'For tests', version: '1' };
const V1 = { 'a2a-version': '1.0', 'content-type': 'application/json' };
const URL = 'https://hook.example.com/';

/** Keeps what it is to send: `webhook: state`. */
class Kept extends PushNotificationSender {
  readonly sent: string[] = [];
  override async send({ config, event }: PushNotification): Promise<void> {
    this.sent.push(`${config.id}: ${event.task?.status.state.replace('TASK_STATE_', '')}`);
  }
}

afterEach(stopApps);

function agent(options: Partial<A2AModuleOptions>) {
  return A2AModule.forRoot({
    card: CARD,
    shutdownTimeout: 0,
    pushNotifications: { drainTimeout: 0 },
    ...options,
  });
}

it('S-60: a webhook made through another application is told by the one that drives the task', async () => {
  const proceed = deferred();
  const shared = {
    taskStore: new InMemoryTaskStore(),
    eventBus: new InProcessTaskEventBus(),
    pushNotificationConfigStore: new InMemoryPushConfigStore(),
  };
  const [sender, idle] = [new Kept(), new Kept()];
  const driving = await startApp({
    imports: [
      agent({
        ...shared,
        pushNotificationSender: sender,
        executor: {
          execute: async (_context, task) => {
            await task.working();
            await proceed.promise;
            await task.complete();
          },
        },
      }),
    ],
  });
  const other = await startApp({
    imports: [
      agent({ ...shared, pushNotificationSender: idle, executor: { execute: async () => undefined } }),
    ],
  });
  const { json } = await driving.send('go', '/a2a', {}, { returnImmediately: true });
  const path = `/a2a/tasks/${json.task.id}/pushNotificationConfigs`;
  const create = (id: string) => other.get(path, V1, 'POST', JSON.stringify({ id, url: URL }));
  expect((await create('kept')).status).toBe(200);
  await create('deleted');
  expect((await other.get(`${path}/deleted`, V1, 'DELETE')).status).toBe(200);
  proceed.resolve();
  await expect.poll(() => sender.sent).toEqual(['kept: COMPLETED']);
  expect(idle.sent).toEqual([]);
});

it('S-60: what waits follows a webhook that is replaced or deleted through another application', async () => {
  const stuck: string[] = [];
  class Stuck extends PushNotificationSender {
    override async send({ config, event }: PushNotification, signal: AbortSignal): Promise<void> {
      stuck.push(`${config.url} ${event.task?.status.state}`);
      await untilAborted(signal);
      stuck.push(`${config.url} aborted`);
    }
  }
  const shared = {
    taskStore: new InMemoryTaskStore(),
    eventBus: new InProcessTaskEventBus(),
    pushNotificationConfigStore: new InMemoryPushConfigStore(),
    executor: {
      execute: async (_context: unknown, task: { working(): Promise<void> }) => {
        await task.working();
        await new Promise(() => undefined);
      },
    },
  };
  const driving = await startApp({ imports: [agent({ ...shared, pushNotificationSender: Stuck })] });
  const other = await startApp({ imports: [agent({ ...shared, pushNotificationSender: new Kept() })] });
  const inline = { id: 'c', url: `${URL}old` };
  const options = { returnImmediately: true, taskPushNotificationConfig: inline };
  const { json } = await driving.send('go', '/a2a', {}, options);
  await expect.poll(() => stuck).toEqual([`${URL}old TASK_STATE_SUBMITTED`]);
  const path = `/a2a/tasks/${json.task.id}/pushNotificationConfigs`;
  await other.get(path, V1, 'POST', JSON.stringify({ id: 'c', url: `${URL}new` }));
  await other.get(`${path}/c`, V1, 'DELETE');
  await expect
    .poll(() => stuck)
    .toEqual([
      `${URL}old TASK_STATE_SUBMITTED`,
      `${URL}old aborted`,
      `${URL}new TASK_STATE_SUBMITTED`,
      `${URL}new aborted`,
    ]);
});

/** A store whose second put waits until the test lets it go on. */
class Gated extends WrappedTaskStore {
  readonly reached = deferred();
  readonly gate = deferred();

  protected override async around<T>({ method, count }: TaskStoreCall, run: () => Promise<T>): Promise<T> {
    if (method === 'put' && count === 2) {
      this.reached.resolve();
      await this.gate.promise;
    }
    return run();
  }
}

it('a webhook made while a change is on its way into the store is not left out', async () => {
  const sender = new Kept();
  const store = new Gated(new InMemoryTaskStore());
  const { send, get } = await startApp({
    imports: [
      agent({
        taskStore: store,
        pushNotificationSender: sender,
        executor: {
          execute: async (_context, task) => {
            void task.working();
            await task.complete();
          },
        },
      }),
    ],
  });
  const { json } = await send('go', '/a2a', {}, { returnImmediately: true });
  await store.reached.promise;
  const body = JSON.stringify({ id: 'c', url: URL });
  const path = `/a2a/tasks/${json.task.id}/pushNotificationConfigs`;
  expect((await get(path, V1, 'POST', body)).status).toBe(200);
  store.gate.resolve();
  await expect.poll(() => sender.sent).toEqual(['c: COMPLETED']);
});

it('a store of webhooks that is away fails what needs it, and no task', async () => {
  let isAway = false;
  const fail = async <T>(run: () => Promise<T>): Promise<T> => {
    if (isAway) throw new StoreUnavailableError();
    return run();
  };
  class Flaky extends InMemoryPushConfigStore {
    override put(...args: Parameters<InMemoryPushConfigStore['put']>) {
      return fail(() => super.put(...args));
    }
    override list(...args: Parameters<InMemoryPushConfigStore['list']>) {
      return fail(() => super.list(...args));
    }
  }
  const sender = new Kept();
  const { send } = await startApp({
    imports: [
      agent({
        pushNotificationConfigStore: Flaky,
        pushNotificationSender: sender,
        executor: {
          execute: ({ text }, task) => (text === 'ask' ? task.requireInput('which?') : task.complete()),
        },
      }),
    ],
  });
  const inline = { taskPushNotificationConfig: { id: 'c', url: URL } };
  const { json } = await send('ask', '/a2a', {}, inline);
  await expect.poll(() => sender.sent).toEqual(['c: SUBMITTED', 'c: INPUT_REQUIRED']);
  isAway = true;
  expect((await send('go', '/a2a', {}, inline)).status).toBe(503);
  const answer = await send('go', '/a2a', { messageId: 'm-2', taskId: json.task.id });
  expect(answer.json.task.status.state).toBe('TASK_STATE_COMPLETED');
});

it('a task store that fails tells nobody of what it does not have', async () => {
  const sender = new Kept();
  const store = new FailingTaskStore(
    new InMemoryTaskStore(),
    ({ method, count }) => method === 'put' && count > 1,
  );
  const { send } = await startApp({
    imports: [
      agent({
        taskStore: store,
        pushNotificationSender: sender,
        executor: { execute: (_context, task) => task.complete() },
      }),
    ],
  });
  await send(
    'go',
    '/a2a',
    {},
    { returnImmediately: true, taskPushNotificationConfig: { id: 'c', url: URL } },
  );
  await expect.poll(() => sender.sent).toEqual(['c: SUBMITTED']);
});

it('each agent has its own sender and its own store of webhooks', async () => {
  const senders = { default: new Kept(), other: new Kept() };
  const executor = { execute: (_context: unknown, task: { complete(): Promise<void> }) => task.complete() };
  const { app, send } = await startApp({
    imports: [
      agent({ executor, pushNotificationSender: { useValue: senders.default } }),
      A2AModule.forRoot({
        card: CARD,
        name: 'other',
        path: 'other',
        executor,
        pushNotificationSender: { useFactory: () => senders.other },
      }),
    ],
  });
  expect(app.get(PushNotificationSender)).toBe(senders.default);
  expect(app.get(getPushNotificationSenderToken('other'))).toBe(senders.other);
  const stores = [
    app.get(PushNotificationConfigStore),
    app.get(getPushNotificationConfigStoreToken('other')),
  ];
  expect(new Set(stores).size).toBe(2);
  await send('go', '/other', {}, { taskPushNotificationConfig: { id: 'c', url: URL } });
  await expect.poll(() => senders.other.sent).toEqual(['c: SUBMITTED', 'c: COMPLETED']);
  expect(senders.default.sent).toEqual([]);
});

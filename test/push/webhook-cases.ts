import { expect, it, vi } from 'vitest';
import { type AgentExecutor, type Task, type TaskPushNotificationConfig } from 'nest-a2a';
import { obedient, ownerByHeader, type AgentTarget, type TestAgent } from '../support/index.js';
import { LOOPBACK, Webhook } from '../support/webhook.js';
import { statuses } from './webhook-receiver.js';

export const URL = 'https://hook.example.com/a';

export const finish: AgentExecutor['execute'] = ({ text }, task) =>
  text === 'ask' ? task.requireInput('which?') : task.complete(text);

/** The operations on webhooks, in short. */
export const on = (agent: TestAgent) => ({
  create: (config: object) =>
    agent.call<TaskPushNotificationConfig>('createTaskPushNotificationConfig', config),
  get: (taskId: string, id: string) =>
    agent.call<TaskPushNotificationConfig>('getTaskPushNotificationConfig', { taskId, id }),
  list: (taskId: string, page: object = {}) =>
    agent.call<{ configs: TaskPushNotificationConfig[]; nextPageToken: string }>(
      'listTaskPushNotificationConfigs',
      { taskId, ...page },
    ),
  delete: (taskId: string, id: string) => agent.call('deleteTaskPushNotificationConfig', { taskId, id }),
});

/** What holds for webhooks wherever they are kept. */
export function webhookCases(target: AgentTarget): void {
  it('S-27, S-28, O-PUSH-03: each config gets an id, and is addressed by it', async () => {
    const agent = await target.start({ execute: finish });
    const { id: taskId } = await agent.send('ask').task();
    const { create, get, list } = on(agent);
    const authentication = { scheme: 'Bearer', credentials: 'c' };
    const one = await create({ taskId, url: URL, token: 'tk', authentication }).result();
    const two = await create({ taskId, url: URL }).result();
    expect(one).toEqual({ id: expect.any(String), taskId, url: URL, token: 'tk', authentication });
    expect(two.id).not.toBe(one.id);
    expect(await get(taskId, one.id!).result()).toEqual(one);
    const { configs } = await list(taskId).result();
    expect(new Set(configs.map(({ id }) => id))).toEqual(new Set([one.id, two.id]));
  });

  it('a config with an id in use replaces it', async () => {
    const agent = await target.start({ execute: finish, limits: { pushConfigsPerTask: 1 } });
    const { id: taskId } = await agent.send('ask').task();
    const { create, list } = on(agent);
    await create({ taskId, id: 'c/1', url: URL, token: 'tk' }).result();
    await create({ taskId, id: 'c/1', url: `${URL}b` }).result();
    expect((await list(taskId).result()).configs).toEqual([{ taskId, id: 'c/1', url: `${URL}b` }]);
  });

  it('O-PUSH-12, O-PUSH-18: pages of configs', async () => {
    const agent = await target.start({ execute: finish });
    const [{ id: taskId }, { id: other }] = [await agent.send('ask').task(), await agent.send('ask').task()];
    const { create, list } = on(agent);
    expect(await list(taskId).result()).toEqual({ configs: [], nextPageToken: '' });
    for (let n = 0; n < 5; n++) await create({ taskId, url: `${URL}${n}` }).result();
    const sizes: number[] = [];
    const seen = new Set<string>();
    let pageToken = '';
    do {
      const page = await list(taskId, { pageSize: 2, pageToken }).result();
      sizes.push(page.configs.length);
      for (const { url } of page.configs) seen.add(url);
      pageToken = page.nextPageToken;
      if (sizes.length === 1) {
        for (const [task, token] of [
          [other, pageToken],
          [taskId, `${pageToken}x`],
          [taskId, 'bad token'],
          [taskId, pageToken.slice(1)],
        ] as const) {
          const error = await list(task, { pageToken: token }).error();
          expect([error.httpStatus, error.violations.map(({ field }) => field)]).toEqual([
            400,
            ['pageToken'],
          ]);
        }
      }
    } while (pageToken !== '');
    expect([sizes, seen.size]).toEqual([[2, 2, 1], 5]);
    for (const page of [{}, { pageSize: 0 }, { pageSize: 1_000_000 }]) {
      expect(await list(taskId, page).result()).toMatchObject({ nextPageToken: '' });
    }
    expect((await list(taskId, { pageSize: -1 }).error()).httpStatus).toBe(400);
  });

  it('S-29, O-PUSH-15: deleting twice succeeds, and what is deleted is not found', async () => {
    const agent = await target.start({ execute: finish });
    const { id: taskId } = await agent.send('ask').task();
    const { create, get, list, delete: remove } = on(agent);
    const { id } = await create({ taskId, url: URL }).result();
    expect(await remove(taskId, id!).result()).toEqual({});
    expect(await remove(taskId, id!).result()).toEqual({});
    expect(await get(taskId, id!).error()).toMatchObject({ httpStatus: 404, reason: 'TASK_NOT_FOUND' });
    expect((await list(taskId).result()).configs).toEqual([]);
    for (const call of [
      remove('none', 'x'),
      get('none', 'x'),
      list('none'),
      create({ taskId: 'none', url: URL }),
    ]) {
      expect(await call.error()).toMatchObject({ httpStatus: 404, code: -32001, reason: 'TASK_NOT_FOUND' });
    }
  });

  it('O-AUTH-02, O-PUSH-05: webhooks of another owner’s task do not exist, and deliver to their own', async () => {
    const agent = await target.start({
      ownerResolver: ownerByHeader,
      pushNotifications: LOOPBACK,
      execute: obedient,
    });
    const webhook = await Webhook.start();
    const [alice, bob] = [agent.as('user-a'), agent.as('user-b')];
    const { id: taskId } = await alice.send('go', { returnImmediately: true }).task();
    const { id } = await on(alice).create({ taskId, url: webhook.url }).result();
    const calls = (task: string) => [
      on(bob).create({ taskId: task, url: URL }),
      on(bob).get(task, id!),
      on(bob).list(task),
      on(bob).delete(task, id!),
      bob.send('x', { taskId: task, taskPushNotificationConfig: { url: URL } }),
    ];
    const foreign = calls(taskId);
    for (const [index, call] of calls('no-such').entries()) {
      const missing = { ...(await call.error()), headers: {} };
      const found = { ...(await foreign[index]!.error()), headers: {} };
      expect(found).toMatchObject({ httpStatus: 404, reason: 'TASK_NOT_FOUND' });
      expect(JSON.stringify(found).replaceAll(taskId, 'no-such')).toBe(JSON.stringify(missing));
    }
    expect((await on(alice).list(taskId).result()).configs).toHaveLength(1);
    await alice.cancel(taskId).result();
    await expect.poll(() => webhook.states.at(-1)).toBe('CANCELED');
  });

  it('O-PUSH-09: a task has so many configs and no more, also when they come at once', async () => {
    const agent = await target.start({ execute: finish, limits: { pushConfigsPerTask: 3 } });
    const { id: taskId } = await agent.send('ask').task();
    const { create, list } = on(agent);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => create({ taskId, url: URL })));
    const errors = outcomes.flatMap(({ error }) => error ?? []);
    expect(errors).toHaveLength(7);
    expect(errors[0]).toMatchObject({ httpStatus: 429, status: 'RESOURCE_EXHAUSTED' });
    expect(errors[0]!.message).toContain('3 push notification configs');
    expect((await list(taskId).result()).configs).toHaveLength(3);
    // One that comes with a message counts too, and leaves nothing behind.
    const before = await agent.get(taskId).result();
    const inline = { taskId, taskPushNotificationConfig: { url: URL } };
    expect((await agent.send('this', inline).error()).httpStatus).toBe(429);
    expect(await agent.get(taskId).result()).toEqual(before);
  });

  it('O-PUSH-08, O-PUSH-19: what could not be delivered is refused, and named', async () => {
    const execute = vi.fn(finish);
    const agent = await target.start({ execute });
    const { id: taskId } = await agent.send('ask').task();
    const cases: [config: object, field: string][] = [
      ...[
        'http://127.0.0.1:9/',
        'http://localhost/',
        'http://169.254.169.254/',
        'http://10.0.0.1/',
        'http://[::1]/',
        'http://0.0.0.0/',
        'ftp://example.com/',
        'file:///etc/passwd',
        'https://user:pw@example.com/',
        'nonsense',
        '',
      ].map((url): [object, string] => [{ url }, 'url']),
      [{}, 'url'],
      [{ url: URL, token: 'a\r\nX-Evil: 1' }, 'token'],
      [{ url: URL, token: 'a\u0000' }, 'token'],
      [{ url: URL, token: 'é→' }, 'token'],
      [{ url: URL, token: ' a' }, 'token'],
      [{ url: URL, id: 'a\nb' }, 'id'],
      [{ url: URL, id: '..' }, 'id'],
      [{ url: URL, authentication: { scheme: 'Bearer\r\nHost: x' } }, 'authentication.scheme'],
      [{ url: URL, authentication: { scheme: 'Two words' } }, 'authentication.scheme'],
      [{ url: URL, authentication: { credentials: 'x' } }, 'authentication.scheme'],
      [{ url: URL, authentication: { scheme: 'Bearer', credentials: '→' } }, 'authentication.credentials'],
      [{ url: URL, authentication: { scheme: 'Bearer', credentials: 'x ' } }, 'authentication.credentials'],
    ];
    execute.mockClear();
    for (const [config, field] of cases) {
      const inline = { taskPushNotificationConfig: config as TaskPushNotificationConfig };
      for (const [call, prefix] of [
        [on(agent).create({ taskId, ...config }), ''],
        [agent.send('go', inline), 'configuration.taskPushNotificationConfig.'],
        [
          agent.send('go', { ...inline, returnImmediately: true }),
          'configuration.taskPushNotificationConfig.',
        ],
        [agent.stream('go', inline), 'configuration.taskPushNotificationConfig.'],
        [agent.send('go', { ...inline, taskId }), 'configuration.taskPushNotificationConfig.'],
      ] as const) {
        const { error } = await call;
        expect([config, error?.httpStatus, error?.code, error?.violations.map((one) => one.field)]).toEqual([
          config,
          400,
          -32602,
          [prefix + field],
        ]);
      }
    }
    expect(execute).not.toHaveBeenCalled();
    expect((await agent.list().result()).totalSize).toBe(1);
    expect((await on(agent).list(taskId).result()).configs).toEqual([]);
  });

  it('O-PUSH-04: a config that comes with a message belongs to the task that the message makes', async () => {
    const agent = await target.start({ execute: finish, pushNotifications: LOOPBACK });
    for (const taskId of ['', undefined]) {
      const webhook = await Webhook.start();
      const config = { url: webhook.url, ...(taskId !== undefined && { taskId }) };
      const { id } = await agent.send('go', { taskPushNotificationConfig: config }).task();
      const { configs } = await on(agent).list(id).result();
      expect(configs).toEqual([{ id: expect.any(String), taskId: id, url: webhook.url }]);
      await webhook.received(2);
    }
    const other = { taskPushNotificationConfig: { url: URL, taskId: 'other' } };
    const { id } = await agent.send('ask').task();
    for (const call of [agent.send('go', other), agent.stream('go', { ...other, taskId: id })]) {
      const { error } = await call;
      expect(error?.violations.map(({ field }) => field)).toEqual([
        'configuration.taskPushNotificationConfig.taskId',
      ]);
    }
  });

  it('O-PUSH-11: null is no config, and an empty one lacks its url', async () => {
    const agent = await target.start({ execute: finish });
    await agent.send('go', { taskPushNotificationConfig: null } as object).task();
    const error = await agent.send('go', { taskPushNotificationConfig: {} } as object).error();
    expect(error.violations[0]?.field).toBe('configuration.taskPushNotificationConfig.url');
  });

  it('O-PUSH-16: a finished task takes configs; a send that is refused leaves none', async () => {
    const agent = await target.start({ execute: finish });
    const { id } = await agent.send('go').task();
    await on(agent).create({ taskId: id, id: 'mine', url: URL }).result();
    for (const config of [{ url: `${URL}2` }, { id: 'mine', url: `${URL}2` }]) {
      const error = await agent.send('more', { taskId: id, taskPushNotificationConfig: config }).error();
      expect(error.reason).toBe('UNSUPPORTED_OPERATION');
    }
    expect((await on(agent).list(id).result()).configs).toEqual([{ taskId: id, id: 'mine', url: URL }]);
  });

  it('a config deleted while it is told of the task gets nothing more', async () => {
    const webhook = await Webhook.start();
    const agent = await target.start({ execute: obedient, pushNotifications: LOOPBACK });
    const { id } = await agent
      .send('go', { returnImmediately: true, taskPushNotificationConfig: { id: 'c', url: webhook.url } })
      .task();
    await webhook.received(2);
    await on(agent).delete(id, 'c').result();
    await agent.cancel(id).result();
    await new Promise(setImmediate);
    expect(webhook.posts).toHaveLength(2);
  });

  it('what waits for a config follows the one that replaces it, with the message or later', async () => {
    const [old, webhook] = [await Webhook.start(statuses(503)), await Webhook.start()];
    const execute: AgentExecutor['execute'] = async ({ text }, task) => {
      await (text === 'ask' ? task.requireInput('which?') : task.complete());
    };
    const agent = await target.start({ execute, pushNotifications: LOOPBACK });
    const config = { id: 'c', url: old.url, token: 'old' };
    const { id } = await agent.send('ask', { taskPushNotificationConfig: config }).task();
    await old.received(1);
    // Nothing is sent twice where nothing is new.
    await on(agent)
      .create({ ...config, taskId: id })
      .result();
    await on(agent)
      .create({ ...config, taskId: id, url: `${webhook.url}/1`, token: 'new' })
      .result();
    await webhook.received(2);
    await agent
      .send('go', {
        taskId: id,
        taskPushNotificationConfig: { id: 'c', url: `${webhook.url}/2`, token: 'newer' },
      })
      .task();
    await webhook.received(3);
    expect(webhook.states).toEqual(['SUBMITTED', 'INPUT_REQUIRED', 'COMPLETED']);
    expect(
      webhook.posts.map(({ path, headers }) => `${path} ${headers['x-a2a-notification-token']}`),
    ).toEqual(['/hook/1 new', '/hook/1 new', '/hook/2 newer']);
    expect(old.posts).toHaveLength(1);
  });

  it('tenants: a config remembers its tenant, and one that names another is refused', async () => {
    const agent = await target.start({ execute: finish, tenants: ['acme'] });
    const inline = { taskPushNotificationConfig: { url: URL, tenant: 'acme' } };
    const { error } = await agent.send('go', inline);
    expect(error?.violations[0]?.field).toBe('configuration.taskPushNotificationConfig.tenant');
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'ask' }] };
    const { task } = await agent
      .call<{ task: Task }>('sendMessage', { tenant: 'acme', message, configuration: inline })
      .result();
    const request = { tenant: 'acme', taskId: task.id };
    const { configs } = await agent
      .call<{ configs: unknown[] }>('listTaskPushNotificationConfigs', request)
      .result();
    expect(configs).toEqual([{ tenant: 'acme', id: expect.any(String), taskId: task.id, url: URL }]);
    expect((await on(agent).list(task.id).error()).reason).toBe('TASK_NOT_FOUND');
  });
}

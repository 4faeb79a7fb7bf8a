import { expect, it } from 'vitest';
import type { AgentExecutor } from 'nest-a2a';
import { deferred, obedient, type AgentTarget, type SendOptions, type TestAgent } from '../support/index.js';
import { LOOPBACK, Webhook } from '../support/webhook.js';

const pushNotifications = LOOPBACK;

const workingArtifactDone: AgentExecutor['execute'] = async (_context, task) => {
  await task.working();
  await task.addArtifact([{ text: 'out' }], { artifactId: 'a1' });
  await task.complete('done');
};
const ALL = ['SUBMITTED', 'WORKING', 'WORKING 1', 'COMPLETED 1'];

/** What holds for deliveries wherever they wait. */
export function deliveryCases(target: AgentTarget): void {
  it('O-PUSH-06, S-30, S-109: the same posts whatever the client waits for', async () => {
    const agent = await target.start({ pushNotifications, execute: workingArtifactDone });
    const ways: Record<string, (options: SendOptions) => Promise<unknown>> = {
      blocking: (options) => agent.send('go', options).task(),
      immediate: (options) => agent.send('go', { ...options, returnImmediately: true }).task(),
      stream: async (options) => (await agent.stream('go', options).result()).events(),
      dropped: async (options) => {
        const stream = await agent.stream('go', options).result();
        await stream.next();
        stream.destroy();
      },
    };
    for (const [way, send] of Object.entries(ways)) {
      const webhook = await Webhook.start();
      await send({ taskPushNotificationConfig: { url: webhook.url } });
      await webhook.received(4);
      expect([way, webhook.states]).toEqual([way, ALL]);
    }
  });

  it('S-110, S-111: each body is the task as it was after that very change', async () => {
    const agent = await target.start({
      pushNotifications,
      // Everything is published before the first notification leaves.
      execute: (_context, task) => {
        void task.working();
        for (let n = 0; n < 20; n++) void task.appendArtifact('a1', [{ text: `${n}` }]);
        void task.addArtifact([{ text: 'other' }], { artifactId: 'a2' });
        void task.addArtifact([{ text: 'replaced' }], { artifactId: 'a1' });
        return task.complete('done');
      },
    });
    const webhook = await Webhook.start();
    const task = await agent.send('go', { taskPushNotificationConfig: { url: webhook.url } }).task();
    await webhook.received(25);
    expect(webhook.states).toEqual([
      'SUBMITTED',
      'WORKING',
      ...Array.from({ length: 21 }, (_, n) => `WORKING ${n + 1}`),
      'WORKING 2',
      'COMPLETED 2',
    ]);
    expect(webhook.tasks.at(-1)).toEqual(task);
    expect(webhook.tasks[4]).toEqual({
      ...task,
      status: { state: 'TASK_STATE_WORKING', timestamp: expect.any(String) },
      artifacts: [{ artifactId: 'a1', parts: [{ text: '0' }, { text: '1' }, { text: '2' }] }],
    });
    for (const { method, headers } of webhook.posts) {
      expect([method, headers['content-type']]).toEqual(['POST', 'application/a2a+json']);
    }
    expect(new Set(webhook.posts.map(({ headers }) => headers['x-a2a-notification-id'])).size).toBe(25);
  });

  it('O-PUSH-01, S-111, S-112: a slow webhook holds up neither the agent nor another webhook', async () => {
    const held = deferred();
    const slow = await Webhook.start((response, _post, index) => {
      void (index === 0 ? held.promise : Promise.resolve()).then(() => response.end());
    });
    const fast = await Webhook.start();
    const proceed = deferred();
    const agent = await target.start({
      pushNotifications,
      execute: async (_context, task) => {
        await task.working();
        await proceed.promise;
        for (let n = 0; n < 3; n++) await task.appendArtifact('a1', [{ text: `${n}` }]);
        await task.complete();
      },
    });
    const { id } = await agent.send('go', { returnImmediately: true }).task();
    await expect.poll(async () => (await agent.get(id).result()).status.state).toBe('TASK_STATE_WORKING');
    for (const { url } of [slow, fast]) await create(agent, { taskId: id, url });
    proceed.resolve();
    await fast.received(4);
    expect((await agent.get(id).result()).status.state).toBe('TASK_STATE_COMPLETED');
    await slow.received(1);
    held.resolve();
    await slow.received(4);
    for (const webhook of [slow, fast]) {
      expect(webhook.states).toEqual(['WORKING 1', 'WORKING 2', 'WORKING 3', 'COMPLETED 3']);
    }
  });

  it('O-PUSH-02: token and credentials go as headers, and into no log', async () => {
    const agent = await target.start({ pushNotifications, execute: workingArtifactDone });
    const webhook = await Webhook.start();
    const authentication = { scheme: 'Bearer', credentials: 'the-secret' };
    await agent
      .send('go', { taskPushNotificationConfig: { url: webhook.url, token: 'the-token', authentication } })
      .task();
    await webhook.received(4);
    const { headers } = webhook.posts[0]!;
    expect([headers['x-a2a-notification-token'], headers.authorization]).toEqual([
      'the-token',
      'Bearer the-secret',
    ]);
    expect(agent.log.lines.join()).not.toContain('the-');
  });

  it('S-109: cancellation, and failure by the library, are changes too', async () => {
    const agent = await target.start({ pushNotifications, execute: obedient });
    const webhook = await Webhook.start();
    const { id } = await agent
      .send('go', { returnImmediately: true, taskPushNotificationConfig: { url: webhook.url } })
      .task();
    await webhook.received(2);
    await agent.cancel(id).result();
    await webhook.received(3);
    expect(webhook.states).toEqual(['SUBMITTED', 'WORKING', 'CANCELED']);

    const broken = await target.start({
      pushNotifications,
      execute: () => Promise.reject(new Error('boom')),
    });
    const other = await Webhook.start();
    await broken.send('go', { taskPushNotificationConfig: { url: other.url } }).task();
    await other.received(2);
    expect(other.states).toEqual(['SUBMITTED', 'FAILED']);
  });

  it('a continued task goes on to tell the webhooks that it has, and one that comes with the message', async () => {
    const agent = await target.start({
      pushNotifications,
      execute: ({ text }, task) => (text === 'ask' ? task.requireInput('which?') : task.complete(text)),
    });
    const [first, second] = [await Webhook.start(), await Webhook.start()];
    const { id } = await agent.send('ask', { taskPushNotificationConfig: { url: first.url } }).task();
    await first.received(2);
    await agent
      .send('this', { taskId: id, taskPushNotificationConfig: { taskId: id, url: second.url } })
      .task();
    await first.received(3);
    await second.received(1);
    expect(first.states).toEqual(['SUBMITTED', 'INPUT_REQUIRED', 'COMPLETED']);
    expect(second.states).toEqual(['COMPLETED']);
    expect(first.tasks[2]!.history).toHaveLength(3);
  });

  it('a message to a running agent at AUTH_REQUIRED may bring a webhook', async () => {
    const agent = await target.start({
      pushNotifications,
      execute: async ({ messages }, task) => {
        await task.requireAuth('sign in');
        await messages[Symbol.asyncIterator]().next();
        await task.complete();
      },
    });
    const webhook = await Webhook.start();
    const { id } = await agent.send('go').task();
    await agent.send('here', { taskId: id, taskPushNotificationConfig: { url: webhook.url } }).task();
    await webhook.received(1);
    expect(webhook.states).toEqual(['COMPLETED']);
  });

  it('a task that was handed over, or is driven from outside of any turn, tells its webhooks', async () => {
    const agent = await target.start({
      pushNotifications,
      execute: async ({ text }, task) => {
        if (text === 'ask') return task.requireInput('which?');
        await task.working();
        task.handOver();
      },
    });
    const webhook = await Webhook.start();
    const { id } = await agent
      .send('go', { returnImmediately: true, taskPushNotificationConfig: { url: webhook.url } })
      .task();
    await webhook.received(2);
    const updater = await agent.tasks.updater(id);
    await updater.addArtifact([{ text: 'x' }]);
    await updater.complete();
    await webhook.received(4);
    expect(webhook.states).toEqual(['SUBMITTED', 'WORKING', 'WORKING 1', 'COMPLETED 1']);

    const other = await Webhook.start();
    const waiting = await agent.send('ask').task();
    const detached = await agent.tasks.updater(waiting.id);
    // The updater was there before the webhook.
    await create(agent, { taskId: waiting.id, url: other.url });
    await detached.working();
    await detached.complete();
    await other.received(2);
    expect(other.states).toEqual(['WORKING', 'COMPLETED']);
  });

  it('payload "event" posts the events themselves', async () => {
    const agent = await target.start({
      pushNotifications: { ...pushNotifications, payload: 'event' },
      execute: workingArtifactDone,
    });
    const webhook = await Webhook.start();
    const stream = await agent.stream('go', { taskPushNotificationConfig: { url: webhook.url } }).result();
    const events = await stream.events();
    await webhook.received(4);
    expect(webhook.posts.map(({ body }) => body)).toEqual(events);
  });

  it('S-112: a webhook that cannot be reached fails nothing, and is a warning in the log', async () => {
    const webhook = await Webhook.start();
    await webhook.close();
    const agent = await target.start({
      pushNotifications: { ...pushNotifications, retryConfig: false },
      execute: workingArtifactDone,
    });
    const task = await agent.send('go', { taskPushNotificationConfig: { url: webhook.url } }).task();
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    await expect.poll(() => agent.log.of('warn').join()).toContain(task.id);
  });
}

function create(agent: TestAgent, config: object): Promise<unknown> {
  return agent.call('createTaskPushNotificationConfig', config).result();
}

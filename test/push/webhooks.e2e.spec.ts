import { expect, it } from 'vitest';
import {
  InMemoryPushConfigStore,
  InvalidParamsError,
  PushNotificationConfigStore,
  systemScope,
} from 'nest-a2a';
import { describeAgent } from '../support/index.js';
import { finish, on, URL, webhookCases } from './webhook-cases.js';

describeAgent('Webhooks of tasks', (target) => {
  webhookCases(target);

  it('O-PUSH-16: nothing is kept where a message is the answer, or the agent refuses', async () => {
    const store = new InMemoryPushConfigStore();
    const agent = await target.start({
      pushNotificationConfigStore: store,
      execute: async ({ text }) => {
        if (text === 'throw') throw new InvalidParamsError([]);
        return { parts: [{ text }] };
      },
    });
    const inline = { taskPushNotificationConfig: { url: URL } };
    await agent.send('hello', inline).message();
    await agent.stream('hello', inline).result();
    expect((await agent.send('throw', inline).error()).httpStatus).toBe(400);
    expect(store.size).toBe(0);
  });

  it('O-PERS-04: configs go when their task goes', async () => {
    const agent = await target.start({ execute: finish, limits: { finishedTasks: 2 } });
    const configs = agent.app.get<InMemoryPushConfigStore>(PushNotificationConfigStore);
    const inline = { taskPushNotificationConfig: { url: URL } };
    const { id } = await agent.send('ask', inline).task();
    for (let n = 0; n < 5; n++) await agent.send('go', inline).task();
    expect(configs.size).toBe(3);
    await agent.store.remove(id, systemScope('default'));
    await expect.poll(() => configs.size).toBe(2);
    expect((await on(agent).list(id).error()).reason).toBe('TASK_NOT_FOUND');
  });
});

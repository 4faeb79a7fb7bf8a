import { expect, it } from 'vitest';
import { summary } from '../../support/summary.js';
import { Webhook } from '../../support/webhook.js';
import { describeDurable } from './describe-durable.js';
import { startDurable, untilStatus } from './durable-agent.js';

describeDurable('webhooks of a process that is killed', (database) => {
  it('hear of a change that was stored when the process died, before anybody had heard of it', async () => {
    const agent = await startDurable(await database(), {}, { dies: '"three"' });
    const webhook = await Webhook.start();
    const send = agent.client.send('three words', { taskPushNotificationConfig: { url: webhook.url } });
    await expect(send).rejects.toThrow();
    await agent.ended();
    await agent.start({ DIES: '' });
    const [task] = (await agent.client.list().result()).tasks;
    await untilStatus(agent.client, task!.id, 'FAILED: The agent was interrupted');
    const told = () => summary(webhook.toldOnce);
    await expect.poll(told).toContain('FAILED: The agent was interrupted');
    expect(told()).toEqual([
      'task SUBMITTED',
      'WORKING',
      'words + one',
      'words + two',
      'words + three',
      'FAILED: The agent was interrupted',
    ]);
  });

  it('get a notification again whose delivery was cut off, and what comes behind it only then', async () => {
    const agent = await startDurable(await database());
    let holds = true;
    const webhook = await Webhook.start((response, { body }) => {
      // The answer to the second change does not come while the process lives.
      if (!(holds && body.statusUpdate)) response.end();
    });
    await agent.client.send('hello', { taskPushNotificationConfig: { url: webhook.url } }).task();
    await expect.poll(() => webhook.posts.length).toBe(2);
    await agent.kill();
    holds = false;
    await agent.start();
    await expect.poll(() => webhook.posts.length).toBe(5);
    const [, cutOff, again] = webhook.posts;
    expect(again!.headers['x-a2a-notification-id']).toBe(cutOff!.headers['x-a2a-notification-id']);
    expect(again!.body).toEqual(cutOff!.body);
    expect(summary(webhook.toldOnce).map((line) => line.replace(/^[0-9a-f-]{36}/, 'artifact'))).toEqual([
      'task SUBMITTED',
      'WORKING',
      'artifact: hello',
      'COMPLETED',
    ]);
  });
});

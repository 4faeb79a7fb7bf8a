import { expect, it } from 'vitest';
import { statusOf, summary } from '../../support/summary.js';
import { Webhook } from '../../support/webhook.js';
import { describeDurable } from './describe-durable.js';
import { startDurable, untilStatus } from './durable-agent.js';

describeDurable('two processes on one database', (database) => {
  it('one takes over what the other held when it was stopped, and that cannot write any more', async () => {
    const url = await database();
    const [paused, other] = [await startDurable(url), await startDurable(url)];
    const webhook = await Webhook.start();
    const { id } = await paused.client
      .send('insist', { returnImmediately: true, taskPushNotificationConfig: { url: webhook.url } })
      .task();
    await expect
      .poll(async () => (await other.client.get(id).result()).status.state)
      .toBe('TASK_STATE_WORKING');
    paused.stop();
    const ended = await untilStatus(other.client, id, 'FAILED: The agent was interrupted');
    paused.continue();
    await expect.poll(() => paused.said).toMatch(/refused by Turn(Aborted|Ended)Error/);
    for (const { client } of [paused, other]) expect(await client.get(id).result()).toEqual(ended);
    // What it was sending when it was stopped it sends all the same.
    const told = () => summary(webhook.toldOnce);
    await expect.poll(told).toContain('FAILED: The agent was interrupted');
    expect(told()).toEqual(['task SUBMITTED', 'WORKING', 'FAILED: The agent was interrupted']);
  });

  it('one of them gets the message that continues a task, if both are sent one at the same moment', async () => {
    const url = await database();
    const agents = [await startDurable(url), await startDurable(url)];
    const { id } = await agents[0]!.client.send('x', { messageId: 'tck-input-required' }).task();
    const sends = await Promise.all(
      agents.map(({ client }) => client.send('sleep:500', { taskId: id }).then((outcome) => outcome)),
    );
    expect(sends.flatMap(({ result }) => (result?.task ? statusOf(result.task) : []))).toEqual(['COMPLETED']);
    expect(sends.flatMap(({ error }) => error?.reason ?? [])).toEqual(['UNSUPPORTED_OPERATION']);
    const { history } = await agents[1]!.client.get(id).result();
    expect(history?.filter(({ role }) => role === 'ROLE_USER')).toHaveLength(2);
  });
});

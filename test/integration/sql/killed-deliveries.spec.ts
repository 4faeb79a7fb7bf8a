import { expect, it } from 'vitest';
import { Webhook } from '../../support/webhook.js';
import { describeDurable } from '../faults/describe-durable.js';
import { startDurable } from '../faults/durable-agent.js';

const OPTIONS = { pushNotifications: { payload: 'task', pollInterval: 200, claimLease: 3_000 } } as const;
const ALL = ['SUBMITTED', 'WORKING', 'WORKING 1', 'WORKING 2', 'COMPLETED 2'];

describeDurable('a process that is killed during a delivery', (database) => {
  it('has what is left delivered by another one: in order, and under the same ids', async () => {
    const url = await database();
    const webhook = await Webhook.start((response, _post, index) => {
      // One delivery is done; the other is under way when the process dies.
      if (index !== 1) response.end();
    });
    const [dying] = await Promise.all([startDurable(url, OPTIONS), startDurable(url, OPTIONS)]);
    await dying.client.send('chunks:2', { taskPushNotificationConfig: { url: webhook.url } }).task();
    await expect.poll(() => webhook.posts.length).toBe(2);
    await dying.kill();
    await expect.poll(() => webhook.states).toEqual([ALL[0], ALL[1], ...ALL.slice(1)]);
    const ids = webhook.posts.map(({ headers }) => headers['x-a2a-notification-id']);
    expect([ids[2], new Set(ids).size]).toEqual([ids[1], ALL.length]);
  });
});

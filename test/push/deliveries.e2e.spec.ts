import { expect, it } from 'vitest';
import { describeAgent, obedient } from '../support/index.js';
import { LOOPBACK, Webhook } from '../support/webhook.js';
import { deliveryCases } from './delivery-cases.js';
import { statuses } from './webhook-receiver.js';

const pushNotifications = LOOPBACK;

describeAgent('Push notifications', (target) => {
  deliveryCases(target);

  it('O-PERS-01, O-MEM-03: what a shutdown makes of a task is told before the process ends', async () => {
    const webhook = await Webhook.start();
    const agent = await target.start({
      execute: obedient,
      pushNotifications: { ...pushNotifications, drainTimeout: 60_000 },
    });
    await agent
      .send('go', { returnImmediately: true, taskPushNotificationConfig: { url: webhook.url } })
      .task();
    await webhook.received(2);
    await agent.close();
    expect(webhook.states).toEqual(['SUBMITTED', 'WORKING', 'FAILED']);
  });

  it('O-MEM-03: a retry that is pending does not hold up the shutdown', async () => {
    const webhook = await Webhook.start(statuses(503));
    const agent = await target.start({
      execute: obedient,
      pushNotifications: {
        ...pushNotifications,
        drainTimeout: 50,
        retryConfig: { interval: 3_600_000, maxInterval: 3_600_000 },
      },
    });
    const stream = await agent.stream('go', { taskPushNotificationConfig: { url: webhook.url } }).result();
    await stream.next();
    await webhook.received(1);
    await agent.close();
  });
});

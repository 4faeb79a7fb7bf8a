import type { Task } from 'nest-a2a';
import { expect, it } from 'vitest';
import type { AgentClient } from '../../support/agent-client.js';
import { Webhook } from '../../support/webhook.js';
import { describeDurable } from './describe-durable.js';
import { startDurable } from './durable-agent.js';
import { storedEvents } from './stored-events.js';
import { toldOnce } from './told-once.js';

const SENDS = 200;

describeDurable('a process that is killed while many messages come', (database) => {
  it('ends every task that it has accepted, and tells webhooks of every change in its order', async () => {
    const url = await database();
    const agent = await startDurable(url);
    const webhook = await Webhook.start();
    const configuration = { returnImmediately: true, taskPushNotificationConfig: { url: webhook.url } };
    const accepted: string[] = [];
    const send = async () => accepted.push((await agent.client.send('pace:3:50', configuration).task()).id);
    // Whoever gets no answer tries again, as clients do.
    const sendUntilAccepted = async () => {
      while (!(await send().catch(() => undefined))) await new Promise((again) => setTimeout(again, 50));
    };
    const sending = Promise.all(Array.from({ length: SENDS }, sendUntilAccepted));
    await expect.poll(() => accepted.length, { interval: 5 }).toBeGreaterThan(SENDS / 4);
    await agent.kill();
    await agent.start();
    await sending;

    const tasks = () => allTasks(agent.client);
    const running = async () =>
      (await tasks()).filter(({ status }) => !isEnd(status.state)).map(({ id }) => id);
    await expect.poll(running, { interval: 200 }).toEqual([]);
    const stored = await storedEvents(
      url,
      (await tasks()).map(({ id }) => id),
    );
    expect(accepted.filter((id) => !stored.has(id))).toEqual([]);
    await expect.poll(() => toldOnce(webhook), { interval: 200 }).toEqual(stored);
  });
});

function isEnd(state: string): boolean {
  return state === 'TASK_STATE_COMPLETED' || state === 'TASK_STATE_FAILED';
}

async function allTasks(agent: AgentClient): Promise<Task[]> {
  const all: Task[] = [];
  let pageToken: string | undefined;
  do {
    const page = await agent.list({ pageSize: 100, ...(pageToken && { pageToken }) }).result();
    all.push(...page.tasks);
    pageToken = page.nextPageToken;
  } while (pageToken);
  return all;
}

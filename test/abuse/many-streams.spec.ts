import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { describeHttp } from '../support/describe-http.js';
import { deferred, type TestAgent } from '../support/index.js';
import { bytesInUse } from './heap.js';
import { expectNoProcessFaults } from './process-faults.js';

expectNoProcessFaults();

const HEADERS = { 'A2A-Version': '1.0' };

function subscribe(agent: TestAgent, id: string): Promise<IncomingMessage> {
  return agent.http.open('GET', `/a2a/tasks/${id}:subscribe`, { headers: HEADERS });
}

/** Runs `work` so and so many times, some of them at once. */
async function repeat(times: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < times; from += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, times - from) }, (_none, n) => work(from + n)));
  }
}

describeHttp('Many streams', (target) => {
  it('2,000 subscribers that leave leave nothing behind', async () => {
    const finish = deferred();
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working();
        await finish.promise;
        await task.complete('done');
      },
    });
    const { id } = await agent.send('go', { returnImmediately: true }).task();
    const comeAndGo = async (index: number) => {
      const response = await subscribe(agent, id);
      // Some before they have read anything, some after their first event.
      if (index % 2) await new Promise((resolve) => response.once('data', resolve));
      response.destroy();
    };
    const settled = () => expect.poll(() => [agent.openStreams, agent.engine.feeds.size]).toEqual([0, 0]);
    await repeat(200, 50, comeAndGo);
    await settled();
    const before = await bytesInUse();
    await repeat(2_000, 50, comeAndGo);
    await settled();
    // 1 KiB each, with what the clients of the same process leave.
    expect((await bytesInUse()) - before).toBeLessThan(2_000 * 1024);
    finish.resolve();
    await expect.poll(async () => (await agent.get(id).result()).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('1,000 idle streams are kept alive, hold up nobody, and all see the end', async () => {
    const finish = deferred();
    const agent = await target.start({
      keepAliveInterval: 1_000,
      execute: async ({ text }, task) => {
        if (text !== 'wait') return task.complete(text);
        await task.working();
        await finish.promise;
        await task.complete('done');
      },
    });
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push((await agent.send('wait', { returnImmediately: true }).task()).id);
    const streams: { text: string; ended: Promise<void> }[] = [];
    await repeat(1_000, 100, async (index) => {
      const response = await subscribe(agent, ids[index % ids.length]!);
      const stream = { text: '', ended: new Promise<void>((resolve) => response.once('end', resolve)) };
      response.setEncoding('utf8').on('data', (chunk: string) => (stream.text += chunk));
      streams.push(stream);
    });
    expect(agent.openStreams).toBe(1_000);
    await expect.poll(() => streams.every(({ text }) => text.includes(': keep-alive\n\n'))).toBe(true);
    for (let n = 0; n < 20; n++) await agent.send('meanwhile').task();
    finish.resolve();
    await Promise.all(streams.map(({ ended }) => ended));
    expect(streams.every(({ text }) => text.includes('TASK_STATE_COMPLETED'))).toBe(true);
    await expect.poll(() => [agent.openStreams, agent.engine.feeds.size]).toEqual([0, 0]);
  });
});

import { expect, it } from 'vitest';
import { InMemoryTaskStore } from 'nest-a2a';
import { describeHttp } from '../support/describe-http.js';
import { statusOf } from '../support/index.js';
import { expectNoProcessFaults } from './process-faults.js';

expectNoProcessFaults();

describeHttp('Turns that never end', (target) => {
  it('do not hold up a shutdown: 50 of them are aborted, their tasks fail and their clients are told', async () => {
    const signals: AbortSignal[] = [];
    const taskStore = new InMemoryTaskStore();
    const agent = await target.start({
      taskStore,
      shutdownTimeout: 300,
      execute: async ({ signal }, task) => {
        signals.push(signal);
        await task.working();
        await new Promise(() => undefined);
      },
    });
    const blocking = Array.from({ length: 20 }, () => agent.send('go').then((outcome) => outcome));
    const opened = await Promise.all(Array.from({ length: 20 }, () => agent.stream('go').result()));
    await Promise.all(Array.from({ length: 10 }, () => agent.send('go', { returnImmediately: true }).task()));
    await expect.poll(() => signals).toHaveLength(50);

    const started = performance.now();
    const closed = agent.app.close();
    const streams = await Promise.all(opened.map((stream) => stream.folded()));
    const outcomes = await Promise.all(blocking);
    agent.http.close();
    await closed;
    // Long before the ten seconds that are the default.
    expect(performance.now() - started).toBeLessThan(9_000);

    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(new Set(streams.map(statusOf))).toEqual(new Set(['FAILED: The agent was shut down']));
    for (const { result, error } of outcomes) {
      expect(error ?? statusOf(result.task!)).toBe('FAILED: The agent was shut down');
    }
    const { records, total } = await taskStore.list({ limit: 100 }, { agent: 'default' });
    expect([total, new Set(records.map(({ task }) => task.status.state))]).toEqual([
      50,
      new Set(['TASK_STATE_FAILED']),
    ]);
  });

  it('are refused while the application shuts down, and those that end in time are not cut off', async () => {
    let release = () => {};
    const agent = await target.start({
      shutdownTimeout: 60_000,
      execute: async (_context, task) => {
        await task.working();
        await new Promise<void>((resolve) => (release = resolve));
        await task.complete('in time');
      },
    });
    const stream = await agent.stream('go').result();
    await stream.find(({ statusUpdate }) => statusUpdate);
    const closed = agent.app.close();
    const late = async () => (await agent.send('late')).error;
    await expect.poll(late).toMatchObject({
      httpStatus: 503,
      status: 'UNAVAILABLE',
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    release();
    expect(statusOf(await stream.folded())).toBe('COMPLETED: in time');
    agent.http.close();
    await closed;
  });
});

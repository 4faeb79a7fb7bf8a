import { expect, it } from 'vitest';
import { deferred, describeBothVersions, historyOf, statusOf, summary } from '../support/index.js';

describeBothVersions('returnImmediately', (target) => {
  it('S-74: answers with the task before its first event, and the agent goes on', async () => {
    const release = deferred();
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working();
        await release.promise;
        await task.complete('done');
      },
    });
    const task = await agent.send('go', { returnImmediately: true }).task();
    expect(statusOf(task)).toBe('SUBMITTED');
    expect(historyOf(task)).toEqual(['go']);
    expect(statusOf(await agent.get(task.id).result())).toMatch(/^(SUBMITTED|WORKING)$/);
    release.resolve();
    await expect.poll(async () => statusOf(await agent.get(task.id).result())).toBe('COMPLETED: done');
  });

  it('on a continued task it answers with the task before the turn’s first event', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) =>
        text === 'first' ? task.requireInput('and?') : task.complete('done'),
    });
    const { id } = await agent.send('first').task();
    const task = await agent.send('second', { taskId: id, returnImmediately: true }).task();
    expect(statusOf(task)).toBe('INPUT_REQUIRED');
    expect(historyOf(task)).toEqual(['first', 'and?', 'second']);
    await expect.poll(async () => statusOf(await agent.get(id).result())).toBe('COMPLETED: done');
  });

  it('S-75: has no effect on a stream', async () => {
    const agent = await target.start({ execute: async () => ({ parts: [{ text: 'hello' }] }) });
    const stream = await agent.stream('go', { returnImmediately: true }).result();
    expect(summary(await stream.events())).toEqual(['message: hello']);
    expect(await agent.list().result()).toMatchObject({ totalSize: 0 });
  });

  it('S-76: a direct message completes the task with that message', async () => {
    const agent = await target.start({ execute: async () => ({ parts: [{ text: 'hello' }] }) });
    const { id } = await agent.send('go', { returnImmediately: true }).task();
    await expect.poll(async () => statusOf(await agent.get(id).result())).toBe('COMPLETED: hello');
    const { status, contextId } = await agent.get(id).result();
    expect(status.message).toMatchObject({ role: 'ROLE_AGENT', taskId: id, contextId });
  });

  it('O-PERS-01: an agent that fails later leaves no task at work', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        await task.working();
        if (text === 'throw') throw new Error('boom');
      },
    });
    const [threw, stopped] = [
      await agent.send('throw', { returnImmediately: true }).task(),
      await agent.send('return', { returnImmediately: true }).task(),
    ];
    await expect.poll(async () => statusOf(await agent.get(threw.id).result())).toBe('FAILED: boom');
    await expect
      .poll(async () => statusOf(await agent.get(stopped.id).result()))
      .toMatch(/^FAILED: The agent stopped/);
  });

  it('historyLength trims the answer', async () => {
    const agent = await target.start({ execute: (_context, task) => task.complete() });
    const task = await agent.send('go', { returnImmediately: true, historyLength: 0 }).task();
    expect(task).not.toHaveProperty('history');
  });
});

import { ContentTypeNotSupportedError, TaskNotCancelableError } from 'nest-a2a';
import { expect, it } from 'vitest';
import { describeBothVersions, statusOf, summary } from '../support/index.js';

describeBothVersions('An agent that fails', (target) => {
  it.each([
    ['rejects', async () => Promise.reject(new Error('boom'))],
    [
      'throws at once',
      () => {
        throw new Error('boom');
      },
    ],
  ])(
    'O-SEND-11, S-70, S-71, S-72: the task is FAILED with the message of the error if it %s',
    async (_title, execute) => {
      const agent = await target.start({ execute });
      const task = await agent.send('hi').task();
      expect(statusOf(task)).toBe('FAILED: boom');
      expect(task.status.message).toMatchObject({
        role: 'ROLE_AGENT',
        taskId: task.id,
        contextId: task.contextId,
      });
      expect(JSON.stringify(task)).not.toContain('.ts:');
      expect(await agent.get(task.id).result()).toEqual(task);
      expect(agent.log.of('error').join('\n')).toContain('boom');
      // Neither crashed: the next one is served.
      expect(statusOf(await agent.send('again').task())).toBe('FAILED: boom');
      expect(agent.engine.drivenTasks).toBe(0);
    },
  );

  it.each([['a string'], [undefined], [{ odd: true }]])(
    'whatever is thrown fails the task: %s',
    async (thrown) => {
      const agent = await target.start({
        execute: () => {
          throw thrown;
        },
      });
      expect(statusOf(await agent.send('hi').task())).toMatch(/^FAILED: .+/);
    },
  );

  it('O-SEND-11: an A2AError before the first update is the answer, and leaves no task behind', async () => {
    const agent = await target.start({
      execute: async () => {
        throw new ContentTypeNotSupportedError('no pictures', { metadata: { mediaType: 'image/png' } });
      },
    });
    for (const call of [agent.send('hi'), agent.stream('hi')]) {
      expect(await call.error()).toMatchObject({
        httpStatus: 400,
        code: -32005,
        reason: 'CONTENT_TYPE_NOT_SUPPORTED',
        message: 'no pictures',
        metadata: { mediaType: 'image/png' },
      });
    }
    expect(await agent.list().result()).toMatchObject({ totalSize: 0 });
    expect(agent.engine.drivenTasks).toBe(0);
  });

  it('S-71: an A2AError after the first update fails the task', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working();
        throw new TaskNotCancelableError('odd');
      },
    });
    expect(statusOf(await agent.send('hi').task())).toBe('FAILED: odd');
    const stream = await agent.stream('hi').result();
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'WORKING', 'FAILED: odd']);
  });

  it('under returnImmediately an A2AError fails the task, which is there already', async () => {
    const agent = await target.start({
      execute: async () => {
        throw new ContentTypeNotSupportedError('no pictures');
      },
    });
    const { id } = await agent.send('hi', { returnImmediately: true }).task();
    await expect.poll(async () => statusOf(await agent.get(id).result())).toBe('FAILED: no pictures');
  });

  it('in a later turn an A2AError fails the task', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        if (text === 'first') return task.requireInput('and?');
        throw new ContentTypeNotSupportedError('no pictures');
      },
    });
    const { id } = await agent.send('first').task();
    expect(statusOf(await agent.send('second', { taskId: id }).task())).toBe('FAILED: no pictures');
  });

  it('hideErrorMessages puts a general sentence in place of the error’s message', async () => {
    const agent = await target.start({
      hideErrorMessages: true,
      execute: async () => {
        throw new Error('password=x');
      },
    });
    const task = await agent.send('hi').task();
    expect(statusOf(task)).toBe('FAILED: The agent failed');
    expect(JSON.stringify(task)).not.toContain('password');
    expect(agent.log.of('error').join('\n')).toContain('password=x');
  });

  it('O-PERS-01: an agent that returns without finishing fails the task, and its streams end', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        if (text === 'working') await task.working();
      },
    });
    for (const text of ['nothing', 'working']) {
      const task = await agent.send(text).task();
      expect(statusOf(task)).toBe('FAILED: The agent stopped without finishing the task');
      expect(agent.log.of('warn').at(-1)).toContain(
        `Task ${task.id}: execute() returned, but the task has not`,
      );
    }
    const stream = await agent.stream('working').result();
    expect(summary(await stream.events()).at(-1)).toMatch(/^FAILED/);
  });

  it('an agent that ends in a state of an earlier turn has not finished this one', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        if (text === 'first') await task.requireInput('and?');
      },
    });
    const { id } = await agent.send('first').task();
    expect(statusOf(await agent.send('second', { taskId: id }).task())).toMatch(/^FAILED: The agent stopped/);
  });
});

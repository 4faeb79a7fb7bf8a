import { TaskNotCancelableError, UnsupportedOperationError } from 'nest-a2a';
import { expect, it } from 'vitest';
import { deferred, describeAgent, obedient, startTask, statusOf, summary } from '../support/index.js';

describeAgent('The cancel hook of an agent', (target) => {
  it('O-CANCEL-05: is asked first, with the metadata of the request', async () => {
    const asked = deferred<unknown>();
    const { agent, id } = await startTask(target, {
      execute: obedient,
      cancel: async (context, task) => {
        const { metadata, signal, taskId, task: now } = context;
        asked.resolve({
          metadata,
          aborted: signal.aborted,
          taskId,
          state: now?.status.state,
          updater: task.taskId,
        });
      },
    });
    await agent.cancel(id, { metadata: { reason: 'x' } }).result();
    expect(await asked.promise).toEqual({
      metadata: { reason: 'x' },
      aborted: false,
      taskId: id,
      state: 'TASK_STATE_WORKING',
      updater: id,
    });
  });

  it.each([new TaskNotCancelableError('not now'), new UnsupportedOperationError('not now')])(
    'O-CANCEL-06: refuses with $name: the task goes on, not aborted',
    async (refusal) => {
      const release = deferred();
      const { agent, stream, id } = await startTask(target, {
        execute: async ({ signal }, task) => {
          await task.working();
          await release.promise;
          await task.complete(signal.aborted ? 'aborted' : 'done');
        },
        cancel: () => Promise.reject(refusal),
      });
      expect(await agent.cancel(id).error()).toMatchObject({
        httpStatus: 400,
        code: -32002,
        reason: 'TASK_NOT_CANCELABLE',
        message: 'not now',
      });
      expect(statusOf(await agent.get(id).result())).toBe('WORKING');
      release.resolve();
      expect(summary(await stream.events()).at(-1)).toBe('COMPLETED: done');
    },
  );

  it('O-CANCEL-06: another error is a 500 without internals, and the task goes on, not aborted', async () => {
    const release = deferred();
    const { agent, stream, id } = await startTask(target, {
      execute: async ({ signal }, task) => {
        await task.working();
        await release.promise;
        await task.complete(signal.aborted ? 'aborted' : 'done');
      },
      cancel: () => Promise.reject(new Error('password=x')),
    });
    const error = await agent.cancel(id).error();
    expect(error).toMatchObject({ httpStatus: 500, code: -32603, status: 'INTERNAL' });
    expect(JSON.stringify(error)).not.toContain('password');
    expect(agent.log.of('error').join()).toContain('password=x');
    release.resolve();
    expect(summary(await stream.events()).at(-1)).toBe('COMPLETED: done');
  });

  it('S-83: a task whose cancel was refused while it waited can still be continued', async () => {
    const agent = await target.start({
      execute: ({ text }, task) => (text === 'first' ? task.requireInput('which?') : task.complete('done')),
      cancel: () => Promise.reject(new TaskNotCancelableError('not now')),
    });
    const { id } = await agent.send('first').task();
    expect(await agent.cancel(id).error()).toMatchObject({ reason: 'TASK_NOT_CANCELABLE' });
    expect(statusOf(await agent.get(id).result())).toBe('INPUT_REQUIRED: which?');
    expect(agent.engine.drivenTasks).toBe(0);
    expect(statusOf(await agent.send('second', { taskId: id }).task())).toBe('COMPLETED: done');
  });

  it('O-CANCEL-01: may complete the task: then the cancel has lost, and the result stands', async () => {
    const { agent, stream, id } = await startTask(target, {
      execute: obedient,
      cancel: (_context, task) => task.complete('just in time'),
    });
    expect(await agent.cancel(id).error()).toMatchObject({ httpStatus: 400, reason: 'TASK_NOT_CANCELABLE' });
    expect(statusOf(await agent.get(id).result())).toBe('COMPLETED: just in time');
    expect(summary(await stream.events()).at(-1)).toBe('COMPLETED: just in time');
  });

  it('may cancel the task itself, and say something about it', async () => {
    const { agent, id } = await startTask(target, {
      execute: obedient,
      cancel: (_context, task) => task.cancel('cleaned up'),
    });
    expect(statusOf(await agent.cancel(id).result())).toBe('CANCELED: cleaned up');
  });

  it('that never answers does not hold the cancel up', async () => {
    const { agent, id } = await startTask(target, {
      cancelTimeout: 30,
      execute: obedient,
      cancel: () => new Promise(() => undefined),
    });
    expect(statusOf(await agent.cancel(id).result())).toBe('CANCELED');
  });
});

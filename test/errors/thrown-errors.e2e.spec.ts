import { AuthorizationError, InvalidParamsError, ResourceExhaustedError, TaskNotFoundError } from 'nest-a2a';
import { expect, it } from 'vitest';
import { describeAgent, statusOf, textOf } from '../support/index.js';

describeAgent('An A2AError that an agent throws', (target) => {
  it('violations of its own reach the caller', async () => {
    const violations = [{ field: 'message.parts[0].data.city', description: 'must be a city' }];
    const agent = await target.start({ execute: () => Promise.reject(new InvalidParamsError(violations)) });
    expect(await agent.send('go').error()).toMatchObject({ httpStatus: 400, code: -32602, violations });
  });

  it('with an HTTP status of its own it is that status', async () => {
    const agent = await target.start({
      execute: ({ text }) =>
        Promise.reject(
          text === 'busy'
            ? new ResourceExhaustedError('later', { retryAfter: 7 })
            : new AuthorizationError('not you'),
        ),
    });
    const busy = await agent.send('busy').error();
    expect(busy).toMatchObject({ httpStatus: 429, status: 'RESOURCE_EXHAUSTED', message: 'later' });
    expect(busy.headers['retry-after']).toBe('7');
    expect(await agent.send('go').error()).toMatchObject({ httpStatus: 403, status: 'PERMISSION_DENIED' });
  });

  it('O-ERR-01: of another copy of the package it means the same', async () => {
    const agent = await target.start({
      execute: async () => {
        // A query makes another module of the same file.
        const file = '../../lib/protocol/errors/errors.ts?copy';
        const copy = (await import(file)) as { TaskNotFoundError: typeof TaskNotFoundError };
        const error = new copy.TaskNotFoundError('elsewhere');
        expect(error).not.toBeInstanceOf(TaskNotFoundError);
        throw error;
      },
    });
    expect(await agent.send('go').error()).toMatchObject({
      httpStatus: 404,
      code: -32001,
      reason: 'TASK_NOT_FOUND',
      metadata: { taskId: 'elsewhere' },
    });
  });

  it('S-72: whatever an agent throws, its task has failed, and says why if that can be told', async () => {
    const noText = Object.assign(new Error('x'), { message: { code: 1 } });
    const unreadable = new Proxy(new Error('x'), {
      get: () => {
        throw new Error('not readable');
      },
    });
    const general = 'The agent failed';
    const thrown: [unknown, string][] = [
      [noText, general],
      [unreadable, general],
      [new Error(''), general],
      [Object.create(null), general],
      [Object.freeze(new Error('frozen')), 'frozen'],
      ['text', 'text'],
      [Symbol('s'), 'Symbol(s)'],
    ];
    for (const [error, text] of thrown) {
      const agent = await target.start({
        execute: async (context, task) => {
          if (context.text !== 'at once') await task.working();
          if (context.text === 'late') await task.complete();
          throw error;
        },
      });
      for (const when of ['at once', 'at work']) {
        const { status } = await agent.send(when).task();
        expect([status.state, textOf(status.message)]).toEqual(['TASK_STATE_FAILED', text]);
      }
      expect(statusOf(await agent.send('late').task())).toBe('COMPLETED');
      await expect.poll(() => agent.engine.drivenTasks).toBe(0);
    }
  });

  it('S-72: errors that nobody waits for end nothing', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.complete('done');
        // Refused, and not awaited.
        void task.working();
        void task.addArtifact([{ text: 'x' }]);
        void task.publish({} as never);
        throw new Error('after the end');
      },
    });
    await agent.send('go').task();
    await agent.send('go', { returnImmediately: true }).task();
    // A rejection that nobody handles would fail the run.
    await new Promise(setImmediate);
    await expect.poll(() => agent.engine.drivenTasks).toBe(0);
  });
});

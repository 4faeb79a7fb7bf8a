import { AuthorizationError, InvalidParamsError, ResourceExhaustedError, TaskNotFoundError } from 'nest-a2a';
import { expect, it } from 'vitest';
import { describeAgent } from '../support/index.js';

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

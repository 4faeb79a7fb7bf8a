import { expect, it, vi } from 'vitest';
import { deferred, describeBothVersions, historyOf, statusOf, summary, textOf } from '../support/index.js';

describeBothVersions('A message to a task', (target) => {
  it('O-SEND-01, S-79: an unknown taskId is TaskNotFoundError, and makes no task', async () => {
    const execute = vi.fn(async () => undefined);
    const agent = await target.start({ execute });
    const refusals = [
      await agent.send('hi', { taskId: 'no-such' }),
      await agent.stream('hi', { taskId: 'no-such' }),
    ];
    for (const { error } of refusals) {
      expect(error).toMatchObject({
        httpStatus: 404,
        code: -32001,
        status: 'NOT_FOUND',
        reason: 'TASK_NOT_FOUND',
      });
      expect(error?.metadata).toEqual({ taskId: 'no-such' });
    }
    expect(execute).not.toHaveBeenCalled();
    expect(await agent.get('no-such').error()).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect(await agent.list().result()).toMatchObject({ totalSize: 0 });
  });

  it.each(['complete', 'fail', 'cancel', 'reject'] as const)(
    'O-SEND-02, S-81: a task that ended with %s takes no more messages',
    async (end) => {
      let runs = 0;
      const agent = await target.start({
        execute: async (_context, task) => {
          runs++;
          await task[end]('over');
        },
      });
      const task = await agent.send('first').task();
      const { error } = await agent.send('more', { taskId: task.id });
      expect(error).toMatchObject({ httpStatus: 400, code: -32004, reason: 'UNSUPPORTED_OPERATION' });
      // The driver accepts no event stream as an error, so this one was refused before its first byte.
      expect(await agent.stream('more', { taskId: task.id }).error()).toMatchObject({
        httpStatus: 400,
        reason: 'UNSUPPORTED_OPERATION',
      });
      expect(runs).toBe(1);
      expect(await agent.get(task.id).result()).toEqual(task);
    },
  );

  it('O-SEND-03, S-80: a contextId that is not the task’s is refused and leaves no trace', async () => {
    let runs = 0;
    const agent = await target.start({
      execute: async (_context, task) => {
        runs++;
        await task.requireInput('which?');
      },
    });
    const task = await agent.send('hi', { contextId: 'c1' }).task();
    expect(task.contextId).toBe('c1');
    const refusals = [
      await agent.send('go', { taskId: task.id, contextId: 'c2' }),
      await agent.stream('go', { taskId: task.id, contextId: 'c2' }),
    ];
    for (const { error } of refusals) {
      expect(error).toMatchObject({ httpStatus: 400, code: -32602, status: 'INVALID_ARGUMENT' });
      expect(error?.violations.map(({ field }) => field)).toEqual(['message.contextId']);
    }
    expect(runs).toBe(1);
    expect(JSON.stringify(await agent.get(task.id).result())).toBe(JSON.stringify(task));
  });

  it('O-SEND-10, O-SEND-15, S-67, S-78: each message and each superseded status message is in the history once, in order', async () => {
    const agent = await target.start({
      execute: async ({ text, task: before }, task) => {
        if (text === 'first') return task.requireInput('q1');
        expect(before?.history?.map(textOf)).toEqual(['first', 'q1', 'second']);
        await task.working('on it');
        await task.complete('done');
      },
    });
    const first = await agent.send('first', { messageId: 'm-1' }).task();
    expect(historyOf(first)).toEqual(['first']);
    const second = await agent.send('second', { messageId: 'm-2', taskId: first.id }).task();
    expect(statusOf(second)).toBe('COMPLETED: done');
    expect(historyOf(second)).toEqual(['first', 'q1', 'second', 'on it']);
    const ids = second.history!.map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(4);
    expect([ids[0], ids[2]]).toEqual(['m-1', 'm-2']);
    for (const message of [...second.history!, second.status.message]) {
      expect(message).toMatchObject({ taskId: first.id, contextId: first.contextId });
    }
    expect(await agent.get(first.id).result()).toEqual(second);
  });

  it('O-SEND-14: a bare Task that the agent publishes in a later turn wipes nothing', async () => {
    const agent = await target.start({
      execute: async ({ text, taskId, contextId }, task) => {
        if (text === 'first') {
          await task.addArtifact([{ text: 'kept' }], { artifactId: 'a1' });
          return task.requireInput('q1');
        }
        await task.publish({ task: { id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' } } });
        await task.complete();
      },
    });
    const { id } = await agent.send('first').task();
    const task = await agent.send('second', { taskId: id }).task();
    expect(task.artifacts?.map(textOf)).toEqual(['kept']);
    expect(historyOf(task)).toEqual(['first', 'q1', 'second']);
    expect(statusOf(task)).toBe('COMPLETED');
  });

  it('S-82: a message to a task whose turn is running is refused, and leaves no trace', async () => {
    const release = deferred();
    let runs = 0;
    const agent = await target.start({
      execute: async (_context, task) => {
        runs++;
        await task.working();
        await release.promise;
        await task.complete();
      },
    });
    const stream = await agent.stream('first').result();
    const { task } = (await stream.next())!;
    for (const call of [
      agent.send('second', { taskId: task!.id }),
      agent.stream('second', { taskId: task!.id }),
    ]) {
      expect(await call.error()).toMatchObject({
        httpStatus: 400,
        code: -32004,
        reason: 'UNSUPPORTED_OPERATION',
      });
    }
    release.resolve();
    expect(historyOf(await stream.folded())).toEqual(['first']);
    expect(historyOf(await agent.get(task!.id).result())).toEqual(['first']);
    expect(runs).toBe(1);
  });

  it('S-82: an agent that is still busy after INPUT_REQUIRED has ended its turn', async () => {
    const busy = deferred();
    const late = deferred<unknown>();
    const agent = await target.start({
      execute: async ({ text }, task) => {
        if (text === 'second') return task.complete('by the second turn');
        await task.requireInput('q1');
        await busy.promise;
        task.complete('by the first turn').then(late.resolve, late.resolve);
      },
    });
    const { id } = await agent.send('first').task();
    const stream = await agent.stream('second', { taskId: id }).result();
    busy.resolve();
    expect(await late.promise).toMatchObject({ name: 'TurnEndedError' });
    expect(summary(await stream.events())).toEqual(['task INPUT_REQUIRED', 'COMPLETED: by the second turn']);
  });

  it.each(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_AUTH_REQUIRED'] as const)(
    'S-83: a task that nobody drives can be continued in %s',
    async (state) => {
      const agent = await target.start({
        execute: async ({ text, taskId, contextId }, task) => {
          if (text === 'second') return task.complete('done');
          await task.publish({ statusUpdate: { taskId, contextId, status: { state } } });
          task.handOver();
        },
      });
      const { id } = await agent.send('first', { returnImmediately: true }).task();
      await expect.poll(async () => agent.engine.runningTurns).toBe(0);
      await expect.poll(async () => (await agent.get(id).result()).status.state).toBe(state);
      expect(statusOf(await agent.send('second', { taskId: id }).task())).toBe('COMPLETED: done');
    },
  );

  it('a client’s contextId is kept over tasks, and the one the server made can be used', async () => {
    const agent = await target.start({ execute: (_context, task) => task.complete() });
    const first = await agent.send('one').task();
    expect(first.contextId).toMatch(/.+/);
    const second = await agent.send('two', { contextId: first.contextId! }).task();
    expect(second.contextId).toBe(first.contextId);
    expect(second.id).not.toBe(first.id);
    const listed = await agent.list({ contextId: first.contextId! }).result();
    expect(listed.tasks.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
  });
});

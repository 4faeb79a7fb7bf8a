import { UnsupportedOperationError, type TaskUpdater } from 'nest-a2a';
import { expect, it, vi } from 'vitest';
import {
  deferred,
  describeAgent,
  describeBothVersions,
  obedient,
  startTask,
  statusOf,
  summary,
  untilAborted,
} from '../support/index.js';

describeBothVersions('A cancel', (target) => {
  it('O-CANCEL-04: aborts the signal, and answers with the CANCELED task as it is stored', async () => {
    const reason = deferred<unknown>();
    const { agent, stream, id } = await startTask(target, {
      execute: async ({ signal }, task) => {
        await task.working();
        reason.resolve(await untilAborted(signal));
      },
    });
    const canceled = await agent.cancel(id).result();
    expect(statusOf(canceled)).toBe('CANCELED');
    expect(await reason.promise).toMatchObject({ name: 'TurnAbortedError', why: 'canceled' });
    expect(await agent.get(id).result()).toEqual(canceled);
    expect(await stream.folded()).toEqual(canceled);
    expect(agent.engine.drivenTasks).toBe(0);
  });

  it('a blocking send returns with the CANCELED task', async () => {
    const agent = await target.start({ execute: obedient });
    const sent = agent.send('go');
    await expect.poll(async () => (await agent.list().result()).totalSize).toBe(1);
    const { id } = (await agent.list().result()).tasks[0]!;
    const canceled = await agent.cancel(id).result();
    expect(await sent.task()).toEqual(canceled);
  });

  it.each([
    ['throws', async () => Promise.reject(new Error('interrupted'))],
    ['throws an A2AError', async () => Promise.reject(new UnsupportedOperationError('x'))],
    ['returns a message', async () => ({ parts: [{ text: 'too late' }] })],
    ['completes', async (task: TaskUpdater) => task.complete('too late')],
    ['adds an artifact', (task: TaskUpdater) => task.appendArtifact('a1', [{ text: 'too late' }])],
  ])('whatever the agent does when aborted, the task is CANCELED: it %s', async (_title, react) => {
    const { agent, stream, id } = await startTask(target, {
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
        return react(task);
      },
    });
    const canceled = await agent.cancel(id).result();
    expect(statusOf(canceled)).toBe('CANCELED');
    expect(canceled).not.toHaveProperty('artifacts');
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'WORKING', 'CANCELED']);
    expect(await agent.get(id).result()).toEqual(canceled);
  });

  it('an aborted agent may say why it stops', async () => {
    const { agent, id } = await startTask(target, {
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
        await task.cancel('stopped at page 7');
      },
    });
    expect(statusOf(await agent.cancel(id).result())).toBe('CANCELED: stopped at page 7');
  });

  it('O-CANCEL-02: the answer comes within cancelTimeout though the agent ignores it, and later updates are dropped', async () => {
    const release = deferred();
    const late = deferred<PromiseSettledResult<unknown>[]>();
    const { agent, stream, id } = await startTask(target, {
      cancelTimeout: 30,
      execute: async (_context, task) => {
        await task.working();
        await release.promise;
        late.resolve(await Promise.allSettled([task.addArtifact([{ text: 'x' }]), task.complete()]));
      },
    });
    const canceled = await agent.cancel(id).result();
    expect(statusOf(canceled)).toBe('CANCELED');
    release.resolve();
    expect((await late.promise).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await agent.get(id).result()).toEqual(canceled);
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'WORKING', 'CANCELED']);
  });

  it.each(['complete', 'fail', 'reject', 'cancel'] as const)(
    'O-CANCEL-03: a task that ended with %s is TaskNotCancelableError, and nothing is asked or changed',
    async (end) => {
      const cancel = vi.fn(async () => undefined);
      const agent = await target.start({ execute: (_context, task) => task[end](), cancel });
      const task = await agent.send('go').task();
      expect(await agent.cancel(task.id).error()).toMatchObject({
        httpStatus: 400,
        code: -32002,
        reason: 'TASK_NOT_CANCELABLE',
      });
      expect(cancel).not.toHaveBeenCalled();
      expect(await agent.get(task.id).result()).toEqual(task);
    },
  );

  it('O-CANCEL-03: a second cancel is refused, and the agent was asked once', async () => {
    const cancel = vi.fn(async () => undefined);
    const { agent, id } = await startTask(target, { execute: obedient, cancel });
    const canceled = await agent.cancel(id).result();
    expect(await agent.cancel(id).error()).toMatchObject({
      reason: 'TASK_NOT_CANCELABLE',
      metadata: { taskId: id },
    });
    expect(cancel).toHaveBeenCalledOnce();
    expect(await agent.get(id).result()).toEqual(canceled);
  });

  it('two cancels at once ask the agent once and give the same task', async () => {
    let asked = 0;
    const hook = deferred();
    const { agent, id } = await startTask(target, {
      execute: obedient,
      cancel: async () => {
        asked++;
        await hook.promise;
      },
    });
    const calls = [agent.cancel(id), agent.cancel(id)];
    await expect.poll(() => asked).toBe(1);
    hook.resolve();
    const outcomes = await Promise.all(calls);
    expect(outcomes.map(({ result, error }) => result?.status.state ?? error?.reason)).toContain(
      'TASK_STATE_CANCELED',
    );
    for (const { error } of outcomes) if (error) expect(error.reason).toBe('TASK_NOT_CANCELABLE');
    expect(asked).toBe(1);
  });

  it('an unknown task is TaskNotFoundError', async () => {
    const agent = await target.start({ execute: obedient });
    expect(await agent.cancel('nope').error()).toMatchObject({ httpStatus: 404, reason: 'TASK_NOT_FOUND' });
  });

  it('a task that waits for input is canceled without a run', async () => {
    let runs = 0;
    const agent = await target.start({
      execute: async (_context, task) => {
        runs++;
        await task.requireInput('which?');
      },
    });
    const { id } = await agent.send('go').task();
    const follower = await agent.subscribe(id).result();
    await follower.next();
    const canceled = await agent.cancel(id).result();
    expect(statusOf(canceled)).toBe('CANCELED');
    expect(canceled.history?.map(({ parts }) => parts[0]?.text)).toEqual(['go', 'which?']);
    expect(summary(await follower.events())).toEqual(['task INPUT_REQUIRED', 'CANCELED']);
    expect(runs).toBe(1);
    expect([agent.engine.runningTurns, agent.engine.drivenTasks]).toEqual([0, 0]);
  });

  it('a task that waits can be canceled where no turn has room', async () => {
    const agent = await target.start({
      limits: { runningTurns: 1 },
      execute: ({ text }, task) =>
        text === 'wait' ? task.requireInput('which?') : new Promise(() => undefined),
    });
    const { id } = await agent.send('wait').task();
    await agent.send('run', { returnImmediately: true }).task();
    expect(await agent.send('more').error()).toMatchObject({ httpStatus: 503, status: 'UNAVAILABLE' });
    expect(statusOf(await agent.cancel(id).result())).toBe('CANCELED');
  });

  it('a task at AUTH_REQUIRED is canceled, and the agent that waits is told', async () => {
    const messages = deferred<unknown[]>();
    const agent = await target.start({
      execute: async (context, task) => {
        await task.requireAuth('log in');
        const seen: unknown[] = [];
        for await (const message of context.messages) seen.push(message);
        messages.resolve([...seen, context.signal.aborted]);
      },
    });
    const { id } = await agent.send('go').task();
    expect(statusOf(await agent.cancel(id).result())).toBe('CANCELED');
    expect(await messages.promise).toEqual([true]);
  });
});

describeAgent('The route of a cancel', (target) => {
  it.each([
    ['nothing at all', undefined, {}],
    ['an empty body', '', { 'Content-Type': 'application/a2a+json' }],
    ['{}', '{}', { 'Content-Type': 'application/json' }],
    ['metadata', '{"metadata":{"reason":"x"}}', { 'Content-Type': 'application/a2a+json' }],
  ])('O-CANCEL-05: takes %s', async (_title, body, headers) => {
    const { agent, id } = await startTask(target, { execute: obedient });
    const { status, json } = await agent.request('POST', `${agent.base}/tasks/${id}:cancel`, {
      headers,
      body,
    });
    expect([status, json.status?.state]).toEqual([200, 'TASK_STATE_CANCELED']);
  });
});

import type { AgentExecutor, RequestContext, Task } from 'nest-a2a';
import { systemScope, TaskNotCancelableError } from 'nest-a2a';
import { expect, it, vi } from 'vitest';
import {
  deferred,
  describeAgentInPairs,
  historyOf,
  ownerByHeader,
  statusOf,
  summary,
  untilAborted,
  type TestAgent,
} from '../support/index.js';
import { Processes } from '../support/processes.js';

/** Works until its process ends. */
const endless: AgentExecutor['execute'] = async ({ signal }, task) => {
  await task.working();
  await task.addArtifact([{ text: 'half' }], { artifactId: 'a' });
  await untilAborted(signal);
};

const finish: AgentExecutor['execute'] = async (_context, task) => {
  await task.complete('done');
};

/** The task once it is in a state. */
async function until(agent: TestAgent, id: string, status: string | RegExp): Promise<Task> {
  await expect.poll(async () => statusOf(await agent.get(id).result()), { interval: 5 }).toMatch(status);
  return agent.get(id).result();
}

/** A task on which the agent has done half of its work. */
async function halfDone(agent: TestAgent, text = 'go', options: object = {}): Promise<Task> {
  const stream = await agent.stream(text, options).result();
  const { id } = (await stream.next())!.task!;
  await stream.find(({ artifactUpdate }) => artifactUpdate);
  return agent.get(id).result();
}

describeAgentInPairs('A process that went away', (target) => {
  it('S-72, O-PERS-01: leaves no task at work for ever: by default it fails, and says why', async () => {
    const processes = await Processes.on(target);
    const first = await processes.start({ execute: endless });
    const task = await halfDone(first);
    await processes.kill(first);
    const execute = vi.fn(finish);
    const second = await processes.start({ execute });
    const failed = await until(second, task.id, /^FAILED/);
    expect(statusOf(failed)).toBe('FAILED: The agent was interrupted');
    expect(failed.artifacts).toEqual(task.artifacts);
    expect(execute).not.toHaveBeenCalled();
    expect(await processes.database.get(task.id, systemScope('default'))).not.toHaveProperty('run');
  });

  it('shows its followers elsewhere how the task ends', async () => {
    const processes = await Processes.on(target);
    const first = await processes.start({ execute: endless });
    const second = await processes.start({ execute: endless });
    const task = await halfDone(first);
    const stream = await second.subscribe(task.id).result();
    await stream.next();
    await processes.kill(first);
    expect(summary(await stream.events())).toEqual(['task WORKING', 'FAILED: The agent was interrupted']);
  });

  it('with "retry" the agent gets the same message again, and what it has done so far', async () => {
    const processes = await Processes.on(target);
    const options = { recovery: 'retry', ownerResolver: ownerByHeader } as const;
    const first = await processes.start({ ...options, execute: endless });
    const asked = { acceptedOutputModes: ['text/plain'], metadata: { k: [null] } };
    const task = await halfDone(first.as('anna'), 'go', asked);
    await processes.kill(first);
    const seen = deferred<[RequestContext, Task | undefined]>();
    const second = await processes.start({
      ...options,
      execute: async (context, updater) => {
        seen.resolve([context, context.task]);
        await updater.appendArtifact('a', [{ text: 'whole' }]);
        await updater.complete('done');
      },
    });
    const done = await until(second.as('anna'), task.id, 'COMPLETED: done');
    expect(done.artifacts?.[0]?.parts).toEqual([{ text: 'half' }, { text: 'whole' }]);
    expect(historyOf(done)).toEqual(['go']);
    const [context, before] = await seen.promise;
    expect(context).toMatchObject({ attempt: 2, text: 'go', taskId: task.id, ...asked });
    expect(context.message).toEqual(task.history![0]);
    expect(before?.artifacts).toEqual(task.artifacts);
    expect(context.call).toMatchObject({ version: '1.0', headers: {} });
    expect(await second.as('berta').get(task.id).error()).toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });

  it('with "retry" a continued task goes on with its last message', async () => {
    const processes = await Processes.on(target);
    const ask: AgentExecutor['execute'] = (context, task) =>
      context.text === 'first' ? task.requireInput('which?') : endless(context, task);
    const first = await processes.start({ recovery: 'retry', execute: ask });
    const { id: taskId } = await first.send('first').task();
    await first.send('second', { taskId, returnImmediately: true }).task();
    await until(first, taskId, 'WORKING');
    await processes.kill(first);
    const second = await processes.start({
      recovery: 'retry',
      execute: ({ text, attempt }, task) => task.complete(`${text} ${attempt}`),
    });
    const done = await until(second, taskId, 'COMPLETED: second 2');
    expect(historyOf(done)).toEqual(['first', 'which?', 'second']);
  });

  it('a message is tried as often as the option says, and then the task fails', async () => {
    const processes = await Processes.on(target);
    const options = { recovery: 'retry', recoveryAttempts: 3 } as const;
    const attempts: number[] = [];
    const execute: AgentExecutor['execute'] = async (context, task) => {
      attempts.push(context.attempt);
      await task.working(`attempt ${context.attempt}`);
      await untilAborted(context.signal);
    };
    let agent = await processes.start({ ...options, execute });
    const { id } = await agent.send('go', { returnImmediately: true }).task();
    for (const attempt of [1, 2, 3]) {
      await until(agent, id, `WORKING: attempt ${attempt}`);
      await processes.kill(agent);
      agent = await processes.start({ ...options, execute });
    }
    expect(statusOf(await until(agent, id, /^FAILED/))).toBe(
      'FAILED: The agent was interrupted in 3 attempts',
    );
    expect(attempts).toEqual([1, 2, 3]);
  });

  it('a task that waits goes on waiting, be it for input or for an authorization', async () => {
    const processes = await Processes.on(target);
    const first = await processes.start({
      recovery: 'retry',
      execute: async ({ text, signal }, task) => {
        if (text === 'input') return task.requireInput('which?');
        await task.requireAuth('log in');
        await untilAborted(signal);
      },
    });
    const tasks = [await first.send('input').task(), await first.send('auth').task()];
    await processes.kill(first);
    const execute = vi.fn(finish);
    const second = await processes.start({ recovery: 'retry', execute });
    const runs = () =>
      Promise.all(tasks.map(async ({ id }) => (await second.store.get(id, systemScope('default')))!.run));
    await expect.poll(runs).toEqual([undefined, undefined]);
    for (const task of tasks) expect(await second.get(task.id).result()).toEqual(task);
    expect(execute).not.toHaveBeenCalled();
    for (const { id: taskId } of tasks)
      expect(statusOf(await second.send('here', { taskId }).task())).toBe('COMPLETED: done');
  });

  it('what a task got that waited for input is not lost, although the agent had said nothing to it yet', async () => {
    const processes = await Processes.on(target);
    const execute: AgentExecutor['execute'] = async ({ text, signal, attempt }, task) => {
      if (text === 'ask') return task.requireInput('which?');
      if (attempt === 1) await untilAborted(signal);
      await task.complete(`${text}, attempt ${attempt}`);
    };
    for (const [recovery, end] of [
      ['fail', 'FAILED: The agent was interrupted'],
      ['retry', 'COMPLETED: this one, attempt 2'],
    ] as const) {
      const first = await processes.start({ recovery, execute });
      const { id } = await first.send('ask').task();
      await first.send('this one', { taskId: id, returnImmediately: true }).task();
      await processes.kill(first);
      const second = await processes.start({ recovery, execute });
      await until(second, id, end);
      await second.app.close();
    }
  });

  it('a task that was handed over waits for whoever drives it', async () => {
    const processes = await Processes.on(target);
    const first = await processes.start({
      execute: async (_context, task) => {
        await task.working('elsewhere');
        task.handOver();
      },
    });
    const { id } = await first.send('go', { returnImmediately: true }).task();
    await until(first, id, 'WORKING: elsewhere');
    await expect.poll(() => first.engine.runningTurns).toBe(0);
    await expect
      .poll(async () => (await processes.database.get(id, systemScope('default')))!.run)
      .toBeUndefined();
    await processes.kill(first);
    const second = await processes.start({ execute: finish });
    const other = await second.send('other').task();
    expect(statusOf(other)).toBe('COMPLETED: done');
    expect(statusOf(await second.get(id).result())).toBe('WORKING: elsewhere');
    await (await second.tasks.updater(id)).complete('there');
    expect(statusOf(await second.get(id).result())).toBe('COMPLETED: there');
  });

  it('a shutdown leaves its turns to the next process at once', async () => {
    const processes = await Processes.on(target);
    const stopped = deferred<unknown>();
    const first = await processes.start({
      recovery: 'retry',
      execute: async (context, task) => {
        await task.working();
        stopped.resolve(await untilAborted(context.signal));
      },
    });
    const waiting = first.send('go');
    await expect.poll(async () => (await first.list().result()).totalSize).toBe(1);
    const { id } = (await first.list().result()).tasks[0]!;
    await until(first, id, 'WORKING');
    const closing = first.app.close();
    expect(await waiting.error()).toMatchObject({ httpStatus: 503 });
    await closing;
    expect(await stopped.promise).toMatchObject({ why: 'shut down' });
    const second = await processes.start({
      recovery: 'retry',
      execute: ({ attempt }, task) => task.complete(`attempt ${attempt}`),
    });
    await until(second, id, 'COMPLETED: attempt 2');
  });

  it('O-CONC-04: of several processes one takes a task over, and each task runs once', async () => {
    const processes = await Processes.on(target);
    const first = await processes.start({ recovery: 'retry', execute: endless });
    const tasks = await Promise.all(Array.from({ length: 5 }, (_, n) => halfDone(first, `go ${n}`)));
    const runs: string[] = [];
    const execute: AgentExecutor['execute'] = async ({ taskId }, task) => {
      runs.push(taskId);
      await task.working();
      await task.complete('done');
    };
    const others = await Promise.all(
      [1, 2, 3].map(() => processes.start({ recovery: 'retry', execute, sweepInterval: 1 })),
    );
    await processes.kill(first);
    for (const { id } of tasks) await until(others[0]!, id, 'COMPLETED: done');
    expect(runs.sort()).toEqual(tasks.map(({ id }) => id).sort());
  });

  it('turns that are tried again wait for room, and none is refused', async () => {
    const processes = await Processes.on(target);
    const first = await processes.start({ recovery: 'retry', execute: endless });
    const tasks = await Promise.all(Array.from({ length: 4 }, (_, n) => halfDone(first, `go ${n}`)));
    await processes.kill(first);
    const go = deferred();
    let running = 0;
    let most = 0;
    const second = await processes.start({
      recovery: 'retry',
      limits: { runningTurns: 2, runningTurnsPerOwner: 1 },
      execute: async (_context, task) => {
        most = Math.max(most, ++running);
        await go.promise;
        running--;
        await task.complete('done');
      },
    });
    await expect.poll(() => running).toBe(1);
    expect(await second.send('new').error()).toMatchObject({ httpStatus: 429 });
    go.resolve();
    for (const { id } of tasks) await until(second, id, 'COMPLETED: done');
    expect(most).toBe(1);
  });

  it('a task that waits for room can be canceled', async () => {
    const processes = await Processes.on(target);
    const first = await processes.start({ recovery: 'retry', execute: endless });
    const tasks = await Promise.all(Array.from({ length: 2 }, (_, n) => halfDone(first, `go ${n}`)));
    await processes.kill(first);
    const execute = vi.fn<AgentExecutor['execute']>(({ signal }) =>
      untilAborted(signal).then(() => undefined),
    );
    const second = await processes.start({ recovery: 'retry', limits: { runningTurns: 1 }, execute });
    await expect.poll(() => second.engine.drivenTasks).toBe(2);
    for (const { id } of tasks) expect(statusOf(await second.cancel(id).result())).toBe('CANCELED');
    expect([second.engine.runningTurns, second.engine.drivenTasks]).toEqual([0, 0]);
    expect(execute.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('a task whose process is gone takes no message before it is decided what becomes of it, and a cancel at once', async () => {
    const processes = await Processes.on(target);
    const first = await processes.start({ execute: endless });
    const second = await processes.start({ execute: finish, sweepInterval: 3_600_000 });
    const [one, two] = [await halfDone(first), await halfDone(first)];
    await processes.kill(first);
    expect(statusOf(await second.cancel(one.id).result())).toBe('CANCELED');
    expect(await second.send('more', { taskId: two.id }).error()).toMatchObject({
      reason: 'UNSUPPORTED_OPERATION',
    });
    // Nobody waits for the next sweep: the message has woken the sweeper.
    await until(second, two.id, 'FAILED: The agent was interrupted');
  });

  it('a cancel that the agent refuses leaves the task to recovery', async () => {
    const processes = await Processes.on(target);
    const first = await processes.start({ execute: endless });
    const second = await processes.start({
      execute: finish,
      cancel: () => Promise.reject(new TaskNotCancelableError('no')),
      recovery: 'retry',
      sweepInterval: 3_600_000,
    });
    const task = await halfDone(first);
    await processes.kill(first);
    expect(await second.cancel(task.id).error()).toMatchObject({ reason: 'TASK_NOT_CANCELABLE' });
    await until(second, task.id, 'COMPLETED: done');
  });
});

describeAgentInPairs('A process that comes back', (target) => {
  it('O-CONC-01: writes nothing to a task that another has taken over', async () => {
    const processes = await Processes.on(target);
    const go = deferred();
    const refused = deferred<unknown>();
    const first = await processes.start({
      recovery: 'retry',
      sweepInterval: 3_600_000,
      execute: async ({ signal }, task) => {
        await task.working();
        await task.addArtifact([{ text: 'half' }], { artifactId: 'a' });
        await go.promise;
        const late = await task.complete('late').catch((error: unknown) => error);
        refused.resolve([late, await untilAborted(signal)]);
      },
    });
    const task = await halfDone(first);
    const second = await processes.start({
      recovery: 'retry',
      execute: ({ attempt }, updater) => updater.requireInput(`attempt ${attempt}`),
    });
    await processes.expire(first);
    const taken = await until(second, task.id, 'INPUT_REQUIRED: attempt 2');
    go.resolve();
    expect(await refused.promise).toMatchObject([{ name: 'StaleRunError' }, { why: 'lost' }]);
    expect(await second.get(task.id).result()).toEqual(taken);
    expect(first.engine.drivenTasks).toBe(0);
  });

  it('stops an agent whose task was taken over, also one that writes nothing', async () => {
    const processes = await Processes.on(target);
    const stopped = deferred<unknown>();
    const first = await processes.start({
      leaseDuration: 60,
      sweepInterval: 3_600_000,
      execute: async ({ signal }, task) => {
        await task.working();
        await task.addArtifact([{ text: 'half' }], { artifactId: 'a' });
        stopped.resolve(await untilAborted(signal));
      },
    });
    const task = await halfDone(first);
    // Its process stands still: nothing of it reaches the database until the task has been taken over.
    processes.cutOff(first);
    const second = await processes.start({ execute: finish });
    await until(second, task.id, /^FAILED/);
    processes.reconnect(first);
    expect(await stopped.promise).toMatchObject({ name: 'TurnAbortedError', why: 'lost' });
    expect(first.engine.drivenTasks).toBe(0);
    // It is well again, as long as nobody takes its next task over after a pause.
    await second.close();
    const { id } = await first.send('more', { returnImmediately: true }).task();
    expect(statusOf(await first.cancel(id).result())).toBe('CANCELED');
  });

  it('keeps what nobody has taken over', async () => {
    const processes = await Processes.on(target);
    const go = deferred();
    const first = await processes.start({
      leaseDuration: 60,
      sweepInterval: 3_600_000,
      execute: async (_context, task) => {
        await task.working();
        await task.addArtifact([{ text: 'half' }], { artifactId: 'a' });
        await go.promise;
        await task.complete('done');
      },
    });
    const task = await halfDone(first);
    processes.cutOff(first);
    await expect.poll(() => processes.isHeld(task.id)).toBe(false);
    processes.reconnect(first);
    await expect.poll(() => processes.isHeld(task.id)).toBe(true);
    go.resolve();
    await until(first, task.id, 'COMPLETED: done');
  });
});

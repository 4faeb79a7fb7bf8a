import {
  InMemoryTaskStore,
  InProcessTaskEventBus,
  StoreUnavailableError,
  UnsupportedOperationError,
  type AgentExecutor,
} from 'nest-a2a';
import { FailingTaskStore } from 'nest-a2a/testing';
import { expect, it, vi } from 'vitest';
import {
  deferred,
  describeAgent,
  describeAgentInPairs,
  historyOf,
  ownerByHeader,
  statusOf,
  summary,
  textOf,
  type Deferred,
} from '../support/index.js';
import { Processes } from '../support/processes.js';

const WINDOW = { idempotencyWindow: 600_000 };

/** An agent whose turns wait for a gate, and which counts them. */
function gated(go: Deferred<void>) {
  return vi.fn<AgentExecutor['execute']>(async ({ text }, task) => {
    await task.working();
    await go.promise;
    if (text.startsWith('ask')) await task.requireInput('which?');
    else await task.complete(`done: ${text}`);
  });
}

function finisher() {
  return vi.fn<AgentExecutor['execute']>(async ({ text }, task) => {
    if (text === 'ask') await task.requireInput('which?');
    else await task.complete(`done: ${text}`);
  });
}

describeAgent('A message that comes twice', (target) => {
  it('makes two tasks where the option is off', async () => {
    const agent = await target.start({ execute: finisher() });
    const [one, two] = [
      await agent.send('go', { messageId: 'm' }).task(),
      await agent.send('go', { messageId: 'm' }).task(),
    ];
    expect(one.id).not.toBe(two.id);
  });

  it('gives the same task, whichever way it comes, and runs nothing', async () => {
    const execute = finisher();
    const agent = await target.start({ ...WINDOW, execute });
    const task = await agent.send('go', { messageId: 'm', contextId: 'c' }).task();
    const again = [
      await agent.send('go', { messageId: 'm' }).task(),
      await agent.send('go', { messageId: 'm', contextId: 'c' }).task(),
      await agent.send('go', { messageId: 'm', taskId: task.id, returnImmediately: true }).task(),
    ];
    for (const each of again) expect(each).toEqual(task);
    const stream = await agent.stream('go', { messageId: 'm' }).result();
    expect(await stream.events()).toEqual([{ task }]);
    expect(execute).toHaveBeenCalledOnce();
    expect((await agent.list().result()).totalSize).toBe(1);
    expect(await agent.send('go', { messageId: 'other' }).task()).not.toMatchObject({ id: task.id });
  });

  it('at the same time, runs once', async () => {
    const go = deferred();
    const execute = gated(go);
    const agent = await target.start({ ...WINDOW, execute });
    const sends = Array.from({ length: 5 }, () => agent.send('go', { messageId: 'm' }).task());
    const streams = await Promise.all([1, 2].map(() => agent.stream('go', { messageId: 'm' }).result()));
    go.resolve();
    const tasks = await Promise.all(sends);
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
    expect(tasks.map(statusOf)).toEqual(tasks.map(() => 'COMPLETED: done: go'));
    for (const stream of streams) {
      const events = await stream.events();
      expect(events[0]?.task?.id).toBe(tasks[0]!.id);
      expect(summary(events).at(-1)).toBe('COMPLETED: done: go');
    }
    expect(execute).toHaveBeenCalledOnce();
  });

  it('while the agent works: a blocking send waits with the first, the others see the task as it stands', async () => {
    const go = deferred();
    const execute = gated(go);
    const agent = await target.start({ ...WINDOW, execute });
    const stream = await agent.stream('go', { messageId: 'm' }).result();
    await stream.find(({ statusUpdate }) => statusUpdate);
    const now = await agent.send('go', { messageId: 'm', returnImmediately: true }).task();
    expect(statusOf(now)).toBe('WORKING');
    const waiting = agent.send('go', { messageId: 'm' });
    const following = await agent.stream('go', { messageId: 'm' }).result();
    await following.next();
    go.resolve();
    expect(statusOf(await waiting.task())).toBe('COMPLETED: done: go');
    expect(summary(await following.events())).toEqual(['task WORKING', 'COMPLETED: done: go']);
    expect(execute).toHaveBeenCalledOnce();
  });

  it('while nobody sees the task yet: both get the direct message, and afterwards it counts as new', async () => {
    const go = deferred();
    const execute = vi.fn<AgentExecutor['execute']>(async ({ text }) => {
      await go.promise;
      return { parts: [{ text: `hello ${text}` }] };
    });
    const agent = await target.start({ ...WINDOW, execute });
    const both = [agent.send('go', { messageId: 'm' }), agent.send('go', { messageId: 'm' })];
    await expect.poll(() => execute.mock.calls.length).toBe(1);
    // The other one has come too, and waits.
    const third = agent.send('other words', { messageId: 'm' });
    expect(await third.error()).toMatchObject({ violations: [{ field: 'message.messageId' }] });
    go.resolve();
    const [one, two] = await Promise.all(both.map((send) => send.message()));
    expect(two).toEqual(one);
    expect(execute).toHaveBeenCalledOnce();
    expect(textOf(await agent.send('go', { messageId: 'm' }).message())).toBe('hello go');
    expect(execute).toHaveBeenCalledTimes(2);
  });

  it('and was refused before, is tried anew', async () => {
    let isOpen = false;
    const agent = await target.start({
      ...WINDOW,
      execute: async (_context, task) => {
        if (!isOpen) throw new UnsupportedOperationError('not yet');
        await task.complete('done');
      },
    });
    expect(await agent.send('go', { messageId: 'm' }).error()).toMatchObject({ message: 'not yet' });
    isOpen = true;
    expect(statusOf(await agent.send('go', { messageId: 'm' }).task())).toBe('COMPLETED: done');
  });

  it.each(['send', 'stream'] as const)(
    'and could not be stored, is taken anew once the store is back (%s)',
    async (operation) => {
      const taskStore = new FailingTaskStore(
        new InMemoryTaskStore(),
        ({ method }) => method === 'put' && new StoreUnavailableError(),
      );
      const execute: AgentExecutor['execute'] = async (_context, task) => {
        // The turn has not ended when that fails.
        await task.working();
        await task.complete('done');
      };
      const agent = await target.start({ ...WINDOW, taskStore, execute });
      const failed = await agent[operation]('go', { messageId: 'm' }).error();
      expect(failed).toMatchObject({ httpStatus: 503 });
      taskStore.failWhen(() => false);
      expect(statusOf(await agent.send('go', { messageId: 'm' }).task())).toBe('COMPLETED: done');
      expect((await agent.list().result()).totalSize).toBe(1);
    },
  );

  it('and was taken by a store that could not say so, is taken anew', async () => {
    let isAway = true;
    class Mute extends InMemoryTaskStore {
      override async claimMessage(...args: Parameters<InMemoryTaskStore['claimMessage']>) {
        const held = await super.claimMessage(...args);
        if (isAway) throw new StoreUnavailableError();
        return held;
      }
    }
    const agent = await target.start({ ...WINDOW, taskStore: new Mute(), execute: finisher() });
    expect(await agent.send('ask', { messageId: 'm' }).error()).toMatchObject({ httpStatus: 503 });
    isAway = false;
    const { id: taskId } = await agent.send('ask', { messageId: 'm' }).task();
    isAway = true;
    expect(await agent.send('go', { messageId: 'n', taskId }).error()).toMatchObject({ httpStatus: 503 });
    isAway = false;
    expect(statusOf(await agent.send('go', { messageId: 'n', taskId }).task())).toBe('COMPLETED: done: go');
  });

  it('with other words, or to another task, is refused', async () => {
    const execute = finisher();
    const agent = await target.start({ ...WINDOW, execute });
    const first = await agent.send('ask', { messageId: 'm1' }).task();
    const other = await agent.send('ask', { messageId: 'm2' }).task();
    const second = await agent.send('go', { messageId: 'm3', taskId: first.id }).task();
    const wrong = [
      agent.send('ask!', { messageId: 'm1' }),
      agent.send('ask', { messageId: 'm1', message: { metadata: { k: 1 } } }),
      agent.send('ask', { messageId: 'm1', taskId: other.id }),
      agent.send('ask', { messageId: 'm1', contextId: 'another' }),
      agent.send('go', { messageId: 'm3' }),
      agent.send('go', { messageId: 'm3', taskId: other.id }),
      agent.stream('ask!', { messageId: 'm1' }),
    ];
    for (const call of wrong) {
      expect(await call.error()).toMatchObject({
        httpStatus: 400,
        violations: [{ field: 'message.messageId', description: 'was used for another message' }],
      });
    }
    expect(await agent.get(first.id).result()).toEqual(second);
    expect(await agent.get(other.id).result()).toEqual(other);
    expect(execute).toHaveBeenCalledTimes(3);
  });

  it('to a task that waits, goes on with it once', async () => {
    const go = deferred();
    const begun = deferred();
    const execute = vi.fn<AgentExecutor['execute']>(async ({ text }, task) => {
      if (text === 'ask') return task.requireInput('which?');
      begun.resolve();
      await go.promise;
      await task.complete(`done: ${text}`);
    });
    const agent = await target.start({ ...WINDOW, execute });
    const { id: taskId } = await agent.send('ask').task();
    const first = agent.send('go', { messageId: 'm', taskId });
    await begun.promise;
    // The task still shows the state of the turn before, which is no answer to this message.
    const second = agent.send('go', { messageId: 'm', taskId });
    const stream = await agent.stream('go', { messageId: 'm', taskId }).result();
    await stream.next();
    go.resolve();
    const task = await first.task();
    expect(statusOf(task)).toBe('COMPLETED: done: go');
    expect(await second.task()).toEqual(task);
    expect(summary(await stream.events())).toEqual(['task INPUT_REQUIRED', 'COMPLETED: done: go']);
    expect(historyOf(task)).toEqual(['ask', 'which?', 'go']);
    expect(execute).toHaveBeenCalledTimes(2);
    expect(await agent.send('go', { messageId: 'm', taskId }).task()).toEqual(task);
  });

  it('and led to a question, gets the question again, and a stream of it ends', async () => {
    const agent = await target.start({ ...WINDOW, execute: finisher() });
    const task = await agent.send('ask', { messageId: 'm' }).task();
    expect(await agent.send('ask', { messageId: 'm' }).task()).toEqual(task);
    const stream = await agent.stream('ask', { messageId: 'm' }).result();
    expect(await stream.events()).toEqual([{ task }]);
  });

  it('reaches a running agent once, which waits for an authorization', async () => {
    const heard: string[] = [];
    const agent = await target.start({
      ...WINDOW,
      execute: async ({ messages }, task) => {
        await task.requireAuth('log in');
        const { value } = await messages[Symbol.asyncIterator]().next();
        heard.push(textOf(value as never));
        await task.complete('in');
      },
    });
    const { id: taskId } = await agent.send('go', { messageId: 'm1' }).task();
    expect(statusOf(await agent.send('go', { messageId: 'm1' }).task())).toBe('AUTH_REQUIRED: log in');
    const both = [1, 2].map(() => agent.send('token', { messageId: 'm2', taskId }).task());
    expect((await Promise.all(both)).map(statusOf)).toEqual(['COMPLETED: in', 'COMPLETED: in']);
    expect(heard).toEqual(['token']);
  });

  it('from another caller is another message', async () => {
    const agent = await target.start({ ...WINDOW, ownerResolver: ownerByHeader, execute: finisher() });
    const one = await agent.as('anna').send('go', { messageId: 'm' }).task();
    const two = await agent.as('berta').send('other', { messageId: 'm' }).task();
    expect(two.id).not.toBe(one.id);
    expect(await agent.as('anna').send('go', { messageId: 'm' }).task()).toEqual(one);
  });

  it('is new again once the window is over', async () => {
    const agent = await target.start({ idempotencyWindow: 1, execute: finisher() });
    const one = await agent.send('go', { messageId: 'm' }).task();
    const since = Date.now();
    await expect.poll(() => Date.now() - since).toBeGreaterThan(1);
    expect((await agent.send('go', { messageId: 'm' }).task()).id).not.toBe(one.id);
  });

  it('and was turned away by a limit, is taken when there is room', async () => {
    const go = deferred();
    const execute = gated(go);
    const agent = await target.start({ ...WINDOW, limits: { runningTurns: 1 }, execute });
    const first = agent.send('one');
    await expect.poll(() => agent.engine.runningTurns).toBe(1);
    expect(await agent.send('two', { messageId: 'm' }).error()).toMatchObject({ httpStatus: 503 });
    go.resolve();
    await first.task();
    expect(statusOf(await agent.send('two', { messageId: 'm' }).task())).toBe('COMPLETED: done: two');
  });
});

describeAgentInPairs('A message that comes twice, to several processes,', (target) => {
  it('gives the same task after a restart and in another process', async () => {
    const processes = await Processes.on(target);
    const first = await processes.start({ ...WINDOW, execute: finisher() });
    const execute = finisher();
    const second = await processes.start({ ...WINDOW, execute });
    const task = await first.send('go', { messageId: 'm' }).task();
    expect(await second.send('go', { messageId: 'm' }).task()).toEqual(task);
    await first.app.close();
    expect(await second.send('go', { messageId: 'm' }).task()).toEqual(task);
    expect(execute).not.toHaveBeenCalled();
  });

  it('and was lost with its process before there was a task, is taken by the next one', async () => {
    const processes = await Processes.on(target);
    const execute = vi.fn<AgentExecutor['execute']>(() => new Promise<never>(() => undefined));
    const first = await processes.start({ ...WINDOW, execute });
    void first.send('go', { messageId: 'm' });
    await expect.poll(() => execute.mock.calls.length).toBe(1);
    await processes.kill(first);
    const second = await processes.start({ ...WINDOW, execute: finisher() });
    expect(statusOf(await second.send('go', { messageId: 'm' }).task())).toBe('COMPLETED: done: go');
  });

  it('and was taken by the next process while the first one stood still, becomes one task', async () => {
    const processes = await Processes.on(target);
    const [begun, go] = [deferred(), deferred()];
    const first = await processes.start({
      ...WINDOW,
      leaseDuration: 60,
      execute: async (_context, task) => {
        begun.resolve();
        await go.promise;
        await task.complete('done by the first');
      },
    });
    const early = first.send('go', { messageId: 'm' }).error();
    await begun.promise;
    processes.cutOff(first);
    const second = await processes.start({ ...WINDOW, execute: finisher() });
    expect(statusOf(await second.send('go', { messageId: 'm' }).task())).toBe('COMPLETED: done: go');
    processes.reconnect(first);
    go.resolve();
    expect(await early).toMatchObject({ httpStatus: 503 });
    expect((await second.list().result()).totalSize).toBe(1);
    // Sent again, it is led to what it has become.
    expect(statusOf(await first.send('go', { messageId: 'm' }).task())).toBe('COMPLETED: done: go');
  });

  it('and is worked on elsewhere before there is a task, is asked to come later', async () => {
    const processes = await Processes.on(target);
    const execute = vi.fn<AgentExecutor['execute']>(() => new Promise<never>(() => undefined));
    const first = await processes.start({ ...WINDOW, execute });
    void first.send('go', { messageId: 'm' });
    await expect.poll(() => execute.mock.calls.length).toBe(1);
    const second = await processes.start({ ...WINDOW, silenceTimeout: 30, execute: finisher() });
    const error = await second.send('go', { messageId: 'm' }).error();
    expect(error).toMatchObject({ httpStatus: 503, status: 'UNAVAILABLE' });
    expect(Number(error.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('waits for a task that another process works on', async () => {
    const processes = await Processes.on(target);
    const go = deferred();
    const eventBus = new InProcessTaskEventBus();
    const first = await processes.start({ ...WINDOW, eventBus, execute: gated(go) });
    const second = await processes.start({ ...WINDOW, eventBus, execute: finisher() });
    const sent = await first.send('go', { messageId: 'm', returnImmediately: true }).task();
    const waiting = second.send('go', { messageId: 'm' });
    const stream = await second.stream('go', { messageId: 'm' }).result();
    await stream.next();
    go.resolve();
    expect(await waiting.task()).toMatchObject({ id: sent.id });
    expect(summary(await stream.events()).at(-1)).toBe('COMPLETED: done: go');
  });
});

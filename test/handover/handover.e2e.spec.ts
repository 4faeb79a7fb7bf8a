import { InMemoryTaskStore, type Message, type RequestContext } from 'nest-a2a';
import { SlowTaskStore } from 'nest-a2a/testing';
import { expect, it } from 'vitest';
import {
  deferred,
  describeAgent,
  historyOf,
  startTask,
  statusOf,
  summary,
  textOf,
} from '../support/index.js';

describeAgent('A task that was handed over', (target) => {
  it('goes on after the executor returned, driven from anywhere', async () => {
    const handed = deferred<string>();
    const agent = await target.start({
      execute: async ({ taskId }, task) => {
        await task.working('queued');
        task.handOver();
        handed.resolve(taskId);
      },
    });
    const stream = await agent.stream('go').result();
    const id = await handed.promise;
    await expect.poll(() => agent.engine.runningTurns).toBe(0);
    const task = await agent.tasks.updater(id);
    expect([task.taskId, task.contextId]).toEqual([id, (await agent.tasks.get(id))!.contextId]);
    await task.addArtifact([{ text: 'x' }], { artifactId: 'a1' });
    await task.appendArtifact('a1', [{ text: 'y' }]);
    await task.complete('done');
    expect(summary(await stream.events())).toEqual([
      'task SUBMITTED',
      'WORKING: queued',
      'a1: x',
      'a1 + y',
      'COMPLETED: done',
    ]);
    expect(await agent.get(id).result()).toEqual(await stream.folded());
    expect(agent.engine.drivenTasks).toBe(0);
    await expect(task.working()).rejects.toMatchObject({ name: 'TurnEndedError' });
    expect(agent.log.of('warn')).toEqual([expect.stringContaining('is dropped')]);
  });

  it('holds a blocking send until it ends', async () => {
    const handed = deferred<string>();
    const agent = await target.start({
      execute: async ({ taskId }, task) => {
        await task.working();
        task.handOver();
        handed.resolve(taskId);
      },
    });
    const sent = agent.send('go');
    const id = await handed.promise;
    await expect.poll(() => agent.engine.runningTurns).toBe(0);
    const task = await agent.tasks.updater(id);
    await task.working('nearly');
    await task.complete('done');
    expect(statusOf(await sent.task())).toBe('COMPLETED: done');
  });

  it('before its first update becomes visible with it', async () => {
    const handed = deferred<string>();
    const agent = await target.start({
      execute: async ({ taskId }, task) => {
        task.handOver();
        handed.resolve(taskId);
      },
    });
    const sent = agent.send('go');
    const task = await agent.tasks.updater(await handed.promise);
    await task.complete('done');
    expect(statusOf(await sent.task())).toBe('COMPLETED: done');
  });

  it('can be canceled, and refuses its driver then', async () => {
    const { agent, stream, id } = await startTask(target, {
      execute: async (_context, task) => {
        await task.working();
        task.handOver();
      },
    });
    const task = await agent.tasks.updater(id);
    expect(statusOf(await agent.cancel(id).result())).toBe('CANCELED');
    await expect(task.complete()).rejects.toBeInstanceOf(Error);
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'WORKING', 'CANCELED']);
    expect(statusOf(await agent.get(id).result())).toBe('CANCELED');
  });

  it('may ask the user, whose answer starts a turn of the executor', async () => {
    const { agent, stream, id } = await startTask(target, {
      execute: async ({ text }, task) => {
        if (text === 'answer') return task.complete('thanks');
        await task.working();
        task.handOver();
      },
    });
    const task = await agent.tasks.updater(id);
    await task.requireInput('which?');
    expect(summary(await stream.events()).at(-1)).toBe('INPUT_REQUIRED: which?');
    const answered = await agent.send('answer', { taskId: id }).task();
    expect(statusOf(answered)).toBe('COMPLETED: thanks');
    expect(historyOf(answered)).toEqual(['go', 'which?', 'answer']);
  });

  it('that waits for input can be driven on without a message', async () => {
    const agent = await target.start({ execute: (_context, task) => task.requireInput('pay, please') });
    const { id } = await agent.send('go').task();
    const follower = await agent.subscribe(id).result();
    await follower.next();
    const task = await agent.tasks.updater(id);
    await task.working('paid');
    await task.complete();
    expect(summary(await follower.events())).toEqual(['task INPUT_REQUIRED', 'WORKING: paid', 'COMPLETED']);
  });

  it('two that drive it lose nothing of each other', async () => {
    const { agent, stream, id } = await startTask(target, {
      taskStore: new SlowTaskStore(new InMemoryTaskStore(), 4),
      execute: async (_context, task) => {
        await task.working();
        task.handOver();
      },
    });
    await expect.poll(() => agent.engine.runningTurns).toBe(0);
    const drivers = [await agent.tasks.updater(id), await agent.tasks.updater(id)];
    await Promise.all(
      drivers.map(async (task, driver) => {
        for (let n = 0; n < 10; n++) await task.appendArtifact(`a${driver}`, [{ text: `${n} ` }]);
      }),
    );
    await drivers[0]!.complete();
    const folded = await stream.folded();
    expect(await agent.get(id).result()).toEqual(folded);
    const all = '0 1 2 3 4 5 6 7 8 9 ';
    expect(folded.artifacts?.map(textOf)).toEqual([all, all]);
    await expect(drivers[1]!.complete()).rejects.toBeInstanceOf(Error);
  });

  it('A2ATasks gives nothing for a task that does not exist', async () => {
    const agent = await target.start({ execute: async () => undefined });
    expect(await agent.tasks.get('nope')).toBeUndefined();
    await expect(agent.tasks.updater('nope')).rejects.toMatchObject({ name: 'TaskNotFoundError' });
  });

  it('A2ATasks drives a task also while its executor runs', async () => {
    const go = deferred();
    const { agent, stream, id } = await startTask(target, {
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        await task.complete('by the executor');
      },
    });
    const task = await agent.tasks.updater(id);
    await task.addArtifact([{ text: 'from outside' }], { artifactId: 'a1' });
    go.resolve();
    expect(summary(await stream.events()).slice(2)).toEqual([
      'a1: from outside',
      'COMPLETED: by the executor',
    ]);
  });
});

describeAgent('At AUTH_REQUIRED', (target) => {
  it('S-68: a message reaches the agent that is running, and its sender waits for the next pause', async () => {
    let runs = 0;
    const agent = await target.start({
      execute: async (context, task) => {
        runs++;
        await task.requireAuth('log in');
        for await (const message of context.messages) {
          const [part] = message.parts;
          if (part?.raw) return task.complete(`token of ${part.raw.length} bytes`);
          await task.requireAuth('that was no token');
        }
      },
    });
    const { id, contextId } = await agent.send('go').task();
    const follower = await agent.subscribe(id).result();
    await follower.next();
    const again = await agent.send('what?', { taskId: id }).task();
    expect(statusOf(again)).toBe('AUTH_REQUIRED: that was no token');
    expect(historyOf(again)).toEqual(['go', 'log in', 'what?']);
    expect(again.history?.at(-1)).toMatchObject({ taskId: id, contextId });
    const done = await agent.send([{ raw: 'AQID' }], { taskId: id, contextId: contextId! }).task();
    expect(statusOf(done)).toBe('COMPLETED: token of 3 bytes');
    expect(runs).toBe(1);
    expect(summary(await follower.events())).toEqual([
      'task AUTH_REQUIRED',
      'AUTH_REQUIRED: that was no token',
      'COMPLETED: token of 3 bytes',
    ]);
    expect(await agent.get(id).result()).toEqual(done);
  });

  it('a streaming sender joins the stream of the task', async () => {
    const agent = await target.start({
      execute: async (context, task) => {
        await task.requireAuth('log in');
        await task.working(`got ${await nextText(context)}`);
        await task.complete();
      },
    });
    const { id } = await agent.send('go').task();
    const stream = await agent.stream('token', { taskId: id }).result();
    expect(summary(await stream.events())).toEqual(['task AUTH_REQUIRED', 'WORKING: got token', 'COMPLETED']);
    expect(await agent.get(id).result()).toEqual(await stream.folded());
  });

  it('returnImmediately gives the task with the message in it', async () => {
    const agent = await target.start({
      execute: async (context, task) => {
        await task.requireAuth('log in');
        await task.complete(await nextText(context));
      },
    });
    const { id } = await agent.send('go').task();
    const task = await agent.send('token', { taskId: id, returnImmediately: true }).task();
    expect(historyOf(task)).toEqual(['go', 'log in', 'token']);
    await expect.poll(async () => statusOf(await agent.get(id).result())).toBe('COMPLETED: token');
  });

  it('S-83: a message starts a new turn where the agent has returned', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) =>
        text === 'go' ? task.requireAuth('log in') : task.complete('welcome'),
    });
    const { id } = await agent.send('go').task();
    await expect.poll(() => agent.engine.runningTurns).toBe(0);
    const done = await agent.send('token', { taskId: id }).task();
    expect(statusOf(done)).toBe('COMPLETED: welcome');
    expect(historyOf(done)).toEqual(['go', 'log in', 'token']);
  });

  it('§7.6.1: the agent may go on by itself, and a message is refused from then on', async () => {
    const granted = deferred();
    const release = deferred();
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.requireAuth('log in');
        await granted.promise;
        await task.working();
        await release.promise;
        await task.complete();
      },
    });
    const { id } = await agent.send('go').task();
    const follower = await agent.subscribe(id).result();
    await follower.next();
    granted.resolve();
    await follower.next();
    expect(await agent.send('token', { taskId: id }).error()).toMatchObject({
      reason: 'UNSUPPORTED_OPERATION',
    });
    release.resolve();
    expect(summary(await follower.events())).toEqual(['task AUTH_REQUIRED', 'WORKING', 'COMPLETED']);
  });
});

/** The text of the next message that reaches a running agent. */
async function nextText({ messages }: RequestContext): Promise<string> {
  const { value } = await messages[Symbol.asyncIterator]().next();
  return textOf(value as Message);
}

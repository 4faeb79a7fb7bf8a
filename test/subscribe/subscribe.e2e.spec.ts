import { InMemoryTaskStore, type TaskRecord, type TaskStore } from 'nest-a2a';
import { expect, it } from 'vitest';
import {
  deferred,
  describeAgent,
  describeBothVersions,
  startTask,
  statusOf,
  summary,
  untilAborted,
  type AgentOptions,
} from '../support/index.js';

/** Runs until the test lets it finish. */
function waiting() {
  const release = deferred();
  const options: AgentOptions = {
    execute: async (_context, task) => {
      await task.working();
      await release.promise;
      await task.addArtifact([{ text: 'x' }], { artifactId: 'a1' });
      await task.complete();
    },
  };
  return { release, options };
}

describeBothVersions('A subscription', (target) => {
  it('S-21, S-69: starts with the task as it stands, while the agent is busy, and shows what follows', async () => {
    const { release, options } = waiting();
    const { agent, id } = await startTask(target, options);
    const stream = await agent.subscribe(id).result();
    const first = (await stream.next())!;
    expect(first.task).toEqual(await agent.get(id).result());
    release.resolve();
    expect(summary(await stream.events())).toEqual(['task WORKING', 'a1: x', 'COMPLETED']);
    // The id of the snapshot is the number of the last event in it.
    expect(stream.ids).toEqual(['2', '3', '4']);
    expect(await stream.folded()).toEqual(await agent.get(id).result());
  });

  it('O-SUB-01: what happens while the snapshot is read is neither lost nor doubled', async () => {
    const read = deferred();
    const answer = deferred();
    class PausedStore extends InMemoryTaskStore {
      isPaused = false;
      override async get(...args: Parameters<TaskStore['get']>): Promise<TaskRecord | undefined> {
        const found = await super.get(...args);
        if (this.isPaused) {
          read.resolve();
          await answer.promise;
        }
        return found;
      }
    }
    const store = new PausedStore();
    const { release, options } = waiting();
    const { agent, stream, id } = await startTask(target, { ...options, taskStore: store });
    store.isPaused = true;
    const subscribed = agent.subscribe(id);
    await read.promise;
    release.resolve();
    // The task has ended for those who followed it before the subscription has its snapshot.
    await stream.events();
    answer.resolve();
    const late = await subscribed.result();
    expect(summary(await late.events())).toEqual(['task WORKING', 'a1: x', 'COMPLETED']);
    store.isPaused = false;
    expect(await late.folded()).toEqual(await agent.get(id).result());
  });

  it('O-SUB-01: what happened before the snapshot was read is in it, and not repeated', async () => {
    const asked = deferred();
    const answer = deferred();
    class PausedStore extends InMemoryTaskStore {
      isPaused = false;
      override async get(...args: Parameters<TaskStore['get']>): Promise<TaskRecord | undefined> {
        if (this.isPaused) {
          asked.resolve();
          await answer.promise;
        }
        return super.get(...args);
      }
    }
    const store = new PausedStore();
    const step = deferred();
    const end = deferred();
    const { agent, stream, id } = await startTask(target, {
      taskStore: store,
      execute: async (_context, task) => {
        await task.working();
        await step.promise;
        await task.addArtifact([{ text: 'x' }], { artifactId: 'a1' });
        await end.promise;
        await task.complete();
      },
    });
    store.isPaused = true;
    const subscribed = agent.subscribe(id);
    await asked.promise;
    step.resolve();
    await stream.find(({ artifactUpdate }) => artifactUpdate);
    answer.resolve();
    const late = await subscribed.result();
    expect((await late.next())?.task?.artifacts).toHaveLength(1);
    end.resolve();
    expect(summary(await late.events())).toEqual(['task WORKING', 'COMPLETED']);
    expect(late.ids).toEqual(['3', '4']);
  });

  it('S-87, O-SUB-03: a missing task is 404 and a finished one UnsupportedOperationError, as ordinary errors', async () => {
    const agent = await target.start({ execute: (_context, task) => task.complete() });
    const { id } = await agent.send('go').task();
    expect(await agent.subscribe('nope').error()).toMatchObject({
      httpStatus: 404,
      code: -32001,
      reason: 'TASK_NOT_FOUND',
      metadata: { taskId: 'nope' },
    });
    expect(await agent.subscribe(id).error()).toMatchObject({
      httpStatus: 400,
      code: -32004,
      reason: 'UNSUPPORTED_OPERATION',
    });
    expect([agent.openStreams, agent.engine.feeds.size]).toEqual([0, 0]);
  });

  it('O-SUB-05: a task that waits for input shows its snapshot and then the next turn', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        if (text === 'first') return task.requireInput('which?');
        await task.working();
        await task.complete('done');
      },
    });
    const { id } = await agent.send('first').task();
    expect(agent.engine.drivenTasks).toBe(0);
    const stream = await agent.subscribe(id).result();
    const first = (await stream.next())!.task!;
    expect(statusOf(first)).toBe('INPUT_REQUIRED: which?');
    await agent.send('second', { taskId: id }).task();
    expect(summary(await stream.events())).toEqual(['task INPUT_REQUIRED', 'WORKING', 'COMPLETED: done']);
  });

  it('S-89: ends when the next turn comes to wait for input, too', async () => {
    const agent = await target.start({ execute: ({ text }, task) => task.requireInput(`after ${text}`) });
    const { id } = await agent.send('first').task();
    const stream = await agent.subscribe(id).result();
    await stream.next();
    await agent.send('second', { taskId: id }).task();
    expect(summary(await stream.events())).toEqual(['task INPUT_REQUIRED', 'INPUT_REQUIRED: after second']);
  });

  it('S-85, S-86: all followers see the same events in the same order; one that leaves disturbs nobody', async () => {
    const gates = Array.from({ length: 3 }, () => deferred());
    const agent = await target.start({
      execute: async (_context, task) => {
        for (const [index, gate] of gates.entries()) {
          await task.appendArtifact('a1', [{ text: `${index}` }]);
          await gate.promise;
        }
        await task.complete();
      },
    });
    const sender = await agent.stream('go').result();
    const { id } = (await sender.next())!.task!;
    await sender.next();
    const early = await agent.subscribe(id).result();
    const leaver = await agent.subscribe(id).result();
    await Promise.all([early.next(), leaver.next()]);
    gates[0]!.resolve();
    await early.next();
    leaver.destroy();
    const late = await agent.subscribe(id).result();
    await late.next();
    gates[1]!.resolve();
    gates[2]!.resolve();
    const all = await sender.events();
    expect((await early.events()).slice(1)).toEqual(all.slice(2));
    expect((await late.events()).slice(1)).toEqual(all.slice(3));
    expect(early.ids.slice(1)).toEqual(sender.ids.slice(2));
    const task = await agent.get(id).result();
    for (const stream of [sender, early, late]) expect(await stream.folded()).toEqual(task);
  });

  it('O-MEM-04: many followers of one task cause no listener warning, and each is forgotten when the task ends', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    try {
      const { release, options } = waiting();
      const { agent, id } = await startTask(target, options);
      const followers = await Promise.all(Array.from({ length: 50 }, () => agent.subscribe(id).result()));
      await Promise.all(followers.map((follower) => follower.next()));
      expect(agent.openStreams).toBe(51);
      release.resolve();
      for (const follower of followers) expect(summary(await follower.events()).at(-1)).toBe('COMPLETED');
      await expect.poll(() => [agent.openStreams, agent.engine.feeds.size]).toEqual([0, 0]);
    } finally {
      process.off('warning', warn);
    }
    expect(warnings).toEqual([]);
  });

  it('ends when the task is canceled', async () => {
    const { agent, id } = await startTask(target, {
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
    });
    const stream = await agent.subscribe(id).result();
    await stream.next();
    await agent.cancel(id).result();
    expect(summary(await stream.events())).toEqual(['task WORKING', 'CANCELED']);
  });
});

describeAgent('The route of a subscription', (target) => {
  it('O-SUB-02: takes GET, and POST with no body, an empty one and {}', async () => {
    const { release, options } = waiting();
    const { agent, id } = await startTask(target, options);
    const path = `${agent.base}/tasks/${id}:subscribe`;
    const json = { 'Content-Type': 'application/a2a+json' };
    const answers = [
      agent.request('GET', path),
      agent.request('POST', path),
      agent.request('POST', path, { headers: json, body: '' }),
      agent.request('POST', path, { headers: json, body: {} }),
    ];
    await expect.poll(() => agent.openStreams).toBe(5);
    expect(await agent.get(id).result()).toMatchObject({ id });
    release.resolve();
    for (const { status, headers, body } of await Promise.all(answers)) {
      expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
      expect(body.match(/^data: /gm)).toHaveLength(3);
    }
  });
});

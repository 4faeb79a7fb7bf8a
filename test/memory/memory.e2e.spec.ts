import { expect, it } from 'vitest';
import { deferred, describeAgent, startTask, statusOf, summary, untilAborted } from '../support/index.js';

describeAgent('What is left of tasks and streams', (target) => {
  it('O-MEM-01: nothing is, whether they were sent, streamed or dropped', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working();
        await task.addArtifact([{ text: 'x' }]);
        await task.complete();
      },
    });
    const one = async (index: number) => {
      if (index % 3 === 0) return agent.send('go').task();
      const stream = await agent.stream('go').result();
      if (index % 3 === 1) return stream.events();
      stream.destroy();
    };
    // In batches, so that they are short and many.
    for (let batch = 0; batch < 12; batch++) {
      await Promise.all(Array.from({ length: 50 }, (_none, index) => one(index)));
    }
    await expect.poll(() => counters(agent)).toEqual(NOTHING);
    expect(await agent.list({ pageSize: 1 }).result()).toMatchObject({ totalSize: 600 });
  });

  it('O-MEM-02: streams whose client left after the headers are torn down', async () => {
    const agent = await target.start({
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
    });
    for (let batch = 0; batch < 6; batch++) {
      const streams = Array.from({ length: 50 }, () => agent.stream('go').result());
      for (const stream of streams) (await stream).destroy();
    }
    await expect.poll(() => [agent.openStreams, agent.engine.feeds.size]).toEqual([0, 0]);
    // The tasks go on.
    expect(agent.engine.runningTurns).toBe(300);
  });

  it('O-MEM-02: a client that leaves before the first event is forgotten too', async () => {
    const started = deferred();
    const release = deferred();
    const agent = await target.start({
      silenceTimeout: 50,
      execute: async (_context, task) => {
        started.resolve();
        await release.promise;
        await task.complete();
      },
    });
    void agent.stream('go').then(undefined, () => undefined);
    await started.promise;
    expect([agent.openStreams, agent.engine.feeds.size]).toEqual([1, 1]);
    agent.http.close();
    await expect.poll(() => [agent.openStreams, agent.engine.feeds.size]).toEqual([0, 0]);
    release.resolve();
    await expect.poll(() => counters(agent)).toEqual(NOTHING);
    expect(statusOf((await agent.list().result()).tasks[0]!)).toBe('COMPLETED');
  });

  it('direct answers and refusals leave nothing', async () => {
    const agent = await target.start({ execute: async () => ({ parts: [{ text: 'hello' }] }) });
    for (let n = 0; n < 20; n++) {
      await agent.send('hi').message();
      await (await agent.stream('hi').result()).events();
      await agent.subscribe('nope').error();
      await agent.send('hi', { taskId: 'nope' }).error();
      await agent.call('sendMessage', {}).error();
    }
    await expect.poll(() => counters(agent)).toEqual(NOTHING);
  });
});

describeAgent('A shutdown', (target) => {
  it('O-MEM-03: ends open streams and aborts turns, within the grace time', async () => {
    const reasons: unknown[] = [];
    const { agent, stream, id } = await startTask(target, {
      shutdownTimeout: 30,
      execute: async ({ signal }, task) => {
        await task.working();
        reasons.push(await untilAborted(signal));
      },
    });
    const follower = await agent.subscribe(id).result();
    const silent = await agent.stream('go').result();
    const started = performance.now();
    await agent.app.close();
    // Long before the ten seconds that are the default.
    expect(performance.now() - started).toBeLessThan(9_000);
    expect(reasons).toMatchObject([{ why: 'shut down' }, { why: 'shut down' }]);
    const end = 'FAILED: The agent was shut down';
    expect(summary(await stream.events()).at(-1)).toBe(end);
    expect(summary(await follower.events())).toEqual(['task WORKING', end]);
    expect(summary(await silent.events()).at(-1)).toBe(end);
    expect(counters(agent)).toEqual(NOTHING);
  });

  it('lets turns finish in the grace time, and refuses new ones meanwhile', async () => {
    const release = deferred();
    const { agent, stream } = await startTask(target, {
      shutdownTimeout: 60_000,
      execute: async ({ signal }, task) => {
        await task.working();
        await release.promise;
        await task.complete(signal.aborted ? 'aborted' : 'done');
      },
    });
    const closing = agent.app.close();
    await expect.poll(async () => (await agent.send('late')).error?.httpStatus).toBe(503);
    expect(await agent.stream('late').error()).toMatchObject({ status: 'UNAVAILABLE' });
    release.resolve();
    expect(summary(await stream.events()).at(-1)).toBe('COMPLETED: done');
    await closing;
  });

  it('answers a blocking send with the FAILED task', async () => {
    const agent = await target.start({
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
    });
    const sent = agent.send('go');
    await expect.poll(async () => (await agent.list().result()).totalSize).toBe(1);
    const closing = agent.app.close();
    expect(statusOf(await sent.task())).toBe('FAILED: The agent was shut down');
    await closing;
  });

  it('ends streams of tasks that wait for input', async () => {
    const agent = await target.start({ execute: (_context, task) => task.requireInput('which?') });
    const { id } = await agent.send('go').task();
    const follower = await agent.subscribe(id).result();
    await follower.next();
    await agent.app.close();
    expect(summary(await follower.events())).toEqual(['task INPUT_REQUIRED']);
  });
});

const NOTHING = { streams: 0, feeds: 0, turns: 0, tasks: 0 };

function counters({ openStreams, engine }: Awaited<ReturnType<typeof startTask>>['agent']): typeof NOTHING {
  return {
    streams: openStreams,
    feeds: engine.feeds.size,
    turns: engine.runningTurns,
    tasks: engine.drivenTasks,
  };
}

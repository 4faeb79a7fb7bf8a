import { InMemoryTaskStore, StoreUnavailableError } from 'nest-a2a';
import { FailingTaskStore, type FailureRule } from 'nest-a2a/testing';
import { expect, it, vi } from 'vitest';
import { deferred, describeAgent, startTask, statusOf, summary, untilAborted } from '../support/index.js';

const SECRET = 'connect ECONNREFUSED 10.0.0.5:5432 password=x';

function failing(rule?: FailureRule): FailingTaskStore {
  return new FailingTaskStore(new InMemoryTaskStore(), rule);
}

describeAgent('A store that fails', (target) => {
  it('O-SEND-05: a blocking send is answered with a 500, and the agent is stopped', async () => {
    const stopped = deferred<unknown[]>();
    const agent = await target.start({
      taskStore: failing(({ method, count }) => method === 'put' && count === 2 && new Error(SECRET)),
      execute: async ({ signal }, task) => {
        await task.working();
        const refused = await task.addArtifact([{ text: 'x' }]).then(
          () => task.working().catch((error: unknown) => error),
          (error: unknown) => error,
        );
        const late = await task.complete().catch((error: unknown) => error);
        stopped.resolve([refused, await untilAborted(signal), late]);
      },
    });
    const error = await agent.send('go').error();
    expect(error).toMatchObject({ httpStatus: 500, code: -32603, status: 'INTERNAL' });
    expect(JSON.stringify(error)).not.toMatch(/password|ECONNREFUSED/);
    const [refused, reason, late] = await stopped.promise;
    expect(refused).toBeInstanceOf(Error);
    expect(reason).toMatchObject({ name: 'TurnAbortedError', why: 'lost' });
    expect(late).toBeInstanceOf(Error);
    expect(agent.engine.drivenTasks).toBe(0);
  });

  it('O-ERR-06: the answer has an id under which the log has the cause', async () => {
    const agent = await target.start({
      taskStore: failing(() => new Error(SECRET)),
      execute: (_context, task) => task.complete(),
    });
    const calls = [
      agent.send('go'),
      agent.stream('go'),
      agent.get('x'),
      agent.list(),
      agent.cancel('x'),
      agent.subscribe('x'),
      agent.send('go', { taskId: 'x' }),
    ];
    for (const call of calls) {
      const error = await call.error();
      expect(error).toMatchObject({ httpStatus: 500, code: -32603, status: 'INTERNAL' });
      expect(JSON.stringify(error)).not.toMatch(/password|ECONNREFUSED|\.ts/);
      expect(error.requestId).toMatch(/.+/);
      const logged = agent.log.of('error').filter((line) => line.includes(error.requestId!));
      expect(logged.join()).toContain(SECRET);
    }
  });

  it('a failure inside an open stream is an error event, and the stream ends', async () => {
    const go = deferred();
    const store = failing();
    const { agent, stream, id } = await startTask(target, {
      taskStore: store,
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        await task.complete();
      },
    });
    const follower = await agent.subscribe(id).result();
    await follower.next();
    store.failWhen(({ method }) => method === 'put' && new Error(SECRET));
    go.resolve();
    for (const each of [stream, follower]) {
      expect(summary(await each.events()).at(-1)).toMatch(/WORKING$/);
      expect(each.failure).toMatchObject({ httpStatus: 500, status: 'INTERNAL' });
      expect(JSON.stringify(each.failure)).not.toContain('password');
    }
    await expect.poll(() => [agent.openStreams, agent.engine.feeds.size]).toEqual([0, 0]);
  });

  it('O-ERR-09: a store that goes away under an open stream is an error with a code in either binding', async () => {
    const go = deferred();
    const store = failing();
    const { stream } = await startTask(target, {
      taskStore: store,
      storePatience: 0,
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        await task.complete();
      },
    });
    store.failWhen(({ method }) => method === 'put' && new StoreUnavailableError(new Error(SECRET)));
    go.resolve();
    await stream.events();
    const { error } = JSON.parse(stream.frames.at(-1)!.data!);
    expect(error.code).toBe(target.binding === 'json-rpc' ? -32603 : 503);
    expect(JSON.stringify(error)).not.toContain('password');
  });

  it('a task that could not be stored is FAILED once the store is well again', async () => {
    const go = deferred();
    const store = failing();
    const { agent, id } = await startTask(target, {
      taskStore: store,
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        await task.complete();
      },
    });
    // The end of the turn is refused; what marks the task afterwards is not.
    let refusals = 0;
    store.failWhen(({ method }) => method === 'put' && refusals++ === 0 && new Error(SECRET));
    go.resolve();
    await expect.poll(async () => statusOf(await agent.get(id).result())).toMatch(/^FAILED: /);
    expect(statusOf(await agent.get(id).result())).not.toContain('password');
    expect(agent.engine.drivenTasks).toBe(0);
  });

  it('a store that is not available for now is a 503 with Retry-After', async () => {
    const store = failing(() => new StoreUnavailableError(new Error(SECRET)));
    const agent = await target.start({
      taskStore: store,
      storePatience: 0,
      execute: (_context, task) => task.complete(),
    });
    for (const call of [agent.send('go'), agent.stream('go'), agent.get('x'), agent.list()]) {
      const error = await call.error();
      expect(error).toMatchObject({ httpStatus: 503, status: 'UNAVAILABLE' });
      expect(Number(error.headers['retry-after'])).toBeGreaterThan(0);
      expect(JSON.stringify(error)).not.toContain('password');
    }
    store.failWhen(() => false);
    expect(statusOf(await agent.send('go').task())).toBe('COMPLETED');
  });

  it('a store that fails for one task disturbs no other', async () => {
    const store = failing();
    const { agent, stream, id } = await startTask(target, {
      taskStore: store,
      execute: async ({ text, signal }, task) => {
        await task.working();
        if (text === 'go') await untilAborted(signal);
        else await task.complete();
      },
    });
    store.failWhen(({ taskId }) => taskId === id);
    expect(statusOf(await agent.send('other').task())).toBe('COMPLETED');
    expect(await agent.cancel(id).error()).toMatchObject({ httpStatus: 500 });
    store.failWhen(() => false);
    expect(statusOf(await agent.cancel(id).result())).toBe('CANCELED');
    expect(summary(await stream.events()).at(-1)).toBe('CANCELED');
  });

  it('under returnImmediately nothing runs for a task that could not be made', async () => {
    const execute = vi.fn(async () => undefined);
    const agent = await target.start({ taskStore: failing(({ method }) => method === 'put'), execute });
    expect(await agent.send('go', { returnImmediately: true }).error()).toMatchObject({ httpStatus: 500 });
    expect(execute).not.toHaveBeenCalled();
    expect([agent.engine.runningTurns, agent.engine.drivenTasks]).toEqual([0, 0]);
  });

  it('a silent stream whose task could not be made is an ordinary error, and its agent is stopped', async () => {
    const stopped = deferred<unknown>();
    const agent = await target.start({
      silenceTimeout: 10,
      taskStore: failing(({ method }) => method === 'put'),
      execute: async ({ signal }) => stopped.resolve(await untilAborted(signal)),
    });
    expect(await agent.stream('go').error()).toMatchObject({ httpStatus: 500, status: 'INTERNAL' });
    expect(await stopped.promise).toMatchObject({ why: 'lost' });
    await expect
      .poll(() => [agent.openStreams, agent.engine.feeds.size, agent.engine.drivenTasks])
      .toEqual([0, 0, 0]);
  });

  it('a message to a waiting task that could not be stored leaves the task as it was', async () => {
    const store = failing();
    const agent = await target.start({
      taskStore: store,
      execute: async ({ text }, task) =>
        text === 'first' ? task.requireInput('which?') : task.complete('done'),
    });
    const task = await agent.send('first').task();
    store.failWhen(({ method }) => method === 'put');
    expect(await agent.send('second', { taskId: task.id }).error()).toMatchObject({ httpStatus: 500 });
    store.failWhen(() => false);
    expect(await agent.get(task.id).result()).toEqual(task);
    expect(agent.engine.runningTurns).toBe(0);
    expect(statusOf(await agent.send('again', { taskId: task.id }).task())).toBe('COMPLETED: done');
  });
});

import { InMemoryTaskStore } from 'nest-a2a';
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

describeAgent('A slow store', (target) => {
  const slow = (delay = 10) => new SlowTaskStore(new InMemoryTaskStore(), delay);

  it('S-66: a client sees no event that the store does not have', async () => {
    const agent = await target.start({
      taskStore: slow(),
      execute: async (_context, task) => {
        await task.working();
        await task.addArtifact([{ text: 'x' }], { artifactId: 'a1' });
        await task.requireInput('which?');
      },
    });
    const stream = await agent.stream('go').result();
    let id = '';
    for await (const event of stream) {
      id ||= event.task!.id;
      const stored = await agent.get(id).result();
      if (event.statusUpdate?.status.message) expect(stored.status).toEqual(event.statusUpdate.status);
      if (event.artifactUpdate) expect(stored.artifacts).toEqual([event.artifactUpdate.artifact]);
    }
    expect(await agent.get(id).result()).toEqual(await stream.folded());
  });

  it('S-66: a state is stored when its call has resolved', async () => {
    const seen: string[] = [];
    const agent = await target.start({
      taskStore: slow(),
      execute: async ({ taskId }, task) => {
        const look = async () => seen.push(statusOf((await agent.tasks.get(taskId))!));
        await task.working();
        await look();
        await task.requireAuth('log in');
        await look();
        await task.complete('done');
        await look();
      },
    });
    const stream = await agent.stream('go').result();
    await stream.events();
    await expect.poll(() => seen).toEqual(['WORKING', 'AUTH_REQUIRED: log in', 'COMPLETED: done']);
  });

  it('what comes while a put is under way shares the next one, and keeps its order', async () => {
    let puts = 0;
    const store = new SlowTaskStore(new InMemoryTaskStore(), ({ method }) => {
      if (method === 'put') puts++;
      return 10;
    });
    const agent = await target.start({
      taskStore: store,
      execute: async (_context, task) => {
        for (let n = 0; n < 100; n++) {
          await task.appendArtifact('a1', [{ text: `${n} ` }]);
          await new Promise(setImmediate);
        }
        await task.complete();
      },
    });
    const stream = await agent.stream('go').result();
    const expected = Array.from({ length: 100 }, (_none, n) => `a1 + ${n} `);
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', ...expected, 'COMPLETED']);
    expect(puts).toBeLessThan(50);
    const { id } = await stream.folded();
    expect(await agent.get(id).result()).toEqual(await stream.folded());
  });

  it('an agent is slowed once many events wait for the store', async () => {
    const put = deferred();
    const made: number[] = [];
    class ClosedStore extends InMemoryTaskStore {
      override async put(...args: Parameters<InMemoryTaskStore['put']>): Promise<void> {
        if (made.length > 0) await put.promise;
        return super.put(...args);
      }
    }
    const agent = await target.start({
      taskStore: new ClosedStore(),
      limits: { queuedEvents: 20 },
      execute: async (_context, task) => {
        await task.working();
        for (let n = 0; n < 200; n++) {
          made.push(n);
          await task.appendArtifact('a1', [{ text: `${n} ` }]);
        }
        await task.complete();
      },
    });
    const sent = agent.send('go');
    await expect.poll(() => made.length).toBeGreaterThanOrEqual(20);
    // Everything that can happen without the store has happened.
    await agent.card();
    expect(made.length).toBeLessThan(60);
    put.resolve();
    const task = await sent.task();
    expect(textOf(task.artifacts![0])).toBe(Array.from({ length: 200 }, (_none, n) => `${n} `).join(''));
  });

  it('O-CANCEL-04: the answer of a cancel is what the store has', async () => {
    const agent = await target.start({
      taskStore: slow(),
      cancelTimeout: 5,
      execute: async (_context, task) => {
        await task.working('at it');
        await new Promise(() => undefined);
      },
    });
    const stream = await agent.stream('go').result();
    const { id } = (await stream.next())!.task!;
    const canceled = await agent.cancel(id).result();
    expect(await agent.get(id).result()).toEqual(canceled);
    expect(await stream.folded()).toEqual(canceled);
  });

  it('a send at AUTH_REQUIRED waits for the next pause, also while that state is on its way into the store', async () => {
    const ask = deferred();
    const asked = deferred();
    const put = deferred();
    class ClosedStore extends InMemoryTaskStore {
      isClosed = false;
      override async put(...args: Parameters<InMemoryTaskStore['put']>): Promise<void> {
        if (this.isClosed) await put.promise;
        return super.put(...args);
      }
    }
    const store = new ClosedStore();
    const { agent, id } = await startTask(target, {
      taskStore: store,
      execute: async ({ messages }, task) => {
        await task.working();
        await ask.promise;
        const stored = task.requireAuth('log in');
        asked.resolve();
        await stored;
        await messages[Symbol.asyncIterator]().next();
        await task.complete('welcome');
      },
    });
    store.isClosed = true;
    ask.resolve();
    await asked.promise;
    const sent = agent.send('token', { taskId: id });
    await expect.poll(() => agent.engine.turnOf(id)?.live.queued).toBe(1);
    put.resolve();
    expect(statusOf(await sent.task())).toBe('COMPLETED: welcome');
  });

  it('continued tasks keep their history in order', async () => {
    const agent = await target.start({
      taskStore: slow(),
      execute: ({ text }, task) => task.requireInput(`after ${text}`),
    });
    const { id } = await agent.send('1').task();
    await agent.send('2', { taskId: id }).task();
    const task = await agent.send('3', { taskId: id }).task();
    expect(historyOf(task)).toEqual(['1', 'after 1', '2', 'after 2', '3']);
  });
});

import { BullMqDispatcher, type BullMqDispatcherOptions } from 'nest-a2a/redis';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { systemScope, type AgentExecutor, type Task } from 'nest-a2a';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  deferred,
  historyOf,
  ownerByHeader,
  statusOf,
  summary,
  untilAborted,
  type AgentOptions,
  type TestAgent,
} from '../../support/index.js';
import { hasServers, SharedServers, type Replicas } from '../../support/replicas.js';

describe.skipIf(!hasServers)('Processes with roles', () => {
  let servers: SharedServers;
  let replicas: Replicas;
  let queue = 0;

  beforeAll(async () => {
    servers = await SharedServers.start();
  });
  afterAll(async () => {
    await servers?.stop();
  });
  beforeEach(async () => {
    replicas = await servers.replicas();
    queue += 1;
  });

  /** Starts a process with a role, on the queue of the test. */
  function start(
    role: 'api' | 'worker' | 'both',
    options: AgentOptions,
    settings: BullMqDispatcherOptions = {},
  ): Promise<TestAgent> {
    const dispatcher = new BullMqDispatcher({ url: servers.redis.url, prefix: `test-${queue}`, ...settings });
    return replicas.start({ role, dispatcher, ...options });
  }

  /** Says where it runs. */
  const at =
    (where: string): AgentExecutor['execute'] =>
    async ({ text, messages: _, attempt }, task) => {
      if (text === 'ask') return task.requireInput('which?');
      if (text === 'direct') return { parts: [{ text: `direct at ${where}` }] };
      await task.working();
      await task.addArtifact([{ text: `${text} ${attempt}` }], { artifactId: 'a' });
      await task.complete(`at ${where}`);
    };

  it('a message that is taken by one process is run by another', async () => {
    const api = await start('api', { execute: at('api') });
    await start('worker', { execute: at('worker') });
    expect(statusOf(await api.send('go').task())).toBe('COMPLETED: at worker');
    const stream = await api.stream('go').result();
    expect(summary(await stream.events())).toEqual([
      'task SUBMITTED',
      'WORKING',
      'a: go 1',
      'COMPLETED: at worker',
    ]);
    expect(stream.ids).toEqual(['1', '2', '3', '4']);
    const task = await api.send('go', { returnImmediately: true }).task();
    expect(statusOf(task)).toBe('SUBMITTED');
    await expect.poll(async () => statusOf(await api.get(task.id).result())).toBe('COMPLETED: at worker');
    expect(statusOf(await api.send('direct').task())).toBe('COMPLETED: direct at worker');
    expect(api.engine.drivenTasks).toBe(0);
  });

  it('a task that waits for input goes on at a worker too', async () => {
    const api = await start('api', { execute: at('api') });
    await start('worker', { execute: at('worker') });
    const { id: taskId } = await api.send('ask').task();
    const done = await api.send('go', { taskId }).task();
    expect(statusOf(done)).toBe('COMPLETED: at worker');
    expect(historyOf(done)).toEqual(['ask', 'which?', 'go']);
  });

  it('a worker serves everything but messages, and says so', async () => {
    const api = await start('api', { execute: at('api') });
    const worker = await start('worker', { execute: at('worker') });
    const { id } = await api.send('go').task();
    expect(await worker.send('go').error()).toMatchObject({ httpStatus: 503 });
    expect(statusOf(await worker.get(id).result())).toBe('COMPLETED: at worker');
    expect(await worker.card()).toMatchObject({ name: 'Test Agent' });
  });

  it('a turn that waits can be canceled, and never runs', async () => {
    const api = await start('api', { execute: at('api') });
    const { id } = await api.send('go', { returnImmediately: true }).task();
    expect(await api.send('more', { taskId: id }).error()).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    expect(statusOf(await api.cancel(id).result())).toBe('CANCELED');
    await start('worker', { execute: at('worker') });
    const { id: next } = await api.send('next').task();
    expect(statusOf(await api.get(next).result())).toBe('COMPLETED: at worker');
    expect(statusOf(await api.get(id).result())).toBe('CANCELED');
  });

  it('a turn at work elsewhere can be canceled', async () => {
    const api = await start('api', { execute: at('api') });
    await start('worker', {
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
    });
    const stream = await api.stream('go').result();
    const { id } = (await stream.next())!.task!;
    await stream.next();
    expect(statusOf(await api.cancel(id).result())).toBe('CANCELED');
    expect(summary(await stream.events()).at(-1)).toBe('CANCELED');
  });

  it('a job that comes twice, late or broken runs nothing', async () => {
    const runs: string[] = [];
    const options: AgentOptions = {
      execute: async ({ text }, task) => {
        runs.push(text);
        await task.complete('done');
      },
    };
    const api = await start('api', options);
    await start('worker', options);
    const { id } = await api.send('one').task();
    const again = new BullMqDispatcher({ url: servers.redis.url, prefix: `test-${queue}` });
    const record = (await api.store.get(id, systemScope('default')))!;
    const turn = {
      agent: 'default',
      message: record.task.history![0]!,
      call: { scopes: [], extensions: [], version: '1.0' },
    };
    await again.dispatch({ ...turn, taskId: id, epoch: 1 });
    await again.dispatch({ ...turn, taskId: id, epoch: record.epoch });
    await again.dispatch({ ...turn, taskId: 'unknown', epoch: 1 });
    await again.dispatch({ ...turn, taskId: 7 as never, epoch: 1 });
    await again.close();
    expect(statusOf(await api.send('two').task())).toBe('COMPLETED: done');
    expect(runs).toEqual(['one', 'two']);
  });

  it('runs as many at a time as the option says, by priority', async () => {
    const go = deferred();
    const runs: string[] = [];
    const options: AgentOptions = {
      execute: async ({ text }, task) => {
        runs.push(text);
        if (text === 'first') await go.promise;
        await task.complete('done');
      },
    };
    const priority: BullMqDispatcherOptions['priority'] = ({ message }) =>
      message.parts[0]!.text === 'urgent' ? 1 : 2;
    const api = await start('api', options, { priority });
    await start('worker', options, { concurrency: 1 });
    const queued = new BullMqDispatcher({ url: servers.redis.url, prefix: `test-${queue}` });
    onTestFinished(() => queued.close());
    const sends = [api.send('first').task()];
    await expect.poll(() => runs).toEqual(['first']);
    for (const text of ['second', 'third', 'urgent']) {
      sends.push(api.send(text).task());
      await expect.poll(() => queued.waiting('default')).toBe(sends.length - 1);
    }
    go.resolve();
    await Promise.all(sends);
    expect(runs).toEqual(['first', 'urgent', 'second', 'third']);
  });

  it('past the bound of waiting turns a message is refused', async () => {
    const api = await start('api', { execute: at('api'), limits: { waitingTurns: 2 } });
    for (let n = 0; n < 2; n++) await api.send('go', { returnImmediately: true }).task();
    const refused = async () => (await api.send('go', { returnImmediately: true })).error?.httpStatus;
    await expect.poll(refused, { interval: 300 }).toBe(503);
    expect((await api.send('go', { returnImmediately: true }).error()).headers['retry-after']).toBeDefined();
  });

  it('messages that come at the same moment do not pass the bound either', async () => {
    const api = await start('api', { execute: at('api'), limits: { waitingTurns: 20 } });
    const sends = await Promise.all(
      Array.from({ length: 200 }, () =>
        api.send('go', { returnImmediately: true }).then((outcome) => outcome),
      ),
    );
    const refused = sends.flatMap(({ error }) => error?.httpStatus ?? []);
    expect(new Set(refused)).toEqual(new Set([503]));
    // The queue is counted now and then: a few may pass between a count and the next.
    expect(refused.length).toBeGreaterThan(170);
    expect(refused.length).toBeLessThanOrEqual(180);
  });

  it('the bound of an owner counts the turns of every process', async () => {
    const options: AgentOptions = {
      ownerResolver: ownerByHeader,
      limits: { runningTurnsPerOwner: 2 },
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
    };
    const apis = [await start('api', options), await start('api', options)];
    await start('worker', options);
    const send = (api: TestAgent, owner: string) => api.as(owner).send('go', { returnImmediately: true });
    for (const api of apis) await send(api, 'anna').task();
    for (const api of apis) expect(await send(api, 'anna').error()).toMatchObject({ httpStatus: 429 });
    expect(statusOf(await send(apis[0]!, 'berta').task())).toBe('SUBMITTED');
    const burst = await Promise.all(Array.from({ length: 20 }, () => send(apis[0]!, 'carla')));
    expect(burst.filter(({ error }) => error === undefined)).toHaveLength(2);
  });

  it('turns that wait to go on count for the bound of an owner, and messages to a running agent do not', async () => {
    const options: AgentOptions = {
      ownerResolver: ownerByHeader,
      limits: { runningTurnsPerOwner: 1 },
      execute: async ({ text, messages }, task) => {
        if (text === 'ask') return task.requireInput('which?');
        await task.requireAuth('who?');
        const { value } = await messages[Symbol.asyncIterator]().next();
        await task.complete(value!.parts[0]!.text);
      },
    };
    const api = await start('api', options);
    const worker = await start('worker', options);
    const anna = api.as('anna');
    const [one, two] = [await anna.send('ask').task(), await anna.send('ask').task()];
    await worker.app.close();
    await anna.send('go', { taskId: one.id, returnImmediately: true }).task();
    expect(await anna.send('go', { taskId: two.id }).error()).toMatchObject({ httpStatus: 429 });
    expect(await anna.send('go').error()).toMatchObject({ httpStatus: 429 });
    await start('worker', options);
    await expect.poll(async () => statusOf(await anna.get(one.id).result())).toBe('AUTH_REQUIRED: who?');
    expect(statusOf(await anna.send('me', { taskId: one.id }).task())).toBe('COMPLETED: me');
    expect(statusOf(await anna.send('ask').task())).toBe('INPUT_REQUIRED: which?');
  });

  it('turns that waited are found in the database where Redis came back empty', async () => {
    const options: AgentOptions = { requeueAfter: 500, sweepInterval: 100 };
    const api = await start('api', { ...options, execute: at('api') });
    const sends = [api.send('one').task(), api.send('two').task()];
    await expect.poll(async () => (await api.list().result()).totalSize).toBe(2);
    await servers.redis.stop();
    const third = api.send('three').task();
    await expect.poll(async () => (await api.list().result()).totalSize).toBe(3);
    await servers.redis.run();
    await start('worker', { ...options, execute: at('worker') });
    for (const task of await Promise.all([...sends, third])) {
      expect(statusOf(task)).toBe('COMPLETED: at worker');
      expect(task.artifacts![0]!.parts[0]!.text).toMatch(/ 1$/);
    }
  });

  it('so is an answer that waited, to a question that was asked before', async () => {
    const options: AgentOptions = { requeueAfter: 300, sweepInterval: 100 };
    const api = await start('api', { ...options, execute: at('api') });
    const worker = await start('worker', { ...options, execute: at('worker') });
    const { id } = await api.send('ask').task();
    await worker.app.close();
    await servers.redis.stop();
    const answered = api.send('this one', { taskId: id }).task();
    await expect.poll(async () => historyOf(await api.get(id).result())).toContain('this one');
    await servers.redis.run();
    await start('worker', { ...options, execute: at('worker') });
    expect(statusOf(await answered)).toBe('COMPLETED: at worker');
  });

  it('however long turns wait, no more run at a time than the option says', async () => {
    let running = 0;
    let most = 0;
    const options: AgentOptions = {
      requeueAfter: 100,
      sweepInterval: 20,
      execute: async (_context, task) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 150));
        running -= 1;
        await task.complete('done');
      },
    };
    const api = await start('api', options);
    await start('worker', options, { concurrency: 2 });
    const sends = Array.from({ length: 12 }, () => api.send('go').task());
    for (const task of await Promise.all(sends)) expect(statusOf(task)).toBe('COMPLETED: done');
    expect(most).toBe(2);
  });

  it('however long turns wait, they keep their order, and each is in the queue once', async () => {
    const runs: string[] = [];
    const options: AgentOptions = {
      requeueAfter: 100,
      sweepInterval: 20,
      execute: async ({ text }, task) => {
        runs.push(text);
        await new Promise((resolve) => setTimeout(resolve, 50));
        await task.complete('done');
      },
    };
    const api = await start('api', options);
    const queued = new BullMqDispatcher({ url: servers.redis.url, prefix: `test-${queue}` });
    const sent: string[] = [];
    for (let n = 0; n < 15; n++) {
      await api.send(`${n}`, { returnImmediately: true }).task();
      sent.push(`${n}`);
    }
    await start('worker', options, { concurrency: 1 });
    const waiting: number[] = [];
    const isDone = async () => {
      waiting.push(runs.length + (await queued.waiting('default')));
      return runs.length === sent.length;
    };
    await expect.poll(isDone, { timeout: 20_000 }).toBe(true);
    await queued.close();
    expect(runs).toEqual(sent);
    // What was queued again while it was taken out runs nothing.
    expect(Math.max(...waiting)).toBeLessThanOrEqual(sent.length + 2);
  });

  it('a turn that dead workers had taken, but not begun, is the next to run, and waits once', async () => {
    const go = deferred();
    const runs: string[] = [];
    const options: AgentOptions = {
      requeueAfter: 200,
      sweepInterval: 20,
      execute: async ({ text }, task) => {
        runs.push(text);
        if (text === 'second') await go.promise;
        await task.complete('done');
      },
    };
    const api = await start('api', options);
    const queued = new BullMqDispatcher({ url: servers.redis.url, prefix: `test-${queue}` });
    const sent: Task[] = [];
    for (const text of ['first', 'second', 'third']) {
      sent.push(await api.send(text, { returnImmediately: true }).task());
    }
    await takeAndDie();
    await start('worker', options, { concurrency: 1 });
    await expect.poll(() => runs).toEqual(['second']);
    await expect.poll(() => queued.waiting('default')).toBe(2);
    await takeAndDie();
    const before = await epoch();
    await expect.poll(() => queued.waiting('default')).toBe(2);
    await expect.poll(epoch).toBeGreaterThan(before + 4);
    expect(await queued.waiting('default')).toBe(2);
    go.resolve();
    await expect.poll(() => runs).toEqual(['second', 'first', 'third']);
    for (const { id } of sent)
      await expect.poll(async () => statusOf(await api.get(id).result())).toBe('COMPLETED: done');
    await queued.close();

    /** As a worker that is killed as soon as it has a job. */
    async function takeAndDie(): Promise<void> {
      const connection = new Redis(servers.redis.url, { maxRetriesPerRequest: null });
      const worker = new Worker('turns-default', null, { connection, prefix: `test-${queue}` });
      const { data } = (await worker.getNextJob('token')) as { data: { taskId: string } };
      expect(data.taskId).toBe(sent[0]!.id);
      await worker.close(true);
      connection.disconnect();
    }

    async function epoch(): Promise<number> {
      return (await api.store.get(sent[0]!.id, systemScope('default')))!.epoch;
    }
  });

  it('turns that waited at a worker that lives go on after Redis has been emptied', async () => {
    const go = deferred();
    const options: AgentOptions = {
      requeueAfter: 300,
      sweepInterval: 50,
      execute: async ({ attempt }, task) => {
        await go.promise;
        await task.complete(`attempt ${attempt}`);
      },
    };
    const api = await start('api', options);
    const worker = await start('worker', options, { concurrency: 2 });
    const sends = Array.from({ length: 6 }, () => api.send('go').task());
    await expect.poll(() => worker.engine.drivenTasks).toBe(2);
    await expect.poll(async () => (await api.list().result()).totalSize).toBe(6);
    const redis = new Redis(servers.redis.url);
    await redis.flushall();
    redis.disconnect();
    go.resolve();
    for (const task of await Promise.all(sends)) expect(statusOf(task)).toBe('COMPLETED: attempt 1');
    expect(statusOf(await api.send('after that').task())).toBe('COMPLETED: attempt 1');
  });

  it('with the role "both" a message may run anywhere', async () => {
    const both = [await start('both', { execute: at('0') }), await start('both', { execute: at('1') })];
    const tasks = await Promise.all(
      both.flatMap((agent) => [agent.send('go').task(), agent.send('go').task()]),
    );
    for (const task of tasks) expect(statusOf(task)).toMatch(/^COMPLETED: at [01]$/);
  });
});

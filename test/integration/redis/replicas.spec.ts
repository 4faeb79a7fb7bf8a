import type { AgentExecutor } from 'nest-a2a';
import { A2AHealth, systemScope } from 'nest-a2a';
import { SqlPushNotificationConfigStore } from 'nest-a2a/sql';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  deferred,
  historyOf,
  statusOf,
  summary,
  textOf,
  untilAborted,
  type AgentOptions,
  type TestAgent,
} from '../../support/index.js';
import { LOOPBACK, Webhook } from '../../support/webhook.js';
import { hasServers, SharedServers, type Replicas } from '../../support/replicas.js';

/** Works until its signal aborts. */
const endless: AgentExecutor['execute'] = async ({ signal }, task) => {
  await task.working();
  await untilAborted(signal);
};

/** Starts a task that is at work, and gives its id. */
async function atWork(agent: TestAgent): Promise<string> {
  const { id } = await agent.send('go', { returnImmediately: true }).task();
  await expect.poll(async () => statusOf(await agent.get(id).result())).toBe('WORKING');
  return id;
}

describe.skipIf(!hasServers)('Replicas of an agent', () => {
  let servers: SharedServers;
  let replicas: Replicas;

  beforeAll(async () => {
    servers = await SharedServers.start();
  });
  afterAll(async () => {
    await servers?.stop();
  });
  beforeEach(async () => {
    replicas = await servers.replicas();
  });

  /** Lets every replica hear of the others' events. */
  async function connected(...agents: TestAgent[]): Promise<void> {
    await expect.poll(() => agents.every(({ engine }) => engine.parts.bus.isConnected())).toBe(true);
  }

  it('a task of one is followed at another from any moment, without a gap or a repeat', async () => {
    const go = Array.from({ length: 4 }, () => deferred());
    const [a, b, c] = (await replicas.startAll(3, {
      execute: async (_context, task) => {
        await task.working();
        for (const [index, { promise }] of go.entries()) {
          await promise;
          for (let piece = 0; piece < 20; piece++)
            await task.appendArtifact('a', [{ text: `${index}.${piece} ` }]);
          // Larger than what goes through Redis.
          await task.addArtifact([{ text: 'x'.repeat(100_000) }], { artifactId: `large-${index}` });
        }
        await task.complete('done');
      },
    })) as [TestAgent, TestAgent, TestAgent];
    await connected(a, b, c);
    const own = await a.stream('go').result();
    const { id } = (await own.next())!.task!;
    await own.next();
    const streams = [own];
    for (const [index, { resolve }] of go.entries()) {
      streams.push(await b.subscribe(id).result(), await c.subscribe(id).result());
      resolve();
      if (index < 3)
        await own.find(({ artifactUpdate }) => artifactUpdate?.artifact.artifactId === `large-${index}`);
    }
    const task = await b
      .get(id)
      .result()
      .then(async () => (await own.events(), await b.get(id).result()));
    for (const stream of streams) {
      expect(await stream.folded()).toEqual(
        stream === own ? task : expect.objectContaining({ artifacts: task.artifacts }),
      );
      const ids = stream.ids.map(Number);
      expect(ids).toEqual([...new Set(ids)].sort((one, two) => one - two));
      // Nothing but the snapshot stands for more than one event.
      expect(ids.slice(1)).toEqual(ids.slice(1).map((_, index) => ids[1]! + index));
    }
  });

  it('a cancel at another fires the signal at once, and everybody sees it', async () => {
    const fired = deferred();
    const [a, b, c] = (await replicas.startAll(3, {
      // Nobody waits for it: the answer comes when the agent has stopped.
      cancelTimeout: 3_600_000,
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
        fired.resolve();
      },
    })) as [TestAgent, TestAgent, TestAgent];
    await connected(a, b, c);
    const id = await atWork(a);
    const stream = await b.subscribe(id).result();
    expect(statusOf(await c.cancel(id).result())).toBe('CANCELED');
    await fired.promise;
    expect(summary(await stream.events())).toEqual(['task WORKING', 'CANCELED']);
    expect(await a.cancel(id).error()).toMatchObject({ reason: 'TASK_NOT_CANCELABLE' });
  });

  it('what the agent says to a cancel is the answer at another, and does not stop it', async () => {
    const [a, b] = (await replicas.startAll(2, {
      execute: endless,
      cancel: async () => {
        const { TaskNotCancelableError } = await import('nest-a2a');
        throw new TaskNotCancelableError('not now');
      },
    })) as [TestAgent, TestAgent];
    await connected(a, b);
    const id = await atWork(a);
    expect(await b.cancel(id).error()).toMatchObject({ reason: 'TASK_NOT_CANCELABLE', message: 'not now' });
    expect(statusOf(await b.get(id).result())).toBe('WORKING');
  });

  it('of cancels everywhere at the same time one is enough', async () => {
    const agents = await replicas.startAll(3, { execute: endless });
    await connected(...agents);
    const id = await atWork(agents[0]!);
    const outcomes = await Promise.all(agents.flatMap((agent) => [agent.cancel(id), agent.cancel(id)]));
    for (const { result, error } of outcomes) {
      if (result) expect(statusOf(result)).toBe('CANCELED');
      else expect(error).toMatchObject({ reason: 'TASK_NOT_CANCELABLE' });
    }
    expect(outcomes.some(({ result }) => result)).toBe(true);
  });

  it('a paused task goes on at any replica, with all that was said', async () => {
    const [a, b] = (await replicas.startAll(2, {
      execute: async ({ text, task: before }, task) => {
        if (text === 'first') return task.requireInput('which?');
        await task.complete(`${text} after ${before!.history!.length}`);
      },
    })) as [TestAgent, TestAgent];
    await connected(a, b);
    const { id: taskId } = await a.send('first').task();
    const stream = await a.subscribe(taskId).result();
    const done = await b.send('second', { taskId }).task();
    expect(statusOf(done)).toBe('COMPLETED: second after 3');
    expect(historyOf(await a.get(taskId).result())).toEqual(['first', 'which?', 'second']);
    expect(summary(await stream.events())).toEqual(['task INPUT_REQUIRED', 'COMPLETED: second after 3']);
  });

  it('of two that go on with one task at the same moment one wins, and the other is told that it is busy', async () => {
    const executions = vi.fn();
    const [a, b] = (await replicas.startAll(2, {
      execute: async (context, task) => {
        if (context.text === 'first') return task.requireInput('which?');
        executions();
        await endless(context, task);
      },
    })) as [TestAgent, TestAgent];
    for (let round = 0; round < 5; round++) {
      executions.mockClear();
      const { id: taskId } = await a.send('first').task();
      const sends = [a, b].map((agent) => agent.send('second', { taskId, returnImmediately: true }));
      const outcomes = await Promise.all(sends);
      const refusals = outcomes.flatMap(({ error }) => error ?? []);
      expect(refusals).toMatchObject([{ reason: 'UNSUPPORTED_OPERATION' }]);
      await expect.poll(() => executions.mock.calls.length).toBe(1);
      expect(historyOf(await b.get(taskId).result())).toEqual(['first', 'which?', 'second']);
    }
  });

  it('a message to an agent that waits for an authorization elsewhere reaches it, and its sender waits', async () => {
    const [a, b, c] = (await replicas.startAll(3, {
      execute: async ({ messages }, task) => {
        await task.requireAuth('log in');
        const { value } = await messages[Symbol.asyncIterator]().next();
        await task.working(`thanks for ${textOf(value as never)}`);
        await task.complete('done');
      },
    })) as [TestAgent, TestAgent, TestAgent];
    await connected(a, b, c);
    const { id: taskId } = await a.send('go').task();
    const stream = await c.subscribe(taskId).result();
    const done = await b.send('the code', { taskId }).task();
    expect(statusOf(done)).toBe('COMPLETED: done');
    expect(historyOf(done)).toEqual(['go', 'log in', 'the code', 'thanks for the code']);
    expect(summary(await stream.events())).toEqual([
      'task AUTH_REQUIRED',
      'WORKING: thanks for the code',
      'COMPLETED: done',
    ]);
  });

  it('a task that was handed over and is driven by another process wakes a blocking send', async () => {
    const handed = deferred<string>();
    const [a, b] = (await replicas.startAll(2, {
      execute: async ({ taskId }, task) => {
        await task.working();
        task.handOver();
        handed.resolve(taskId);
      },
    })) as [TestAgent, TestAgent];
    await connected(a, b);
    const send = a.send('go').task();
    const id = await handed.promise;
    await expect.poll(async () => (await b.store.get(id, systemScope('default')))?.run).toBeUndefined();
    const updater = await b.tasks.updater(id);
    await updater.addArtifact([{ text: 'elsewhere' }], { artifactId: 'a' });
    await updater.complete('done');
    const done = await send;
    expect(statusOf(done)).toBe('COMPLETED: done');
    expect(done.artifacts).toHaveLength(1);
    await expect.poll(() => a.engine.drivenTasks).toBe(0);
  });

  it('a blocking send goes on waiting where another process takes the task over', async () => {
    const options: AgentOptions = {
      recovery: 'retry',
      execute: async (context, task) => {
        await task.working();
        if (context.attempt > 1) return task.complete(`attempt ${context.attempt}`);
        await untilAborted(context.signal);
      },
    };
    const a = await replicas.start({ ...options, leaseDuration: 3_000 });
    const b = await replicas.start({ ...options, sweepInterval: 20 });
    await connected(a, b);
    const send = a.send('go').task();
    await expect.poll(async () => (await b.list().result()).totalSize).toBe(1);
    const { id } = (await b.list().result()).tasks[0]!;
    const stream = await a.subscribe(id).result();
    // As after a pause of the process that was longer than its lease.
    const ended = async (): Promise<number> => {
      await a.store.endLease(a.engine.worker);
      return (await b.store.get(id, systemScope('default')))!.epoch;
    };
    await expect.poll(ended, { interval: 100 }).toBeGreaterThan(1);
    expect(statusOf(await send)).toBe('COMPLETED: attempt 2');
    expect(summary(await stream.events()).at(-1)).toBe('COMPLETED: attempt 2');
  });

  it('a webhook that is set at another is told of what happens from then on', async () => {
    const webhook = await Webhook.start();
    const go = deferred();
    const configs = new SqlPushNotificationConfigStore(replicas.database);
    const [a, b] = (await replicas.startAll(2, {
      pushNotificationConfigStore: configs,
      pushNotifications: LOOPBACK,
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        await task.complete('done');
      },
    })) as [TestAgent, TestAgent];
    await connected(a, b);
    const taskId = await atWork(a);
    await b.call('createTaskPushNotificationConfig', { taskId, url: webhook.url }).result();
    go.resolve();
    await webhook.received(1);
    expect(webhook.states).toEqual(['COMPLETED']);
  });

  it('one that shuts down sends those away who follow others at once, and its own when their turn is over', async () => {
    const go = deferred();
    const [a, b] = (await replicas.startAll(2, {
      shutdownTimeout: 60_000,
      execute: async ({ text, signal }, task) => {
        await task.working();
        await (text === 'go' ? untilAborted(signal) : go.promise);
        await task.complete('done');
      },
    })) as [TestAgent, TestAgent];
    await connected(a, b);
    const following = await atWork(a);
    const elsewhere = await b.subscribe(following).result();
    const send = b.send('own').task();
    const own = await b.stream('own').result();
    const { id } = (await own.next())!.task!;
    await own.next();
    const health = b.app.get(A2AHealth);
    expect(await health.check('agent')).toMatchObject({
      agent: { status: 'up', eventBus: 'up', runningTurns: 2 },
    });
    const closing = b.app.close();
    expect(summary(await elsewhere.events())).toEqual(['task WORKING']);
    expect(await health.ready()).toMatchObject({ status: 'down', accepting: false, taskStore: 'up' });
    expect(await b.send('more').error()).toMatchObject({ httpStatus: 503 });
    expect(statusOf(await a.get(id).result())).toBe('WORKING');
    go.resolve();
    expect(summary(await own.events()).at(-1)).toBe('COMPLETED: done');
    expect(statusOf(await send)).toBe('COMPLETED: done');
    await closing;
    expect(statusOf(await a.get(id).result())).toBe('COMPLETED: done');
    await a.cancel(following).result();
  });

  it('what one that shuts down could not finish goes on at another', async () => {
    const [a, b] = (await replicas.startAll(2, {
      recovery: 'retry',
      sweepInterval: 50,
      execute: async ({ attempt, signal }, task) => {
        await task.working();
        if (attempt === 1) await untilAborted(signal);
        await task.complete(`attempt ${attempt}`);
      },
    })) as [TestAgent, TestAgent];
    await connected(a, b);
    const id = await atWork(a);
    const stream = await b.subscribe(id).result();
    await a.app.close();
    expect(summary(await stream.events()).at(-1)).toBe('COMPLETED: attempt 2');
  });

  describe('without Redis', () => {
    beforeEach(async () => {
      await servers.redis.stop();
      return () => servers.redis.run();
    });

    it('a replica is ready all the same, and says that it hears nothing', async () => {
      const agent = await replicas.start({ execute: endless });
      expect(await agent.app.get(A2AHealth).ready()).toMatchObject({ status: 'up', eventBus: 'down' });
    });

    it('a task is followed at another to its end', async () => {
      const go = deferred();
      const [a, b] = (await replicas.startAll(2, {
        execute: async (_context, task) => {
          await task.working();
          await go.promise;
          await task.addArtifact([{ text: 'x' }], { artifactId: 'a' });
          await task.complete('done');
        },
      })) as [TestAgent, TestAgent];
      const id = await atWork(a);
      const stream = await b.subscribe(id).result();
      go.resolve();
      expect(summary(await stream.events())).toEqual(['task WORKING', 'a: x', 'COMPLETED: done']);
    });

    it('a cancel elsewhere says within its bound that the process cannot be reached, and the task goes on', async () => {
      const [a, b] = (await replicas.startAll(2, { execute: endless, cancelTimeout: 200 })) as [
        TestAgent,
        TestAgent,
      ];
      const id = await atWork(a);
      expect(await b.cancel(id).error()).toMatchObject({
        httpStatus: 503,
        message: expect.stringContaining('cannot be reached'),
      });
      expect(statusOf(await a.get(id).result())).toBe('WORKING');
      expect(statusOf(await a.cancel(id).result())).toBe('CANCELED');
    });

    it('a cancel elsewhere takes the task over once the lease of its process has run out', async () => {
      const [a, b] = (await replicas.startAll(2, { execute: endless, sweepInterval: 60_000 })) as [
        TestAgent,
        TestAgent,
      ];
      const id = await atWork(a);
      const cancel = b.cancel(id);
      await a.store.endLease(a.engine.worker);
      expect(statusOf(await cancel.result())).toBe('CANCELED');
      expect(statusOf(await a.get(id).result())).toBe('CANCELED');
    });

    it('a message for an agent that cannot be reached says so', async () => {
      const [a, b] = (await replicas.startAll(2, {
        cancelTimeout: 200,
        execute: async ({ signal }, task) => {
          await task.requireAuth('log in');
          await untilAborted(signal);
        },
      })) as [TestAgent, TestAgent];
      const { id: taskId } = await a.send('go').task();
      const answer = await b.send('the code', { taskId }).error();
      expect(answer).toMatchObject({
        httpStatus: 503,
        message: expect.stringContaining('cannot be reached'),
      });
    });
  });
});

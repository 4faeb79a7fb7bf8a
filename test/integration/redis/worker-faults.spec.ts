import { TaskState, type Task } from 'nest-a2a';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentProcess } from '../../support/agent-process.js';
import { hasServers, SharedServers } from '../../support/replicas.js';
import { statusOf, textOf } from '../../support/summary.js';
import { startDurable } from '../faults/durable-agent.js';

describe.skipIf(!hasServers)('Processes with roles that die or stop', { timeout: 240_000 }, () => {
  let servers: SharedServers;
  let database: string;

  beforeAll(async () => {
    servers = await SharedServers.start();
  });
  afterAll(() => servers?.stop());
  beforeEach(async () => {
    database = await servers.postgres.createDatabase();
  });

  const start = (role: 'api' | 'worker') =>
    startDurable(database, { role, recovery: 'retry', requeueAfter: 1_000 }, { redis: servers.redis.url });

  /** Sends messages, and waits until that many tasks have the state. */
  async function send({ client }: AgentProcess, texts: string[], status: TaskState): Promise<void> {
    for (const text of texts) await client.send(text, { returnImmediately: true }).task();
    await expect
      .poll(async () => (await client.list({ status }).result()).totalSize)
      .toBeGreaterThanOrEqual(texts.length);
  }

  /** What tasks came to, the last one first; if they do not come to an end, it tells what the processes said. */
  async function ended({ client }: AgentProcess, count: number, ...all: AgentProcess[]): Promise<string[]> {
    let tasks: Task[] = [];
    const completed = async () => {
      ({ tasks } = await client.list({ includeArtifacts: true }).result());
      return tasks.filter((task) => statusOf(task) === 'COMPLETED').length;
    };
    await expect
      .poll(completed)
      .toBe(count)
      .catch((error: unknown) => {
        const said = all.map((agent) => agent.said).join('\n');
        throw new Error(`${JSON.stringify(tasks, null, 1)}\n${said}`, { cause: error });
      });
    return tasks.flatMap(({ artifacts = [] }) => textOf(artifacts.at(-1)));
  }

  it('turns of a worker that is killed, at work or waiting, go on at the next one', async () => {
    const api = await start('api');
    const killed = await start('worker');
    await send(api, ['second attempt', 'second attempt', 'second attempt'], TaskState.Working);
    await send(api, ['a', 'b', 'c', 'd'], TaskState.Submitted);
    await killed.kill();
    const next = await start('worker');
    const texts = await ended(api, 7, api, next);
    expect(texts.filter((text) => text === 'attempt 2')).toHaveLength(3);
  });

  it('a worker that is stopped past its lease leaves its turns to others, and takes more when it goes on', async () => {
    const api = await start('api');
    const stopped = await start('worker');
    await send(api, ['second attempt', 'second attempt', 'second attempt'], TaskState.Working);
    await send(api, ['a', 'b', 'c', 'd'], TaskState.Submitted);
    stopped.stop();
    const other = await start('worker');
    const texts = await ended(api, 7, api, stopped, other);
    expect(texts.filter((text) => text === 'attempt 2')).toHaveLength(3);
    stopped.continue();
    await other.kill();
    await send(api, ['e', 'f', 'g', 'h'], TaskState.Completed);
    await ended(api, 11, api, stopped);
  });

  it('a turn whose process is killed before it could queue it is found in the store', async () => {
    const [killed, worker] = [await start('api'), await start('worker')];
    await servers.redis.stop();
    killed.client.send('a').then(undefined, () => undefined);
    await expect.poll(async () => (await worker.client.list().result()).totalSize).toBe(1);
    await killed.kill();
    await servers.redis.run();
    await ended(worker, 1, worker);
  });
});

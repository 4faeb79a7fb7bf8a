import { setTimeout as pause } from 'node:timers/promises';
import { EVENT_REPLAY_EXTENSION, type StreamResponse, type Task } from 'nest-a2a';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentProcess } from '../../support/agent-process.js';
import { hasServers, SharedServers } from '../../support/replicas.js';
import { statusOf, summary, textOf } from '../../support/summary.js';
import { Webhook } from '../../support/webhook.js';
import { startDurable, type DurableOptions } from '../faults/durable-agent.js';
import { storedEvents } from '../faults/stored-events.js';
import { toldOnce } from '../faults/told-once.js';

/** How many replicas are killed one after the other, and how many conversations live through a rolling restart. */
const KILLS = Number(process.env.REPLICA_KILLS ?? 5);
const CONVERSATIONS = Number(process.env.REPLICA_CONVERSATIONS ?? 30);
/** No request takes longer, even on a machine that has much else to do. */
const HANGS = 60_000;
const CHUNKS = 12;

describe.skipIf(!hasServers)('Replicas as processes', { timeout: 300_000 + KILLS * 10_000 }, () => {
  let servers: SharedServers;
  let database: string;

  beforeAll(async () => {
    servers = await SharedServers.start();
  });
  afterAll(() => servers?.stop());
  beforeEach(async () => {
    database = await servers.postgres.createDatabase();
  });

  const start = (options: DurableOptions) => startDurable(database, options, { redis: servers.redis.url });

  async function three(options: DurableOptions): Promise<[AgentProcess, AgentProcess, AgentProcess]> {
    // The first one makes the tables.
    const first = await start(options);
    return [first, ...(await Promise.all([start(options), start(options)]))];
  }

  /** The events of a task, as streams and webhooks have to show them. */
  async function eventsOf(id: string): Promise<StreamResponse[]> {
    return (await storedEvents(database, [id])).get(id) ?? [];
  }

  it('a turn whose replica is killed at any moment is run again elsewhere, by one at a time', async () => {
    const replicas = await three({ recovery: 'retry', recoveryAttempts: 10 });
    for (let kill = 0; kill < KILLS; kill++) {
      const [killed, other] = [replicas[kill % 3]!, replicas[(kill + 1) % 3]!];
      const { id } = await killed.client.send(`pace:${CHUNKS}:30`, { returnImmediately: true }).task();
      const stream = await other.client
        .open('subscribeToTask', { id }, { 'A2A-Extensions': EVENT_REPLAY_EXTENSION, 'Last-Event-ID': '1' })
        .result();
      await pause(Math.random() * 450);
      await killed.kill();
      const restart = killed.start();
      const events = await stream.events();
      await restart;
      const stored = await eventsOf(id);
      expect(events).toEqual(stored.slice(1));
      expectOneEnd(stored);
      expectOneAtATime(stored);
    }
  });

  it('turns and streams get over Redis that is away for ten seconds and comes back empty', async () => {
    const options: DurableOptions = { requeueAfter: 1_000 };
    const api = await start({ ...options, role: 'api' });
    const worker = await start({ ...options, role: 'worker' });
    const stream = await api.client.stream('pace:80:150').result();
    const { id } = (await stream.next())!.task!;
    await stream.find(({ artifactUpdate }) => artifactUpdate);

    await servers.redis.stop();
    const back = pause(10_000).then(() => servers.redis.run());
    const waiting = ['a', 'b', 'c', 'd', 'e'].map((text) => api.client.send(text).task());
    await stream.until(() => stream.received > 20);
    await back;
    for (const task of await Promise.all(waiting)) expect(statusOf(task)).toBe('COMPLETED');
    expect(await stream.events()).toEqual(await eventsOf(id));
    expect(statusOf(await api.client.send('after that').task())).toBe('COMPLETED');
    expect(await api.client.list().result()).toMatchObject({ totalSize: 7 });
    expect(worker.said).not.toContain('UnhandledPromiseRejection');
  });

  it('a follower that moves on after every event sees what one sees that stays', async () => {
    const replicas = await three({});
    const stays = await replicas[0].client.stream(`pace:${CHUNKS}:40`).result();
    const moved = [(await stays.next())!];
    const { id } = moved[0]!.task!;
    let last = stays.ids[0]!;
    for (let turn = 1; !isEnd(moved.at(-1)!); turn++) {
      const headers = { 'A2A-Extensions': EVENT_REPLAY_EXTENSION, 'Last-Event-ID': last };
      const stream = await replicas[turn % 3]!.client.open('subscribeToTask', { id }, headers).result();
      moved.push((await stream.next())!);
      last = stream.ids[0]!;
      stream.destroy();
    }
    expect(moved).toEqual(await stays.events());
    expect(moved).toHaveLength(CHUNKS + 3);
  });

  it('conversations go on through a rolling restart', async () => {
    // Leases and the time for a shutdown are not what this is about: none is to run out on a machine that has much else to do.
    const replicas = await three({
      idempotencyWindow: 600_000,
      leaseDuration: 60_000,
      shutdownTimeout: 60_000,
    });
    const webhook = await Webhook.start();
    let isRestarted = false;
    const talks = Promise.all(
      Array.from({ length: CONVERSATIONS }, async (_, index) => {
        const taskPushNotificationConfig = { url: webhook.url };
        const tasks: Task[] = [];
        for (let round = 0; round === 0 || !isRestarted; round++) {
          const key = `${index}-${round}`;
          const work = send('pace:5:40', { messageId: `${key}-work`, taskPushNotificationConfig });
          // A test that has failed does not wait for it.
          work.catch(() => undefined);
          const { id: taskId } = await send('ask:which?', { messageId: key, taskPushNotificationConfig });
          tasks.push(await send('this one', { messageId: `${key}-answer`, taskId }), await work);
          await pause(300);
        }
        return tasks;
      }),
    );
    talks.catch(() => undefined);
    for (const replica of replicas) {
      await replica.kill('SIGTERM');
      await replica.start();
    }
    isRestarted = true;
    const tasks = (await talks).flat();
    expect(new Set(tasks.map(statusOf))).toEqual(new Set(['COMPLETED']));
    const ids = tasks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await replicas[0].client.list({ pageSize: 1 }).result()).totalSize).toBe(ids.length);
    const stored = await storedEvents(database, ids);
    for (const events of stored.values()) expectOneEnd(events);
    await expect.poll(() => toldOnce(webhook), { interval: 200 }).toEqual(stored);

    /** Sends a message until somebody takes it, as a client behind a load balancer does. */
    async function send(text: string, options: object): Promise<Task> {
      for (const deadline = Date.now() + HANGS; Date.now() < deadline;) {
        const { client } = replicas[Math.floor(Math.random() * 3)]!;
        const call = client.send(text, options).then((outcome) => outcome, String);
        const outcome = await Promise.race([call, pause(HANGS, 'hangs', { ref: false })]);
        if (outcome === 'hangs') throw new Error(`No answer to "${text}"`);
        if (typeof outcome !== 'string') {
          if (outcome.result?.task) return outcome.result.task;
          if (outcome.error?.httpStatus !== 503) throw new Error(JSON.stringify(outcome.error));
        }
        await pause(50);
      }
      throw new Error(`Nobody took "${text}"`);
    }
  });
});

function isEnd({ statusUpdate }: StreamResponse): boolean {
  return /COMPLETED|FAILED|CANCELED|REJECTED/.test(statusUpdate?.status.state ?? '');
}

/** The end came once, and nothing behind it. */
function expectOneEnd(events: readonly StreamResponse[]): void {
  expect(events.findIndex(isEnd), summary(events).join('\n')).toBe(events.length - 1);
}

/** Each attempt makes an artifact of its own: it begins at its beginning, and never goes on behind the next one. */
function expectOneAtATime(events: readonly StreamResponse[]): void {
  const artifacts = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact ?? []);
  const attempts = artifacts.filter(
    ({ artifactId }, index) => artifactId !== artifacts[index - 1]?.artifactId,
  );
  expect(new Set(attempts.map(({ artifactId }) => artifactId)).size).toBe(attempts.length);
  for (const attempt of attempts) expect(textOf(attempt)).toMatch(/^~000000~/);
  expect(artifacts.filter(({ artifactId }) => artifactId === attempts.at(-1)?.artifactId)).toHaveLength(
    CHUNKS,
  );
}

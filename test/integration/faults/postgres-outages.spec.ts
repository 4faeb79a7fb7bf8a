import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentClient } from '../../support/agent-client.js';
import type { Failure } from '../../support/outcome.js';
import { hasPostgres, PostgresServer } from '../../support/postgres-server.js';
import { statusOf } from '../../support/summary.js';
import { startDurable, untilStatus } from './durable-agent.js';

/** Clients that send one message after the other. */
class Load {
  readonly accepted: string[] = [];
  readonly refused: Failure[] = [];
  #isOver = false;
  readonly #clients: Promise<unknown>;

  constructor(agent: AgentClient) {
    this.#clients = Promise.all(Array.from({ length: 8 }, () => this.#send(agent)));
    // A test that has failed does not wait for them.
    this.#clients.catch(() => undefined);
  }

  /** Waits until as many more messages were accepted. */
  async goesOn(count: number): Promise<void> {
    const enough = this.accepted.length + count;
    await expect.poll(() => this.accepted.length).toBeGreaterThan(enough);
  }

  /** Resolves when every client has its last answer. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
  }

  async #send(agent: AgentClient): Promise<void> {
    while (!this.#isOver) {
      const { result, error } = await agent.send('hello');
      if (error) this.refused.push(error);
      else this.accepted.push(result.task!.id);
      await pause(error ? 50 : 5);
    }
  }
}

describe.skipIf(!hasPostgres)('an agent whose PostgreSQL goes away', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.remove());

  /** Sends messages all the time while `outage` lasts, and sees what becomes of them. */
  async function loaded(outage: (load: Load, agent: AgentClient) => Promise<void>): Promise<void> {
    const { client } = await startDurable(await server.createDatabase());
    const load = new Load(client);
    await load.goesOn(20);
    await outage(load, client);
    await load.goesOn(20);
    await load.end();
    const refusals = load.refused.map(({ httpStatus, headers }) => `${httpStatus} ${headers['retry-after']}`);
    expect([...new Set(refusals)]).toEqual(refusals.length > 0 ? [expect.stringMatching(/^503 \d+$/)] : []);
    // Also those whose sender was told to come again.
    const open = async () =>
      (
        await Promise.all(
          ['SUBMITTED', 'WORKING'].map((state) =>
            client.list({ status: `TASK_STATE_${state}` as never }).result(),
          ),
        )
      ).flatMap(({ tasks }) => tasks);
    await expect.poll(open, { interval: 200 }).toEqual([]);
    for (const id of load.accepted)
      expect((await client.get(id).result()).status.state).toBe('TASK_STATE_COMPLETED');
  }

  it('goes on when it was restarted', async () => {
    await loaded(() => server.restart());
  });

  it('goes on when it has crashed', async () => {
    await loaded(async () => {
      await server.kill();
      await server.run();
    });
  });

  it('refuses calls while it is away for ten seconds, and is still at what it was at', async () => {
    await loaded(async (load, agent) => {
      const { id } = await agent.send('wait', { returnImmediately: true }).task();
      await untilStatus(agent, id, 'WORKING');
      await server.stop();
      await pause(10_000);
      // No request waits longer than the time-outs of the database, which are long in these agents.
      await expect.poll(() => load.refused.length).toBeGreaterThan(8);
      expect((await agent.get(id).error()).httpStatus).toBe(503);
      await server.run();
      await load.goesOn(1);
      expect(statusOf(await agent.get(id).result())).toBe('WORKING');
      expect(statusOf(await agent.cancel(id).result())).toBe('CANCELED');
    });
  });
});

import { RedisTaskEventBus } from 'nest-a2a/redis';
import { A2ADatabase, SqlTaskStore } from 'nest-a2a/sql';
import { onTestFinished } from 'vitest';
import { hasPostgres, PostgresServer } from './postgres-server.js';
import { hasRedis, RedisServer } from './redis-server.js';
import { startAgent, type AgentOptions } from './start-agent.js';
import type { TestAgent } from './test-agent.js';

/** Whether tests with several processes on real servers run. */
export const hasServers = hasPostgres && hasRedis;

/** Where each replica listens, so that what differs between adapters and bindings meets. */
const TARGETS = [
  { adapter: 'express', binding: 'http-json' },
  { adapter: 'fastify', binding: 'json-rpc' },
] as const;

/** The servers that replicas of an agent share, for a file of tests. */
export class SharedServers {
  private constructor(
    readonly postgres: PostgresServer,
    readonly redis: RedisServer,
  ) {}

  static async start(): Promise<SharedServers> {
    const [postgres, redis] = await Promise.all([PostgresServer.start(), RedisServer.start()]);
    return new SharedServers(postgres, redis);
  }

  /** An empty database for the replicas of one test. */
  async replicas(): Promise<Replicas> {
    const url = await this.postgres.createDatabase();
    const database = await A2ADatabase.open(url, { migrate: true });
    // What this test makes is closed after its applications, which are closed first.
    const replicas = new Replicas(this, database);
    onTestFinished(() => replicas.close());
    return replicas;
  }

  async stop(): Promise<void> {
    await Promise.all([this.postgres.remove(), this.redis.stop()]);
  }
}

/** Replicas of one agent: each is an application with its own store and bus, as in a process of its own. */
export class Replicas {
  readonly #agents: TestAgent[] = [];

  constructor(
    private readonly servers: SharedServers,
    readonly database: A2ADatabase,
  ) {}

  async start(options: AgentOptions): Promise<TestAgent> {
    const target = TARGETS[this.#agents.length % TARGETS.length]!;
    const agent = await startAgent({
      ...target,
      taskStore: new SqlTaskStore(this.database),
      eventBus: new RedisTaskEventBus({ url: this.servers.redis.url }),
      ...options,
    });
    this.#agents.push(agent);
    return agent;
  }

  /** Several that are alike. */
  async startAll(count: number, options: AgentOptions): Promise<TestAgent[]> {
    const agents: TestAgent[] = [];
    while (agents.length < count) agents.push(await this.start(options));
    return agents;
  }

  async close(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.close()));
    await this.database.close();
  }
}

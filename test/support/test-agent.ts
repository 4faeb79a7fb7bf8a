import type { INestApplication } from '@nestjs/common';
import { OpenStreams } from '../../lib/bindings/open-streams.js';
import { A2ATasks } from '../../lib/server/a2a-tasks.js';
import { TaskEngine } from '../../lib/server/task-engine.js';
import { TaskStore } from '../../lib/server/task-store.js';
import { AgentClient, type CalledAgent } from './agent-client.js';
import type { Headers } from './binding.driver.js';
import type { CollectedLog } from './collected-log.js';

/** What a test agent is made of. */
export interface RunningAgent extends CalledAgent {
  readonly app: INestApplication;
  readonly log: CollectedLog;
}

/** An agent that listens on the loopback interface, seen by a client that speaks one binding. */
export class TestAgent extends AgentClient {
  readonly app: INestApplication;
  readonly log: CollectedLog;

  constructor(
    private readonly running: RunningAgent,
    headers?: Headers,
  ) {
    super(running, headers);
    this.app = running.app;
    this.log = running.log;
  }

  get store(): TaskStore {
    return this.app.get(TaskStore);
  }

  get engine(): TaskEngine {
    return this.app.get(TaskEngine);
  }

  /** Drives tasks from outside of the executor. */
  get tasks(): A2ATasks {
    return this.app.get(A2ATasks);
  }

  /** How many streams the server has open. */
  get openStreams(): number {
    return this.app.get(OpenStreams).size;
  }

  /** The same agent with more headers on every call. */
  with(headers: Headers): TestAgent {
    return new TestAgent(this.running, { ...this.headers, ...headers });
  }

  /** The same agent without a version on its calls. */
  withoutVersion(): TestAgent {
    const { 'A2A-Version': _version, ...headers } = this.headers;
    return new TestAgent(this.running, headers);
  }

  /** The same agent as a user of `ownerByHeader` calls it. */
  as(user: string): TestAgent {
    return this.with({ 'X-User': user });
  }

  /** Drops whatever is open on the client's side and shuts the application down. */
  async close(): Promise<void> {
    this.http.close();
    await this.app.close();
  }
}

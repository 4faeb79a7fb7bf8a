import type { AgentTarget } from './describe-agent.js';
import { FailingTaskStore } from 'nest-a2a/testing';
import { LoggingTaskStore } from './logging-task-store.js';
import type { AgentOptions } from './start-agent.js';
import type { TestAgent } from './test-agent.js';

/** Several processes on one database, which outlives them. Each application stands for one. */
export class Processes {
  readonly database = new LoggingTaskStore();

  constructor(private readonly target: AgentTarget) {}

  /** Starts one. It looks for lost tasks all the time, unless the options say otherwise. */
  start(options: AgentOptions): Promise<TestAgent> {
    const taskStore = new FailingTaskStore(this.database);
    return this.target.start({ taskStore, sweepInterval: 10, ...options });
  }

  /** Takes the database away from a process. */
  cutOff({ store }: Pick<TestAgent, 'store'>, error = new Error('The process is gone')): void {
    (store as FailingTaskStore).failWhen(() => error);
  }

  /** Gives it back. */
  reconnect({ store }: TestAgent): void {
    (store as FailingTaskStore).failWhen(() => false);
  }

  /** Ends a process as a power failure does: it writes nothing any more, and its lease is over. */
  kill(agent: TestAgent): void {
    this.cutOff(agent);
    this.expire(agent);
  }

  /** Its lease is over, although it may be alive. */
  expire({ engine }: TestAgent): void {
    this.database.leases.set(engine.worker, Date.now() - 1);
  }
}

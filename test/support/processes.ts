import type { TaskStore } from 'nest-a2a';
import { SqlTaskStore } from 'nest-a2a/sql';
import { FailingTaskStore } from 'nest-a2a/testing';
import { systemScope } from 'nest-a2a';
import type { AgentTarget } from './describe-agent.js';
import { LoggingTaskStore } from './logging-task-store.js';
import { openDatabase } from './sql-stores.js';
import type { AgentOptions } from './start-agent.js';
import type { TestAgent } from './test-agent.js';

/** A store that outlives the applications of a test: on one adapter a database, on the other what stands for one. */
export async function durableStore({ adapter }: Pick<AgentTarget, 'adapter'>): Promise<TaskStore> {
  return adapter === 'fastify' ? new SqlTaskStore(await openDatabase()) : new LoggingTaskStore();
}

/** Several processes on one database, which outlives them. Each application stands for one. */
export class Processes {
  private constructor(
    private readonly target: AgentTarget,
    readonly database: TaskStore,
  ) {}

  static async on(target: AgentTarget): Promise<Processes> {
    return new Processes(target, await durableStore(target));
  }

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
  async kill(agent: TestAgent): Promise<void> {
    this.cutOff(agent);
    await this.expire(agent);
  }

  /** Its lease is over, although it may be alive. */
  async expire({ engine }: TestAgent): Promise<void> {
    await this.database.renewLease(engine.worker, Date.now() - 1);
  }

  /** Whether a task is held by a process that counts as alive. */
  async isHeld(id: string): Promise<boolean> {
    const record = await this.database.get(id, systemScope('default'));
    return record?.run !== undefined && record.run.leaseUntil > Date.now();
  }
}

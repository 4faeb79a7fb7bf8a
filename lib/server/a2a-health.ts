import { within } from './deferred.js';
import type { TaskEngine } from './task-engine.js';
import { systemScope } from './task-scope.js';

/** How long the store may take to answer, milliseconds. */
const PATIENCE = 2_000;

/** How an agent's process is. */
export interface HealthReport {
  readonly status: 'up' | 'down';
  /** Whether it takes requests: not any more once it shuts down. */
  readonly accepting: boolean;
  /** Whether the task store answers. */
  readonly taskStore: 'up' | 'down';
  /** Whether events of other processes arrive at once. While they do not they are read from the store, so `status` does not depend on it. */
  readonly eventBus: 'up' | 'down';
  readonly runningTurns: number;
}

/**
 * Tells whether this process can serve an agent, for the probes of Kubernetes and the like.
 *
 * ```ts
 * @Get('ready')
 * @HealthCheck() // of @nestjs/terminus, which is not needed: `health.ready()` gives the report alone
 * ready() {
 *   return this.terminus.check([() => this.health.check('agent')]);
 * }
 * ```
 *
 * For liveness an answer is enough: a process whose store is away is not mended by a restart.
 *
 * @publicApi
 */
export class A2AHealth {
  constructor(private readonly engine: TaskEngine) {}

  /** Whether requests should be sent to this process. It never rejects. */
  async ready(): Promise<HealthReport> {
    const { accepting, runningTurns, parts } = this.engine;
    const taskStore = await this.#taskStore();
    // A bus that is told by its methods alone may not have this one.
    const isConnected = (parts.bus as Partial<typeof parts.bus>).isConnected?.() ?? true;
    return {
      status: accepting && taskStore === 'up' ? 'up' : 'down',
      accepting,
      taskStore,
      eventBus: isConnected ? 'up' : 'down',
      runningTurns,
    };
  }

  /** The report as `@nestjs/terminus` takes it. */
  async check<Key extends string>(key: Key): Promise<Record<Key, HealthReport>> {
    return { [key]: await this.ready() } as Record<Key, HealthReport>;
  }

  async #taskStore(): Promise<'up' | 'down'> {
    const { store, agent } = this.engine.parts;
    const answer = store.get('health', systemScope(agent)).then(
      () => 'up' as const,
      () => 'down' as const,
    );
    return (await within(PATIENCE, answer)) ?? 'down';
  }
}

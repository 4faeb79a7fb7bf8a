import { isTerminal, TaskState, type Message, type Task } from '../protocol/index.js';
import { DefaultTaskUpdater, type UpdaterTarget } from './default-task-updater.js';
import type { LiveTask } from './live-task.js';
import { StaleRunError } from './store-errors.js';
import { statusChange, type TaskChange } from './task-changes.js';
import type { TaskEngine } from './task-engine.js';
import { systemScope } from './task-scope.js';
import type { TaskUpdater } from './task-updater.js';
import { droppedUpdate, TurnEndedError } from './turn-errors.js';

/**
 * Drives tasks of an agent from anywhere in the application: a queue worker, a webhook, a timer.
 *
 * An executor calls `task.handOver()` and returns; whoever does the work then takes an updater from here.
 *
 * @publicApi
 */
export class A2ATasks {
  constructor(private readonly engine: TaskEngine) {}

  /** The task, whoever owns it; `undefined` if there is none. */
  async get(taskId: string): Promise<Task | undefined> {
    const record = await this.engine.parts.store.get(taskId, systemScope(this.engine.parts.agent));
    return record?.task;
  }

  /**
   * An updater of the task, whoever owns it. It refuses once the task has ended.
   *
   * @throws TaskNotFoundError
   */
  async updater(taskId: string): Promise<TaskUpdater> {
    const target = new DetachedTarget(this.engine, await liveTask(this.engine, taskId));
    return new DefaultTaskUpdater(target);
  }
}

/** The task as it is driven here, or as the store has it. */
async function liveTask(engine: TaskEngine, id: string): Promise<LiveTask> {
  const turn = engine.turnOf(id);
  if (turn) return turn.live;
  return engine.liveTask(await engine.load(id, systemScope(engine.parts.agent)));
}

/** Takes changes of a task that no turn drives. */
class DetachedTarget implements UpdaterTarget {
  readonly ids: UpdaterTarget['ids'];

  constructor(
    private readonly engine: TaskEngine,
    private live: LiveTask,
  ) {
    this.ids = { taskId: live.id, contextId: live.contextId };
  }

  get state(): TaskState {
    return this.live.state;
  }

  get nesting(): number {
    return this.engine.parts.options.limits.nesting;
  }

  accept(change: TaskChange): Promise<void> | undefined {
    const turn = this.engine.turnOf(this.live.id);
    if (turn?.open) return turn.accept(change);
    const stored = this.#store(change);
    stored.catch((reason: unknown) => {
      // The engine has logged what the store could not do.
      if (reason instanceof TurnEndedError) this.refused(reason);
    });
    return stored;
  }

  async answer(message: Message): Promise<void> {
    await this.accept(statusChange(this.ids, TaskState.Completed, message));
  }

  handOver(): void {
    // It is handed over already.
  }

  refused(reason: unknown): void {
    this.engine.logger.warn(droppedUpdate(this.live.id, reason));
  }

  async #store(change: TaskChange): Promise<void> {
    const state = 'statusUpdate' in change ? change.statusUpdate.status.state : undefined;
    const ends = state !== undefined && (isTerminal(state) || state === TaskState.InputRequired);
    for (;;) {
      if (this.live.ended) throw new TurnEndedError(this.live.id);
      try {
        await this.live.change(change, ends);
        break;
      } catch (error) {
        if (!(error instanceof StaleRunError)) throw error;
        // A turn began meanwhile: go on from where the task is now.
        this.live = await liveTask(this.engine, this.live.id);
      }
    }
    if (ends) this.engine.forget(this.live.id);
  }
}

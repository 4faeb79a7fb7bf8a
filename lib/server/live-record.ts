import { type Task, type FoldedTask } from '../protocol/index.js';
import type { TaskRecord, TaskRun } from './task-record.js';
import type { TaskScope } from './task-scope.js';

/** A record whose task is put together only if a store asks for it. */
export class LiveRecord implements TaskRecord {
  readonly id: string;
  readonly agent: string;
  readonly tenant?: string;
  readonly owner?: string;
  readonly run?: TaskRun;
  readonly #folded: FoldedTask;
  #task: Task | undefined;

  constructor(
    scope: TaskScope,
    folded: FoldedTask,
    readonly version: number,
    readonly seq: number,
    readonly epoch: number,
    run: TaskRun | undefined,
  ) {
    this.id = folded.id;
    this.agent = scope.agent;
    if (scope.tenant !== undefined) this.tenant = scope.tenant;
    if (scope.owner !== undefined) this.owner = scope.owner;
    if (run) this.run = run;
    this.#folded = folded;
  }

  get task(): Task {
    return (this.#task ??= this.#folded.snapshot());
  }
}

import {
  FoldedTask,
  isTerminal,
  type Task,
  type TaskEvent,
  type TaskState,
  type TaskStatus,
} from '../protocol/index.js';
import { isLonger } from './content-size.js';
import type { IndexedTask, TaskIndex } from './task-index.js';
import type { TaskRecord, TaskRun } from './task-record.js';
import type { TaskScope } from './task-scope.js';

/** Finished tasks of up to this many characters are kept as text. */
const PACKED_SIZE = 4 * 1024;

/** All tasks of one scope. */
export interface ScopedTasks {
  readonly scope: TaskScope;
  readonly index: TaskIndex<StoredTask>;
  /** How many there are, in the index or not. */
  size: number;
}

/**
 * A record as {@link InMemoryTaskStore} keeps it: folded, so that a put costs its changes and not the task.
 *
 * What indexes sort it by changes only in {@link settle}, between taking it out and putting it back.
 */
export class StoredTask implements IndexedTask {
  contextId: string | undefined = undefined;
  state: TaskState = 'TASK_STATE_UNSPECIFIED';
  timestamp = 0;
  version = 0;
  epoch = 0;
  #seq = 0;
  #run: TaskRun | undefined;
  /**
   * Folded while it may change. A finished task is rarely read: as text it is one object, and not dozens that every
   * garbage collection has to look at.
   */
  #kept: FoldedTask | string;
  /** The status that indexes sort it by; a folded task has another object for each. */
  #settled: Readonly<TaskStatus> | undefined;
  readonly id: string;

  constructor(
    /** Where it belongs, for ever. */
    readonly home: ScopedTasks,
    record: TaskRecord,
    changes: readonly TaskEvent[],
  ) {
    const [first] = changes;
    const isWhole = first !== undefined && 'task' in first;
    this.#kept = FoldedTask.from(isWhole ? first.task : record.task);
    this.id = this.#kept.id;
    this.write(record, isWhole ? changes.slice(1) : []);
    this.settle();
  }

  /** Folds the changes. `record.task` is never read: making it costs more than the changes. */
  write({ version, seq, epoch, run }: TaskRecord, changes: readonly TaskEvent[]): void {
    if (changes.length > 0) {
      const folded = this.#unpack();
      for (const event of changes) folded.apply(event);
    }
    this.version = version;
    this.epoch = epoch;
    this.#seq = seq;
    this.#run = run && Object.freeze({ ...run });
  }

  /** Whether indexes still have it in its place. */
  get isSettled(): boolean {
    if (typeof this.#kept === 'string') return true;
    return this.#settled === this.#kept.status && this.contextId === this.#kept.contextId;
  }

  settle(): void {
    const folded = this.#unpack();
    const { contextId, state, status } = folded;
    this.contextId = contextId;
    this.state = state;
    this.timestamp = timeOf(status.timestamp);
    this.#settled = status;
    if (!isTerminal(state)) return;
    const task = folded.snapshot();
    if (isLonger(task, PACKED_SIZE)) return;
    const text = JSON.stringify(task);
    if (text.length > PACKED_SIZE) return;
    this.#kept = text;
    this.#settled = undefined;
  }

  /** The record as a caller gets it: nothing that is done to it changes what is kept. */
  toRecord(includeArtifacts = true): TaskRecord {
    const { agent, tenant, owner } = this.home.scope;
    const record: Mutable<TaskRecord> = {
      agent,
      id: this.id,
      task: this.#task(includeArtifacts),
      version: this.version,
      seq: this.#seq,
      epoch: this.epoch,
    };
    // Not spread: that is several times slower than the rest of a listing.
    if (tenant !== undefined) record.tenant = tenant;
    if (owner !== undefined) record.owner = owner;
    if (this.#run) record.run = this.#run;
    return record;
  }

  #task(includeArtifacts: boolean): Task {
    if (typeof this.#kept !== 'string') return this.#kept.snapshot(includeArtifacts);
    const task = JSON.parse(this.#kept) as Task;
    if (!includeArtifacts) delete task.artifacts;
    return task;
  }

  #unpack(): FoldedTask {
    if (typeof this.#kept === 'string') this.#kept = FoldedTask.from(JSON.parse(this.#kept) as Task);
    return this.#kept;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Milliseconds; a status without a time counts as the oldest. */
function timeOf(timestamp: string | undefined): number {
  return timestamp === undefined ? 0 : Date.parse(timestamp) || 0;
}

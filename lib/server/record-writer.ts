import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { FoldedTask, isTerminal, type Task, type TaskEvent, type TaskMoment } from '../protocol/index.js';
import { LiveRecord } from './live-record.js';
import { StaleRunError, StoreUnavailableError, TaskVersionConflictError } from './store-errors.js';
import type { TaskChange } from './task-changes.js';
import { afterEvent, type TaskRecord, type TaskRun } from './task-record.js';
import { systemScope, type TaskScope } from './task-scope.js';
import type { TaskStore } from './task-store.js';

/** Milliseconds until a store that did not answer is asked again. */
const ASK_AGAIN = 100;

/** Where records are written, and how long that is tried. */
export interface RecordTarget {
  readonly store: TaskStore;
  /** How long a put is tried again while the store cannot answer, in milliseconds. */
  readonly patience: number;
}

/** Changes that go into one put. */
export interface ChangeSet {
  readonly changes: readonly TaskChange[];
  /** Whether nobody drives the task once they are stored. */
  readonly endsRun: boolean;
}

/** Changes as they were folded. */
export interface FoldedChanges {
  readonly events: readonly TaskEvent[];
  /** The task after each of the events; absent where nobody wants to see it. */
  readonly moments: readonly TaskMoment[] | undefined;
}

/** Writes the record of a task that is driven here: folds changes into it, and puts it as its next version. */
export class RecordWriter {
  #folded: FoldedTask;
  #version: number;
  #seq: number;
  readonly #epoch: number;
  #run: TaskRun | undefined;

  constructor(
    origin: TaskRecord,
    private readonly scope: TaskScope,
    private readonly target: RecordTarget,
  ) {
    this.#folded = FoldedTask.from(origin.task);
    this.#version = origin.version;
    this.#seq = origin.seq;
    this.#epoch = origin.epoch;
    this.#run = origin.run;
  }

  /** Whether the task was never put. */
  get isNew(): boolean {
    return this.#version === 0;
  }

  /** Number of the last event. */
  get seq(): number {
    return this.#seq;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get run(): TaskRun | undefined {
    return this.#run;
  }

  snapshot(): Task {
    return this.#folded.snapshot();
  }

  moment(): TaskMoment {
    return this.#folded.moment();
  }

  /**
   * Stores changes, on what somebody else has written meanwhile if need be. A store that does not answer for a moment is asked
   * again.
   *
   * @param wantsMoments asked whenever they are folded
   * @throws StaleRunError, TaskVersionConflictError if the task is out of our hands; StoreUnavailableError
   */
  async put(set: ChangeSet, wantsMoments: () => boolean): Promise<FoldedChanges> {
    const deadline = Date.now() + this.target.patience;
    let folded = this.#fold(set, wantsMoments());
    for (let isUnsure = false; ;) {
      try {
        if (await this.#tryPut(folded, isUnsure)) return folded;
        folded = this.#fold(set, wantsMoments());
      } catch (error) {
        if (!(error instanceof StoreUnavailableError) || Date.now() >= deadline) throw error;
        isUnsure = true;
        await delay(ASK_AGAIN);
      }
    }
  }

  /**
   * `false` if somebody else has written meanwhile, on which the changes are to be folded again.
   *
   * @param isUnsure whether the same put may have been written before without an answer
   */
  async #tryPut({ events }: FoldedChanges, isUnsure: boolean): Promise<boolean> {
    const { store } = this.target;
    try {
      await store.put(this.#record(), events);
      return true;
    } catch (error) {
      if (!(error instanceof TaskVersionConflictError)) throw error;
      const record = await store.get(this.#folded.id, systemScope(this.scope.agent));
      if (!record) throw error;
      if (isUnsure && this.#isWritten(record)) return true;
      this.#standOn(record);
      return false;
    }
  }

  /** Folds changes and counts them as the next version. */
  #fold({ changes, endsRun }: ChangeSet, wantsMoments: boolean): FoldedChanges {
    const moments = wantsMoments ? ([] as TaskMoment[]) : undefined;
    const events = changes.map((change): TaskEvent => ({ seq: ++this.#seq, ...change }));
    for (const event of events) {
      this.#folded.apply(event);
      moments?.push(this.#folded.moment());
    }
    this.#version += 1;
    if (endsRun) this.#run = undefined;
    else for (const event of events) this.#run = afterEvent(this.#run, event);
    return { events, moments };
  }

  #record(): TaskRecord {
    return new LiveRecord(this.scope, this.#folded, this.#version, this.#seq, this.#epoch, this.#run);
  }

  /** Whether the store has what was put last: nobody else says the same at the same time. */
  #isWritten({ version, epoch, task }: TaskRecord): boolean {
    if (version !== this.#version || epoch !== this.#epoch) return false;
    return isDeepStrictEqual(task, JSON.parse(JSON.stringify(this.#folded.snapshot())));
  }

  /** Takes what somebody else wrote as the new ground, unless that took the task out of our hands. */
  #standOn({ task, version, seq, epoch }: TaskRecord): void {
    if (epoch !== this.#epoch || isTerminal(task.status.state)) throw new StaleRunError(this.#folded.id);
    this.#folded = FoldedTask.from(task);
    this.#version = version;
    this.#seq = seq;
  }
}

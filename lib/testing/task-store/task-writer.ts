import { randomUUID } from 'node:crypto';
import {
  deepFreeze,
  type Artifact,
  type JsonObject,
  type Message,
  type Task,
  type TaskState,
  type TaskStatus,
  FoldedTask,
  type TaskEvent,
} from '../../protocol/index.js';
import type { TaskRecord, TaskRun } from '../../server/task-record.js';
import type { TaskScope } from '../../server/task-scope.js';
import type { TaskStore } from '../../server/task-store.js';

/** A change that has no number yet. */
export type Change = TaskEvent extends infer E ? (E extends TaskEvent ? Omit<E, 'seq'> : never) : never;

/** Writes one task into a store as the engine does, and knows what the store must have then. */
export class TaskWriter {
  readonly #folded: FoldedTask;
  #record: Omit<TaskRecord, 'task'>;
  /** The events that the store must have. */
  readonly events: TaskEvent[] = [];

  private constructor(
    private readonly store: TaskStore,
    scope: TaskScope,
    task: Task,
  ) {
    this.#folded = FoldedTask.from(task);
    this.#record = { ...scope, id: task.id, version: 0, seq: 0, epoch: 1 };
  }

  /** Puts a new task, SUBMITTED at the given second unless it says otherwise. */
  static async create(store: TaskStore, scope: TaskScope, given: Partial<Task> = {}): Promise<TaskWriter> {
    const task: Task = {
      id: randomUUID(),
      contextId: randomUUID(),
      status: status('SUBMITTED', 0),
      ...given,
    };
    const writer = new TaskWriter(store, scope, deepFreeze(task));
    await writer.put({}, { task });
    return writer;
  }

  get id(): string {
    return this.#record.id;
  }

  get task(): Task {
    return this.#folded.snapshot();
  }

  /** The record that the store must have. */
  get record(): TaskRecord {
    return { ...this.#record, task: this.task };
  }

  /** Puts changes as the next version. */
  async put(fields: Partial<TaskRecord>, ...changes: Change[]): Promise<void> {
    const { version, seq } = this.#record;
    // Events are immutable, and a store may rely on it.
    const events = changes.map((change, at): TaskEvent => deepFreeze({ seq: seq + at + 1, ...change }));
    const folded = FoldedTask.from(this.task);
    for (const event of events) folded.apply(event);
    const record = { ...this.#record, version: version + 1, seq: seq + events.length, ...fields };
    await this.store.put({ ...record, task: folded.snapshot() }, events);
    for (const event of events) this.#folded.apply(event);
    this.events.push(...events);
    this.#record = record;
  }

  async moveTo(state: StateName, second: number, message?: Message): Promise<void> {
    await this.put({}, this.status(state, second, message));
  }

  status(state: StateName, second: number, message?: Message, metadata?: JsonObject): Change {
    const event = { ...this.#ids(), status: status(state, second, message) };
    return { statusUpdate: metadata ? { ...event, metadata } : event };
  }

  artifact(artifact: Artifact, append?: boolean): Change {
    return { artifactUpdate: { ...this.#ids(), artifact, ...(append !== undefined && { append }) } };
  }

  #ids(): { taskId: string; contextId: string } {
    return { taskId: this.id, contextId: this.#folded.contextId ?? '' };
  }
}

export type StateName = TaskState extends `TASK_STATE_${infer Name}` ? Name : never;

/** A status reached that many seconds into the year 2026. */
export function status(state: StateName, second: number, message?: Message): TaskStatus {
  return {
    state: `TASK_STATE_${state}`,
    ...(message && { message }),
    timestamp: new Date(timeOf(second)).toISOString(),
  };
}

/** A run of a worker whose lease lasts, in a store that counts leases and in one that does not. */
export async function leased(store: TaskStore, worker: string): Promise<TaskRun> {
  const leaseUntil = Date.now() + 600_000;
  await store.renewLease(worker, leaseUntil);
  return { worker, leaseUntil };
}

export function timeOf(second: number): number {
  return Date.UTC(2026, 0, 1) + second * 1000;
}

export function message(messageId: string, role: Message['role'] = 'ROLE_USER'): Message {
  return { messageId, role, parts: [{ text: messageId }] };
}

import {
  deepFreeze,
  FoldedTask,
  isTerminal,
  TaskState,
  UnsupportedOperationError,
  type Message,
  type Task,
  type TaskEvent,
} from '../protocol/index.js';
import type { LeasedTurns } from './leased-turns.js';
import { newId } from './new-id.js';
import { placedMessage } from './placed-message.js';
import { StaleRunError, StoreUnavailableError, TaskVersionConflictError } from './store-errors.js';
import type { TaskEngine } from './task-engine.js';
import { afterEvent, isAtWork, type TaskRecord, type TaskRun, type TurnTerms } from './task-record.js';
import type { TaskScope } from './task-scope.js';
import { busy } from './turn-errors.js';

/** Takes tasks that nobody drives for their next turn. */
export class TaskClaims {
  constructor(
    private readonly engine: TaskEngine,
    private readonly leased: LeasedTurns,
  ) {}

  /**
   * Stores the next turn of a task, with the message that begins it, so that nobody else begins one.
   *
   * @param run who drives the task then; by default this process
   * @throws UnsupportedOperationError if the task is finished or somebody drives it
   */
  async claim(
    found: TaskRecord,
    message: Message | undefined,
    terms: TurnTerms | undefined,
    run?: TaskRun,
  ): Promise<TaskRecord> {
    let record = found;
    for (;;) {
      assertIdle(record);
      // Its agent was lost at work: what becomes of that is decided first.
      if (message && isLost(record)) {
        this.leased.wake();
        throw busy(record.id);
      }
      const { id, contextId } = record.task;
      const seq = record.seq + (message ? 1 : 0);
      const events: TaskEvent[] = message
        ? [{ seq, message: deepFreeze(placedMessage(message, id, contextId)) }]
        : [];
      const task = FoldedTask.from(record.task);
      for (const event of events) task.apply(event);
      const { version, epoch } = record;
      // Without a message nothing new is asked for: what was, stays known.
      const next =
        run ?? (terms ? this.leased.run(terms) : { ...record.run, ...this.leased.run(record.run?.terms) });
      const claimed: TaskRecord = {
        ...record,
        task: task.snapshot(),
        version: version + 1,
        epoch: epoch + 1,
        seq,
        run: events.reduce(afterEvent, next),
      };
      try {
        await this.engine.parts.store.put(claimed, events);
        return claimed;
      } catch (error) {
        // Whoever sent the message is told that it came to nothing, so nothing may hold the task.
        if (error instanceof StoreUnavailableError) this.leased.giveUp(claimed);
        if (!(error instanceof TaskVersionConflictError || error instanceof StaleRunError)) throw error;
        // Somebody was faster: look again, the task may still be free.
        record = await this.engine.load(id, record);
      }
    }
  }
}

/** The record of a task before its first event. */
export function newRecord(
  id: string,
  message: Message,
  scope: TaskScope,
  run: TaskRun | undefined,
): TaskRecord {
  const contextId = message.contextId ?? newId();
  const task: Task = deepFreeze({
    id,
    contextId,
    status: { state: TaskState.Submitted, timestamp: new Date().toISOString() },
    history: [placedMessage(message, id, contextId)],
  });
  return { id, task, version: 0, seq: 0, epoch: 1, ...scope, ...(run && { run }) };
}

/** Whether the agent was at work on the task when its process went away. */
function isLost({ task, run }: TaskRecord): boolean {
  return isAtWork(run, task.status.state);
}

/** @throws UnsupportedOperationError if no turn can begin on the task */
export function assertIdle(record: TaskRecord): void {
  const { task, run } = record;
  if (isTerminal(task.status.state)) {
    throw new UnsupportedOperationError('The task has ended and takes no more messages', {
      metadata: { taskId: task.id },
    });
  }
  if (run && run.leaseUntil > Date.now()) throw busy(record.id);
}

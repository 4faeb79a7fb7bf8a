import { setTimeout as delay } from 'node:timers/promises';
import {
  isA2AError,
  isCallError,
  isTerminal,
  Role,
  TaskNotCancelableError,
  TaskState,
  type A2AError,
  type JsonObject,
  type Message,
  type Task,
} from '../protocol/index.js';
import type { CallContext } from './call-context.js';
import { within } from './deferred.js';
import type { TaskEngine } from './task-engine.js';
import { isDrivenElsewhere, isQueued, type TaskRecord } from './task-record.js';
import { systemScope, type TaskScope } from './task-scope.js';
import { busy, outOfReach } from './turn-errors.js';
import type { Turn } from './turn.js';

import { countsLeases } from './worker-lease.js';

/** Who wants a task canceled. */
export interface CancelRequest {
  readonly metadata: JsonObject;
  readonly call: CallContext;
}

/** Milliseconds after which a task that changed hands is looked at again. */
const LOOK_AGAIN = 20;

/** Milliseconds after which a task that another process is asked to cancel is looked at again. */
const LOOK_ELSEWHERE = 1_000;

/** Cancels tasks (§3.1.5): asks the agent, aborts its turn, and makes the task CANCELED within a bound. */
export class TaskCancellation {
  constructor(private readonly engine: TaskEngine) {}

  /**
   * Cancels a task and gives it as it stands then.
   *
   * @throws TaskNotFoundError, TaskNotCancelableError
   */
  async cancel(id: string, scope: TaskScope, request: CancelRequest): Promise<Task> {
    const deadline = Date.now() + this.engine.parts.options.cancelTimeout;
    for (;;) {
      try {
        return await this.#cancelNow(id, scope, request);
      } catch (error) {
        if (!isBusy(error)) throw error;
        // Between a look and a write somebody took the task over or ended it: look again.
        if (Date.now() >= deadline) {
          throw new TaskNotCancelableError(error.message, { cause: error, metadata: { taskId: id } });
        }
        await delay(LOOK_AGAIN);
      }
    }
  }

  async #cancelNow(id: string, scope: TaskScope, request: CancelRequest): Promise<Task> {
    const record = await this.engine.load(id, scope);
    if (isTerminal(record.task.status.state)) throw notCancelable(record.task);
    const turn = this.engine.turnOf(id);
    if (turn?.open) return this.cancelTurn(turn, request, record.task);
    if (isQueued(record.run)) return this.#cancelIdle(released(record), request);
    if (isDrivenElsewhere(record.run, this.engine.worker)) return this.#cancelElsewhere(record, request);
    return this.#cancelIdle(record, request);
  }

  /** Asks the worker that drives the task, and looks meanwhile whether the task is in its hands still. */
  async #cancelElsewhere(record: TaskRecord, request: CancelRequest): Promise<Task> {
    const { worker, parts } = this.engine;
    const over = new AbortController();
    const asked = this.engine.remote
      .cancel(record, request)
      .then((answered) => (answered ? 'answered' : 'silent'));
    const outcome = await Promise.race([asked, this.#hasLeft(record, over.signal)]).finally(() => {
      over.abort();
    });
    // It may be refused after the task has left.
    asked.catch(() => undefined);
    const now = await this.engine.load(record.id, record);
    if (outcome === 'answered' || isTerminal(now.task.status.state)) return canceled(now.task);
    if (!isDrivenElsewhere(now.run, worker)) return this.#cancelIdle(now, request);
    if (outcome === 'left') throw busy(record.id);
    if (countsLeases(parts.store)) throw outOfReach(record.id);
    // Nothing tells whether whoever drove it is there still: the next epoch shuts it out.
    return this.#cancelIdle(released(now), request);
  }

  /** Resolves when a task is out of the hands of its worker: it has ended, or the lease has. */
  async #hasLeft({ id, run, agent }: TaskRecord, over: AbortSignal): Promise<'left'> {
    for (;;) {
      await delay(LOOK_ELSEWHERE, undefined, { ref: false });
      if (over.aborted) return 'left';
      const now = await this.engine.parts.store.get(id, systemScope(agent)).catch(() => undefined);
      const isHeld = now?.run?.worker === run?.worker && isDrivenElsewhere(now?.run, this.engine.worker);
      if (now && !isHeld) return 'left';
    }
  }

  /** Cancels a turn that is open here. A second cancel joins the first: the agent is asked once. */
  async cancelTurn(turn: Turn, request: CancelRequest, task: Task): Promise<Task> {
    turn.cancellation ??= this.#stop(turn, request, task).finally(() => (turn.cancellation = undefined));
    await turn.cancellation;
    await turn.live.settled();
    if (turn.live.ended) return canceled(turn.live.snapshot());
    // The turn ended while the agent was asked; the task itself still waits.
    return this.#cancelIdle(await this.engine.load(turn.live.id, turn.live.scope), request);
  }

  async #cancelIdle(record: TaskRecord, request: CancelRequest): Promise<Task> {
    if (isTerminal(record.task.status.state)) return canceled(record.task);
    const turn = await this.engine.resume(record);
    turn.executed.resolve();
    try {
      return await this.cancelTurn(turn, request, record.task);
    } finally {
      if (turn.open) await this.engine.letGo(turn);
    }
  }

  async #stop(turn: Turn, request: CancelRequest, task: Task): Promise<void> {
    const started = Date.now();
    const { cancelTimeout } = this.engine.parts.options;
    await this.#ask(turn, request, task);
    if (turn.open) {
      turn.abort('canceled');
      await within(Math.max(0, cancelTimeout - (Date.now() - started)), turn.executed.promise);
      await turn.end(TaskState.Canceled);
    } else if (turn.live.ended) {
      turn.abort('canceled');
    }
  }

  /** Asks the agent's own hook, which may refuse. */
  async #ask(turn: Turn, { metadata, call }: CancelRequest, task: Task): Promise<void> {
    const { executor, options } = this.engine.parts;
    if (!executor.cancel) return;
    const context = this.engine.contextOf(turn, { message: lastMessage(task), metadata, call });
    try {
      await within(options.cancelTimeout, Promise.resolve(executor.cancel(context, turn.updater)));
    } catch (error) {
      if (!isA2AError(error)) throw error;
      if (error.name !== 'TaskNotCancelableError' && error.name !== 'UnsupportedOperationError') throw error;
      // That another agent refuses is a refusal too, but its words are not for our caller.
      const message = isCallError(error) ? undefined : error.message;
      throw new TaskNotCancelableError(message, { metadata: { taskId: task.id } });
    }
  }
}

/** The record as if the lease of its worker had run out. */
function released(record: TaskRecord): TaskRecord {
  return record.run ? { ...record, run: { ...record.run, leaseUntil: 0 } } : record;
}

/** The task, if it came to be canceled and not to another end. */
function canceled(task: Task): Task {
  if (task.status.state === TaskState.Canceled) return task;
  throw notCancelable(task);
}

/** Whether the task could not be taken over. */
function isBusy(error: unknown): error is A2AError {
  return isA2AError(error) && error.name === 'UnsupportedOperationError';
}

function notCancelable({ id, status: { state } }: Task): TaskNotCancelableError {
  return new TaskNotCancelableError(`The task cannot be canceled: it is in ${state}`, {
    metadata: { taskId: id },
  });
}

function lastMessage(task: Task): Message {
  const last = task.history?.findLast(({ role }) => role === Role.User);
  return last ?? { messageId: '', role: Role.User, parts: [] };
}

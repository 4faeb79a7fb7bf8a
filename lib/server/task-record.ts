import { isTerminal, TaskState, type JsonObject, type Task, type TaskEvent } from '../protocol/index.js';
import type { CallContext } from './call-context.js';
import type { TaskScope } from './task-scope.js';

/**
 * What a store keeps of a task: the task and what the engine needs to drive it safely.
 *
 * @publicApi
 */
export interface TaskRecord extends TaskScope {
  /** The id of the task; with `agent` the key of the record. */
  readonly id: string;
  /**
   * The task in its JSON form. In a record given to {@link TaskStore.put} it is made when first read, at a cost
   * that grows with the task; a store that writes `changes` never pays it.
   */
  readonly task: Task;
  /** Rises by one with every put; makes concurrent writes visible. */
  readonly version: number;
  /** Number of the last event that is folded into `task`. */
  readonly seq: number;
  /** Rises by one whenever somebody starts to drive the task; a writer with an older one is stale. */
  readonly epoch: number;
  /** Who drives the task at the moment; absent while nobody does. */
  readonly run?: TaskRun;
}

/** A turn in progress. */
export interface TaskRun {
  /** The process that runs the turn. */
  readonly worker: string;
  /**
   * Milliseconds since 1970 until which the worker holds the task. A store with leases gives here how long the lease of the
   * worker still lasts, whatever was put.
   */
  readonly leaseUntil: number;
  /** What the turn was asked for, so that another process can run it; absent where no agent runs. */
  readonly terms?: TurnTerms;
  /** How many times the turn was begun, this time included; absent means once, and 0 that it waits for a process to run it. */
  readonly attempt?: number;
}

/**
 * What a message asked for beside its words: those stand in the history of the task. No headers, since these may hold
 * secrets.
 */
export interface TurnTerms {
  /** The message that began the turn. */
  readonly messageId: string;
  readonly acceptedOutputModes?: readonly string[];
  readonly metadata?: JsonObject;
  readonly call: Omit<CallContext, 'headers'>;
  /** Whether a message came that the agent has said nothing to yet; absent means no. */
  readonly isUnanswered?: true;
}

/** Whether a run is held by another worker whose lease has not expired. */
export function isDrivenElsewhere(run: TaskRun | undefined, worker: string): boolean {
  return run !== undefined && run.worker !== worker && run.leaseUntil > Date.now();
}

/** Whether a turn waits for a process to run it. */
export function isQueued(run: TaskRun | undefined): boolean {
  return run?.attempt === 0;
}

/**
 * Whether an agent has a message of the task to work on, or had when its process went away. One that asked for an
 * authorization only waits until a message comes; asking for input ends a run, so where there is one the state is still that of
 * the turn before.
 */
export function isAtWork(run: TaskRun | undefined, state: TaskState): boolean {
  if (run?.terms === undefined || isTerminal(state)) return false;
  return state !== TaskState.AuthRequired || isQueued(run) || run.terms.isUnanswered === true;
}

/** A run after an event of its task: a message is to be answered, and a status is an answer. */
export function afterEvent(run: TaskRun | undefined, event: TaskEvent): TaskRun | undefined {
  if (!run?.terms) return run;
  if ('message' in event) return { ...run, terms: { ...run.terms, isUnanswered: true } };
  if (!('statusUpdate' in event) || !run.terms.isUnanswered) return run;
  const { isUnanswered: _, ...terms } = run.terms;
  return { ...run, terms };
}

import { TaskState, type TaskEvent } from '../protocol/index.js';
import type { TaskRecord } from './task-record.js';
import type { TaskKey, Unsubscribe } from './task-event-bus.js';
import type { Scope, TaskScope } from './task-scope.js';

/** A place in a listing: the last task of the page before. */
export interface TaskCursor {
  /** Status timestamp, milliseconds since 1970. */
  readonly timestamp: number;
  readonly id: string;
}

/** Which tasks to list; all filters hold together. */
export interface TaskQuery {
  readonly contextId?: string;
  readonly status?: TaskState;
  /** Milliseconds since 1970, inclusive. */
  readonly statusTimestampAfter?: number;
  /** Start behind this task; absent for the first page. */
  readonly after?: TaskCursor;
  /** At most this many tasks. */
  readonly limit: number;
  /** `false` lets a store leave `artifacts` unread; the default is `false`. */
  readonly includeArtifacts?: boolean;
}

/** One page of a listing. */
export interface TaskPage {
  /** Newest status first, the id as tie-breaker (ascending). */
  readonly records: readonly TaskRecord[];
  /** How many tasks match on all pages; a store may stop counting at a bound and give the bound. */
  readonly total: number;
  /** Whether tasks follow behind the last one. */
  readonly more: boolean;
}

/** What a message was taken for. */
export interface MessageClaim {
  /** The task that the message begins or continues. */
  readonly taskId: string;
  /** The process that took it. */
  readonly worker: string;
}

/** A message that was taken before. */
export interface HeldMessage extends MessageClaim {
  /**
   * Milliseconds since 1970 until which the lease of that worker lasts, 0 where it has none. A store that does not count
   * leases gives `Number.MAX_SAFE_INTEGER`.
   */
  readonly leaseUntil: number;
}

/**
 * Where an agent keeps its tasks. The default is {@link InMemoryTaskStore}.
 *
 * Implement the four methods to use another one, and run `describeTaskStore()` of `nest-a2a/testing` on it: the
 * suite is the contract. What a store hands out cannot be used to change what it keeps. A store that cannot
 * answer for now throws {@link StoreUnavailableError}.
 *
 * @publicApi
 */
export abstract class TaskStore {
  /**
   * Whether tasks survive the process. A turn that a shutdown cuts off is failed in a store that is not durable,
   * and left to recovery in one that is.
   */
  readonly durable: boolean = false;

  /** Whether {@link events} gives the events of tasks: streams can then go on where they broke off. */
  readonly keepsEvents: boolean = false;

  /** Whether {@link claimMessage} works, which the option `idempotencyWindow` needs. */
  readonly claimsMessages: boolean = false;

  /** The record of a task inside `scope`, or `undefined`: outside its scope a task does not exist (§13.1). */
  abstract get(id: string, scope: Scope): Promise<TaskRecord | undefined>;

  /**
   * Keeps `record`. `changes` are the events since the last put, never empty for a new record (whose first event
   * is the whole task); without any, only the rest of the record changes. A store that can write only those may
   * ignore `record.task`. A put that is refused changes nothing.
   *
   * @throws TaskVersionConflictError if the stored version is not `record.version - 1` (no record counts as
   * version 0), or the record lies in another scope; a record that was removed must not come back.
   * @throws StaleRunError if the stored `epoch` is higher
   */
  abstract put(record: TaskRecord, changes: readonly TaskEvent[]): Promise<void>;

  /** One page of the tasks inside `scope`, newest status first; its cost is that of the page. */
  abstract list(query: TaskQuery, scope: Scope): Promise<TaskPage>;

  /** Removes a task; nothing happens if there is none in `scope`. */
  abstract remove(id: string, scope: Scope): Promise<void>;

  /**
   * Events of a task with a number above `after`, in order, at most `limit`; `undefined` where the store keeps no events, or
   * not so old ones, or has no such task in `scope`. Needed for what says {@link keepsEvents}.
   */
  events(
    _id: string,
    _scope: Scope,
    _page: { readonly after: number; readonly limit: number },
  ): Promise<readonly TaskEvent[] | undefined> {
    return Promise.resolve(undefined);
  }

  /**
   * Says that `worker` is alive until `leaseUntil` (milliseconds since 1970): for so long it holds the tasks whose `run` names
   * it. One call serves all its tasks. Gives how long its lease was before, 0 where it had none. A store that
   * dies with its process need not count leases.
   */
  renewLease(_worker: string, _leaseUntil: number): Promise<number> {
    return Promise.resolve(Number.MAX_SAFE_INTEGER);
  }

  /** The worker ends: what it still holds is free at once. */
  endLease(_worker: string): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Takes over tasks of an agent whose worker's lease has expired, at most `limit`: in one step each gets `worker` as the worker of
   * its run, and a higher `epoch` and `version`, so that the one before cannot write any more and nobody else takes the
   * same. Gives them as they stand then, `run.attempt` as it was.
   */
  takeExpired(_agent: string, _worker: string, _limit: number): Promise<readonly TaskRecord[]> {
    return Promise.resolve([]);
  }

  /**
   * How many tasks in `scope` have a turn that runs or waits, in whatever process; a store may stop counting at `limit`. It serves
   * the option `limits.runningTurnsPerOwner`. A store that overrides nothing counts the tasks that are SUBMITTED or WORKING.
   */
  async countTurns(scope: TaskScope, _limit: number): Promise<number> {
    // In this order, so that a task that begins to work in between is counted twice and not missed.
    const submitted = await this.list({ status: TaskState.Submitted, limit: 1 }, scope);
    const working = await this.list({ status: TaskState.Working, limit: 1 }, scope);
    return submitted.total + working.total;
  }

  /**
   * Takes a message for a task until `until` (milliseconds since 1970), unless one with its id is taken in `scope` already: then it
   * gives who holds it, and changes nothing. Of calls at the same time one wins. Needed for what says {@link claimsMessages}.
   */
  claimMessage(
    _scope: TaskScope,
    _messageId: string,
    _claim: MessageClaim,
    _until: number,
  ): Promise<HeldMessage | undefined> {
    return Promise.reject(new Error('This task store cannot tell messages that come twice'));
  }

  /** Gives up a message that came to nothing; nothing happens where it is not held for `taskId`. */
  releaseMessage(_scope: TaskScope, _messageId: string, _taskId: string): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Calls `listener` with every task that goes from now on, be it removed or pushed out by a bound, so that what is kept
   * beside tasks can go with them. A store that need not tell, since it removes that by itself, has nothing to override.
   */
  onRemoval(_listener: (key: TaskKey) => void): Unsubscribe {
    return () => undefined;
  }
}

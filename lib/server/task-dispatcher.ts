import type { Message } from '../protocol/index.js';
import type { TurnTerms } from './task-record.js';

/** A turn that waits in the store, as a queue carries it. */
export interface TurnJob {
  readonly agent: string;
  readonly taskId: string;
  /** The epoch that the task had when the turn was queued. It rises when the turn is queued again, and when it begins. */
  readonly epoch: number;
}

/** A turn as it is given to a queue, with what its place in it may depend on. */
export interface QueuedTurn extends TurnJob {
  readonly message: Message;
  readonly call: TurnTerms['call'];
}

/** Stops taking jobs; resolves when those that were taken are done. */
export type StopWork = () => Promise<void>;

/**
 * Brings turns to the processes that run them, where those are not the ones that accept messages. The store has the turns, and says
 * by their epoch who may run one: a job that is lost, comes twice or comes late does no harm.
 *
 * @publicApi
 */
export abstract class TaskDispatcher {
  /**
   * Queues a turn. If it cannot, the turn is found in the store after a while. A turn that waits for long is queued again, since it
   * might be lost: one that is in the queue still should stay where it is.
   */
  abstract dispatch(turn: QueuedTurn): Promise<void>;

  /** How many turns of an agent wait, about. */
  abstract waiting(agent: string): Promise<number>;

  /** Calls `run` for the jobs of an agent from now on; a job is done when that resolves. It never rejects. */
  abstract work(agent: string, run: (job: TurnJob) => Promise<void>): StopWork;
}

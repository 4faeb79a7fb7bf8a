import type { Message, Part } from '../protocol/index.js';
import type { RequestContext } from './request-context.js';
import type { TaskUpdater } from './task-updater.js';

/** What an agent may return instead of driving a task: a whole message, or just its parts. */
export type DirectReply = Message<Uint8Array | string> | { parts: Part<Uint8Array | string>[] };

/**
 * The logic of an agent.
 *
 * @publicApi
 */
export abstract class AgentExecutor {
  /**
   * Runs one turn: a message arrived for a new or a waiting task.
   *
   * Drive the task through `task`, or return a message as a direct answer without a task. It runs detached from
   * the request, which may be gone long before it ends. Throwing fails the task; an A2AError thrown before the
   * first update is the answer to the request instead.
   */
  abstract execute(context: RequestContext, task: TaskUpdater): Promise<DirectReply | void>;

  /**
   * Asked before a task is canceled. Throw TaskNotCancelableError to refuse: the task then goes on, its signal
   * not aborted. Without this method every task can be canceled.
   */
  cancel?(context: RequestContext, task: TaskUpdater): Promise<void>;
}

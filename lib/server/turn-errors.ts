import { ResourceExhaustedError, UnavailableError, UnsupportedOperationError } from '../protocol/index.js';
import { saidBy } from './thrown-value.js';

/** An updater was used after the end of its turn. */
export class TurnEndedError extends Error {
  override readonly name = 'TurnEndedError';

  constructor(taskId: string) {
    super(`Task ${taskId}: the turn has ended, nothing can be published any more`);
  }
}

/** Why a turn's signal aborted, and why its updater refuses since. */
export class TurnAbortedError extends Error {
  override readonly name = 'TurnAbortedError';

  constructor(
    taskId: string,
    readonly why: 'canceled' | 'timed out' | 'lost' | 'shut down',
  ) {
    super(`Task ${taskId}: the turn was ${why}`);
  }
}

/** What the log says of a refused update: an agent that does not await its updater hears nothing of it. */
export function droppedUpdate(taskId: string, reason: unknown): string {
  return `Task ${taskId}: what the agent published is dropped: ${saidBy(reason)}`;
}

/** The answer where a process should do something for a task and does not answer. */
export function outOfReach(taskId: string): UnavailableError {
  return new UnavailableError('The process that runs the task cannot be reached; try again later', {
    metadata: { taskId },
  });
}

/** The answer to a message for a task that somebody is at work on. */
export function busy(taskId: string): UnsupportedOperationError {
  return new UnsupportedOperationError('The task is busy with an earlier message', { metadata: { taskId } });
}

/** The answer where an owner has as many turns as it may. */
export function tooManyTurns(): ResourceExhaustedError {
  return new ResourceExhaustedError('Too many of your tasks are running; try again later');
}

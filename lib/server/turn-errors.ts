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

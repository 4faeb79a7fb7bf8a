import { UnavailableError } from '../protocol/index.js';

/** Somebody else wrote the task first; load it again, fold again, retry. */
export class TaskVersionConflictError extends Error {
  override readonly name = 'TaskVersionConflictError';

  constructor(
    readonly taskId: string,
    readonly expected: number,
    readonly found: number,
  ) {
    super(`Task ${taskId}: expected version ${expected}, found ${found}`);
  }
}

/** Somebody else drives the task by now; this turn cannot write any more. */
export class StaleRunError extends Error {
  override readonly name = 'StaleRunError';

  constructor(readonly taskId: string) {
    super(`Task ${taskId} is driven by somebody else`);
  }
}

/** The store cannot answer for now: callers get 503 with `Retry-After`. */
export class StoreUnavailableError extends UnavailableError {
  /** @param message what callers are told, who must not learn of the database */
  constructor(cause?: unknown, message = 'The task store is not available right now') {
    super(message, { cause });
  }
}

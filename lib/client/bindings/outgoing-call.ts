import type { FailedCall } from '../wire-errors/wire-error.js';

/** One request of a binding, and what its answer must fit. */
export interface OutgoingCall extends FailedCall {
  /** In the log, and the JSON-RPC id. */
  readonly id: number;
  readonly method: string;
  readonly url: string;
  readonly body?: string;
  readonly contentType?: string;
}

/** A request in JSON form. */
export type RequestFields = Readonly<Record<string, unknown>>;

/** The task that a request is about. */
export function taskIdOf(request: RequestFields): string | undefined {
  const { message, id, taskId = id } = request;
  const named = message === undefined ? taskId : (message as { taskId?: unknown }).taskId;
  return typeof named === 'string' ? named : undefined;
}

import type { A2AError } from '../../protocol/index.js';
import { isFields } from './received-details.js';
import { statusError, type ErrorHead, type FailedCall } from './wire-error.js';

/** What the `type` of a problem begins with, if it is one of the protocol's; behind it is the name of the error. */
const TYPES = 'https://a2a-protocol.org/errors/';

/**
 * The error of a problem details body (RFC 9457), the form that agents of the first releases of 1.0 answer in and that the
 * examples of §6.4 and §6.5 still have. `undefined` if it is none, or says no more than the HTTP status.
 */
export function problemError(body: unknown, call: FailedCall, head: ErrorHead): A2AError | undefined {
  if (!isFields(body)) return undefined;
  const reason = reasonOf(body.type);
  const faults = Array.isArray(body.errors) ? body.errors.filter(isFields) : [];
  if (reason === undefined && faults.length === 0) return undefined;
  const message = [body.detail, body.details, body.title].find((text) => typeof text === 'string');
  const details = [
    ...(reason === undefined ? [] : [{ '@type': 'google.rpc.ErrorInfo', reason }]),
    ...(faults.length === 0
      ? []
      : [{ '@type': 'google.rpc.BadRequest', fieldViolations: violations(faults) }]),
  ];
  return statusError({ error: { message, details } }, call, head);
}

/** `TASK_NOT_FOUND` of `https://a2a-protocol.org/errors/task-not-found`. */
function reasonOf(type: unknown): string | undefined {
  if (typeof type !== 'string' || !type.startsWith(TYPES)) return undefined;
  return type.slice(TYPES.length).replaceAll('-', '_').toUpperCase();
}

function violations(faults: readonly Record<string, unknown>[]): object[] {
  return faults.map(({ field, message, description = message }) => ({ field, description }));
}

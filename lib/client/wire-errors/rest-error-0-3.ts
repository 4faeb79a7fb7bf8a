import { ERROR_KINDS, type A2AError, type ErrorName } from '../../protocol/index.js';
import { isFields } from './received-details.js';
import { namedError, rpcError, statusError, type ErrorHead, type FailedCall } from './wire-error.js';

/**
 * The error of a body of HTTP+JSON of 0.3, which says no more than that there has to be one (0.3 §3.2.3): agents answer with
 * the error object of JSON-RPC, with the name of a class in `error`, or with a message and a status of their own.
 * `undefined` if it is none of these.
 */
export function restError03(body: unknown, call: FailedCall, head?: ErrorHead): A2AError | undefined {
  // Frameworks say of themselves in the same words that they have no such route.
  if (!isFields(body) || 'statusCode' in body) return undefined;
  const said = [body, body.error].find(isRpcError);
  if (said !== undefined) return rpcError(said, call, head);
  // That of a gateway of gRPC, or of an agent that speaks 1.0 as well.
  if (Array.isArray(body.details)) return statusError(body, call, head);
  const { error, message } = body;
  if (typeof message !== 'string') return undefined;
  const name = errorOfClass(error) ?? (head && errorOfStatus(head.status, call));
  if (name !== undefined) return namedError(name, message, call, head);
  return head && statusError({ error: { message } }, call, head);
}

/** Whether it is an error object of JSON-RPC: its codes are negative, those of HTTP and of gRPC are not. */
function isRpcError(value: unknown): boolean {
  return isFields(value) && typeof value.code === 'number' && value.code < 0;
}

/** `io.a2a.spec.TaskNotFoundError`. */
function errorOfClass(name: unknown): ErrorName | undefined {
  const simple = typeof name === 'string' ? name.slice(name.lastIndexOf('.') + 1) : '';
  if (simple === 'AuthenticatedExtendedCardNotConfiguredError') return 'ExtendedAgentCardNotConfiguredError';
  return Object.hasOwn(ERROR_KINDS, simple) ? (simple as ErrorName) : undefined;
}

/** What agents of 0.3 mean by a status where 1.0 means something else, or nothing. */
function errorOfStatus(status: number, { operation, taskId }: FailedCall): ErrorName | undefined {
  switch (status) {
    case 404:
      if (operation === 'getExtendedAgentCard') return 'ExtendedAgentCardNotConfiguredError';
      return taskId === undefined ? undefined : 'TaskNotFoundError';
    case 409:
      return operation === 'cancelTask' ? 'TaskNotCancelableError' : undefined;
    case 422:
      return 'InvalidParamsError';
    case 501:
      return operation.includes('PushNotification') ? 'PushNotificationNotSupportedError' : undefined;
    default:
      return undefined;
  }
}

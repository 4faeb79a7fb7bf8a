import { STATUS_CODES } from 'node:http';
import type { A2AError, ErrorName, OperationName } from '../../protocol/index.js';
import { bodyExcerpt } from './body-excerpt.js';
import { isBareStatus, statusSaid } from './canonical-status.js';
import { errorNameOfCode, errorNameOfReason, makeError, type ErrorFacts } from './error-makers.js';
import type { HttpResponse } from '../http-transport.js';
import { isFields, readDetails, type ReceivedDetails } from './received-details.js';
import { secondsToWait } from './seconds-to-wait.js';

/** Longer words of an agent are cut. */
const MAX_MESSAGE = 2_000;

/** What is known of the call that failed. */
export interface FailedCall {
  readonly operation: OperationName;
  /** The task that it was about. */
  readonly taskId?: string | undefined;
}

/** Where an error came with HTTP. */
export interface ErrorHead {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
}

/** The error of a `google.rpc.Status` body, `undefined` if `body` is none. Its reason decides, then the HTTP status. */
export function statusError(body: unknown, call: FailedCall, head?: ErrorHead): A2AError | undefined {
  if (!isFields(body)) return undefined;
  // Some gateways of gRPC leave the object around it out. With an HTTP status of its own, anything may have a code.
  const isBare = 'details' in body || (head === undefined && isBareStatus(body));
  const error = isFields(body.error) ? body.error : isBare ? body : {};
  if (!('code' in error || 'status' in error || 'message' in error)) return undefined;
  const details = readDetails(error.details);
  const said = statusSaid(error.code, error.status);
  const httpStatus = head?.status ?? said.httpStatus ?? 500;
  const name =
    errorNameOfReason(details.reason) ?? nameOfStatus(httpStatus, said.status, call, details, head);
  const isMethod = name === 'MethodNotFoundError' && httpStatus === 405;
  return make(isMethod ? 'MethodNotAllowedError' : name, error.message, httpStatus, details, call, head);
}

/** The error of a JSON-RPC error object, `undefined` if `error` is none. */
export function rpcError(error: unknown, call: FailedCall, head?: ErrorHead): A2AError | undefined {
  if (!isFields(error) || typeof error.code !== 'number') return undefined;
  const details = readDetails(error.data);
  const known = errorNameOfCode(error.code);
  // A general code may carry a particular reason, or come under a particular status.
  const name =
    known !== undefined && known !== 'InternalError'
      ? known
      : (errorNameOfReason(details.reason) ?? (head && BY_STATUS[head.status]) ?? 'InternalError');
  const metadata = { ...(known === undefined && { code: String(error.code) }), ...details.metadata };
  return make(name, error.message, head?.status, { ...details, metadata }, call, head);
}

/** The error of an answer that is none of the protocol's: what a gateway says, with a short piece of it. */
export function bareError(head: ErrorHead, body: string, call: FailedCall): A2AError {
  const { status } = head;
  const excerpt = bodyExcerpt(body);
  const title = `HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const hint = status >= 300 && status < 400 ? ' (redirects are not followed)' : '';
  const message = `${title}${hint}${excerpt && `: ${excerpt}`}`;
  return make(BY_STATUS[status] ?? 'InternalError', message, status, {}, call, head);
}

/** An error of which the name is known, and nothing but the message beside it. */
export function namedError(name: ErrorName, message: string, call: FailedCall, head?: ErrorHead): A2AError {
  return make(name, message, head?.status, {}, call, head);
}

const BY_STATUS: Readonly<Record<number, ErrorName>> = {
  400: 'InvalidRequestError',
  401: 'AuthenticationError',
  403: 'AuthorizationError',
  404: 'MethodNotFoundError',
  405: 'MethodNotAllowedError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  422: 'InvalidParamsError',
  429: 'ResourceExhaustedError',
  501: 'UnsupportedOperationError',
  502: 'UnavailableError',
  503: 'UnavailableError',
  504: 'UnavailableError',
};

function nameOfStatus(
  httpStatus: number,
  status: unknown,
  { operation, taskId }: FailedCall,
  { violations }: ReceivedDetails,
  head: ErrorHead | undefined,
): ErrorName {
  if (httpStatus === 400) {
    return status === 'FAILED_PRECONDITION' && !violations
      ? 'UnsupportedOperationError'
      : 'InvalidParamsError';
  }
  // As the answer to a subscription it may as well mean that the agent does not know the method.
  const isTask = taskId !== undefined && (operation !== 'subscribeToTask' || head === undefined);
  if (httpStatus === 404 && isTask) return 'TaskNotFoundError';
  return BY_STATUS[httpStatus] ?? 'InternalError';
}

function make(
  name: ErrorName,
  message: unknown,
  httpStatus: number | undefined,
  details: ReceivedDetails,
  { taskId }: FailedCall,
  head: ErrorHead | undefined,
): A2AError {
  const said = typeof message === 'string' && message !== '' ? message : undefined;
  const retryAfter = (head && secondsToWait(head.headers)) ?? details.retryAfter;
  const facts: ErrorFacts = {
    message: (said ?? (httpStatus === undefined ? 'The agent failed' : `HTTP ${httpStatus}`)).slice(
      0,
      MAX_MESSAGE,
    ),
    challenges: listOf(head?.headers['www-authenticate']),
    metadata: {
      ...(name === 'TaskNotFoundError' && taskId !== undefined && { taskId }),
      ...(httpStatus !== undefined && { httpStatus: String(httpStatus) }),
      ...details.metadata,
    },
    ...(details.violations && { violations: details.violations }),
    ...(details.requestId !== undefined && { requestId: details.requestId }),
    // The classes of busy agents have a hint of their own, which would be made up here.
    retryAfter,
  };
  return makeError(name, facts);
}

function listOf(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return typeof header === 'string' ? [header] : header;
}

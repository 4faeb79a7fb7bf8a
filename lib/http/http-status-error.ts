import type { HttpException } from '@nestjs/common';
import {
  A2AError,
  AuthenticationError,
  AuthorizationError,
  InternalError,
  isA2AError,
  isCallError,
  MethodNotFoundError,
  ResourceExhaustedError,
  UnavailableError,
} from '../protocol/index.js';

/** The canonical status of google.rpc.Status for HTTP statuses that no error of the protocol stands for. */
const CANONICAL: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  410: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  416: 'OUT_OF_RANGE',
  422: 'INVALID_ARGUMENT',
  501: 'UNIMPLEMENTED',
  504: 'DEADLINE_EXCEEDED',
};

/** An HTTP status that something of the host application answered with, such as a guard's 409. */
class HttpStatusError extends A2AError {
  override readonly httpStatus: number;
  override readonly status: string;

  constructor(httpStatus: number, message: string) {
    super('InvalidRequestError', message);
    this.httpStatus = httpStatus;
    this.status = CANONICAL[httpStatus] ?? 'FAILED_PRECONDITION';
  }
}

/** What a Nest exception means in the protocol. */
export function fromHttpException(exception: HttpException): A2AError {
  // Guards of ours serve controllers of the application too, where only an HttpException is understood.
  const { cause } = exception;
  if (isA2AError(cause) && !isCallError(cause) && cause.httpStatus === exception.getStatus()) return cause;
  return fromHttpStatus(exception.getStatus(), messageOf(exception), exception);
}

/** The error for an HTTP status; messages of a 5xx stay inside, since nobody wrote them for callers. */
export function fromHttpStatus(status: number, message: string, cause: unknown): A2AError {
  switch (status) {
    case 401:
      return new AuthenticationError();
    case 403:
      return new AuthorizationError(message);
    case 404:
      return new MethodNotFoundError(message);
    case 429:
      return new ResourceExhaustedError(message);
    case 503:
      return new UnavailableError(undefined, { cause });
    case 501:
    case 504:
      return new HttpStatusError(status, 'The request could not be carried out');
    default:
      return status >= 400 && status < 500
        ? new HttpStatusError(status, message)
        : new InternalError(undefined, { cause });
  }
}

function messageOf(exception: HttpException): string {
  const response = exception.getResponse();
  const message = typeof response === 'object' && 'message' in response ? response.message : undefined;
  // A validation pipe gives a list.
  return Array.isArray(message) ? message.join('; ') : exception.message;
}

import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { HttpException, Logger } from '@nestjs/common';
import { InternalError, isA2AError, isCallError, type A2AError } from '../protocol/index.js';
import { fromHttpException, fromHttpStatus } from './http-status-error.js';

const logger = new Logger('A2A');

/**
 * The error that goes to the caller for whatever was thrown. Faults of the server are logged under an id that the
 * caller gets too; nothing else of them leaves.
 */
export function reportError(error: unknown): A2AError {
  if (isA2AError(error) && !isOwnMatter(error)) return withReport(error);
  if (error instanceof HttpException) return withReport(fromHttpException(error));
  return withReport(new InternalError(undefined, { cause: error }));
}

/** The same for what middleware of the host passes on: there, an error with an HTTP status means that status. */
export function reportMiddlewareError(error: unknown): A2AError {
  const status = (error as { status?: unknown } | null | undefined)?.status;
  const isHttpError = error instanceof Error && typeof status === 'number' && !isA2AError(error);
  if (!isHttpError || error instanceof HttpException) return reportError(error);
  return withReport(fromHttpStatus(status, error.message, error));
}

/** Credentials that another agent refused, and its failures, are the matter of whoever called it. */
function isOwnMatter(error: A2AError): boolean {
  return (
    isCallError(error) && (error.httpStatus === 401 || error.httpStatus === 403 || error.httpStatus >= 500)
  );
}

function withReport(error: A2AError): A2AError {
  if (error.httpStatus < 500 || error.cause === undefined || error.requestId !== undefined) return error;
  const requestId = randomUUID();
  const { cause } = error;
  const { message, stack } = cause instanceof Error ? cause : new Error(inspect(cause));
  logger.error(`${error.name} ${requestId}: ${message}`, stack);
  // The same error and an id: it may be one that is thrown many times.
  return Object.create(error, { requestId: { value: requestId, enumerable: true } }) as A2AError;
}

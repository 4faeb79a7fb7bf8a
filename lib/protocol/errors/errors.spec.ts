import { describe, expect, it } from 'vitest';
import * as errors from './index.js';

const { errorDetails, isA2AError } = errors;

// The nine errors of the specification, in the order of its table (§5.4).
const NINE = [
  [new errors.TaskNotFoundError('t-1'), -32001, 404, 'NOT_FOUND', 'TASK_NOT_FOUND'],
  [new errors.TaskNotCancelableError(), -32002, 400, 'FAILED_PRECONDITION', 'TASK_NOT_CANCELABLE'],
  [
    new errors.PushNotificationNotSupportedError(),
    -32003,
    400,
    'FAILED_PRECONDITION',
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
  ],
  [new errors.UnsupportedOperationError(), -32004, 400, 'FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION'],
  [new errors.ContentTypeNotSupportedError(), -32005, 400, 'INVALID_ARGUMENT', 'CONTENT_TYPE_NOT_SUPPORTED'],
  [new errors.InvalidAgentResponseError(), -32006, 500, 'INTERNAL', 'INVALID_AGENT_RESPONSE'],
  [
    new errors.ExtendedAgentCardNotConfiguredError(),
    -32007,
    400,
    'FAILED_PRECONDITION',
    'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  ],
  [
    new errors.ExtensionSupportRequiredError(),
    -32008,
    400,
    'FAILED_PRECONDITION',
    'EXTENSION_SUPPORT_REQUIRED',
  ],
  [new errors.VersionNotSupportedError(), -32009, 400, 'FAILED_PRECONDITION', 'VERSION_NOT_SUPPORTED'],
] as const;

describe('errors', () => {
  it.each(NINE)(
    'O-ERR-03, S-45: %s has code %i, HTTP status %i, %s, %s',
    (error, code, httpStatus, status, reason) => {
      expect(error).toMatchObject({ code, httpStatus, status, reason });
      expect(error.name).toBe(error.constructor.name);
      expect(errorDetails(error)[0]).toMatchObject({
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason,
        domain: 'a2a-protocol.org',
      });
    },
  );

  it('O-ERR-01: an error of another copy of the package is understood', async () => {
    const url = './a2a-error.js?another-copy';
    const copy = (await import(url)) as Pick<typeof errors, 'A2AError'>;
    class TaskNotFoundError extends copy.A2AError {
      constructor() {
        super('TaskNotFoundError', 'gone', { metadata: { taskId: 't' } });
      }
    }
    const error: unknown = new TaskNotFoundError();
    expect(error).not.toBeInstanceOf(errors.A2AError);
    expect(isA2AError(error)).toBe(true);
    expect(error).toMatchObject({ name: 'TaskNotFoundError', httpStatus: 404, reason: 'TASK_NOT_FOUND' });
  });

  it.each([
    undefined,
    null,
    'TaskNotFoundError',
    {},
    new Error('x'),
    { name: 'TaskNotFoundError', code: -32001 },
  ])('O-ERR-01: %o is none of them', (value) => {
    expect(isA2AError(value)).toBe(false);
  });

  it('carry the details of what they know, and nothing else', () => {
    const violations = [{ field: 'message.parts[0]', description: 'is missing' }];
    expect(errorDetails(new errors.InvalidParamsError(violations))).toEqual([
      { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations },
    ]);
    expect(errorDetails(new errors.InternalError(undefined, { requestId: 'r-1' }))).toEqual([
      { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: 'r-1' },
    ]);
    expect(errorDetails(new errors.TaskNotFoundError('t-1'))).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'TASK_NOT_FOUND',
        domain: 'a2a-protocol.org',
        metadata: { taskId: 't-1' },
      },
    ]);
    expect(errorDetails(new errors.JSONParseError())).toEqual([]);
  });

  it('say every violation in their message', () => {
    const error = new errors.InvalidParamsError([
      { field: 'id', description: 'is required' },
      { field: '', description: 'must be an object' },
    ]);
    expect(error.message).toBe('id: is required; must be an object');
    expect(new errors.InvalidParamsError([]).message).toBe('Invalid request');
  });

  it('keep their cause away from details', () => {
    const cause = new Error('password of the database');
    const error = new errors.InternalError(undefined, { cause });
    expect(error.cause).toBe(cause);
    expect(JSON.stringify(errorDetails(error)) + error.message).not.toContain('password');
  });

  it('name the headers and the retry time of their answer', () => {
    expect(new errors.MethodNotAllowedError(['GET', 'POST']).headers).toEqual({ Allow: 'GET, POST' });
    expect(new errors.AuthenticationError(['Bearer', 'Basic']).headers).toEqual({
      'WWW-Authenticate': ['Bearer', 'Basic'],
    });
    expect(new errors.AuthenticationError().headers).toEqual({});
    expect(new errors.UnavailableError().retryAfter).toBe(1);
    expect(new errors.ResourceExhaustedError(undefined, { retryAfter: 7 }).retryAfter).toBe(7);
  });

  it('have a class each', () => {
    for (const name of Object.keys(errors.ERROR_KINDS)) expect(errors).toHaveProperty(name);
  });
});

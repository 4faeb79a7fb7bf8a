import { A2AError, type A2AErrorOptions, type FieldViolation } from './a2a-error.js';

/** The task does not exist, or not for this caller (§3.3.2). */
export class TaskNotFoundError extends A2AError {
  constructor(taskId: string, options?: A2AErrorOptions) {
    super('TaskNotFoundError', `Task not found: ${taskId}`, {
      ...options,
      metadata: { taskId, ...options?.metadata },
    });
  }
}

/** The task is in a state that cannot be canceled, or its agent refuses. */
export class TaskNotCancelableError extends A2AError {
  constructor(message = 'The task cannot be canceled', options?: A2AErrorOptions) {
    super('TaskNotCancelableError', message, options);
  }
}

/** The agent does not do push notifications. */
export class PushNotificationNotSupportedError extends A2AError {
  constructor(message = 'This agent does not support push notifications', options?: A2AErrorOptions) {
    super('PushNotificationNotSupportedError', message, options);
  }
}

/** The operation, or this use of it, is not supported. */
export class UnsupportedOperationError extends A2AError {
  constructor(message = 'This agent does not support the operation', options?: A2AErrorOptions) {
    super('UnsupportedOperationError', message, options);
  }
}

/** A media type in the request is not one that the agent takes. */
export class ContentTypeNotSupportedError extends A2AError {
  constructor(message = 'The agent does not accept this content type', options?: A2AErrorOptions) {
    super('ContentTypeNotSupportedError', message, options);
  }
}

/** The agent answered with something that is no valid A2A. */
export class InvalidAgentResponseError extends A2AError {
  constructor(message = 'The agent gave an invalid response', options?: A2AErrorOptions) {
    super('InvalidAgentResponseError', message, options);
  }
}

/** The agent declares an extended card and has none configured. */
export class ExtendedAgentCardNotConfiguredError extends A2AError {
  constructor(message = 'No extended agent card is configured', options?: A2AErrorOptions) {
    super('ExtendedAgentCardNotConfiguredError', message, options);
  }
}

/** The agent requires an extension that the caller did not ask for. */
export class ExtensionSupportRequiredError extends A2AError {
  constructor(message = 'The agent requires an extension', options?: A2AErrorOptions) {
    super('ExtensionSupportRequiredError', message, options);
  }
}

/** The protocol version of the request is not served (§3.6.2). */
export class VersionNotSupportedError extends A2AError {
  constructor(message = 'The protocol version is not supported', options?: A2AErrorOptions) {
    super('VersionNotSupportedError', message, options);
  }
}

/** The request is not valid: every fault is listed with its path. */
export class InvalidParamsError extends A2AError {
  constructor(violations: readonly FieldViolation[], options?: A2AErrorOptions) {
    super('InvalidParamsError', describe(violations), { ...options, violations });
  }
}

/** The body is not JSON. */
export class JSONParseError extends A2AError {
  constructor(message = 'The body is not valid JSON', options?: A2AErrorOptions) {
    super('JSONParseError', message, options);
  }
}

/** The body is JSON and no request. */
export class InvalidRequestError extends A2AError {
  constructor(message = 'The body is not a valid request', options?: A2AErrorOptions) {
    super('InvalidRequestError', message, options);
  }
}

/** The path or method is not served. */
export class MethodNotFoundError extends A2AError {
  constructor(message = 'Not found', options?: A2AErrorOptions) {
    super('MethodNotFoundError', message, options);
  }
}

/** The path is served, but not with this HTTP method. */
export class MethodNotAllowedError extends A2AError {
  constructor(allowed: readonly string[], options?: A2AErrorOptions) {
    const allow = allowed.join(', ');
    super('MethodNotAllowedError', `Method not allowed; allowed: ${allow}`, {
      ...options,
      headers: { Allow: allow, ...options?.headers },
    });
  }
}

/** The caller did not prove who they are (HTTP 401). */
export class AuthenticationError extends A2AError {
  /** The challenges: one `WWW-Authenticate` value for each accepted scheme. */
  readonly wwwAuthenticate: readonly string[];

  /** @param challenges one `WWW-Authenticate` value for each accepted scheme */
  constructor(challenges: readonly string[] = [], options?: A2AErrorOptions) {
    super('AuthenticationError', 'Authentication is required', {
      ...options,
      headers: { ...(challenges.length > 0 && { 'WWW-Authenticate': challenges }), ...options?.headers },
    });
    this.wwwAuthenticate = challenges;
  }

  /** What the caller can be told of it: the challenges, which say how to authenticate. */
  get data(): { readonly wwwAuthenticate: readonly string[] } {
    return { wwwAuthenticate: this.wwwAuthenticate };
  }
}

/** The caller is known and not permitted to do this (HTTP 403). */
export class AuthorizationError extends A2AError {
  constructor(message = 'Permission denied', options?: A2AErrorOptions) {
    super('AuthorizationError', message, options);
  }
}

/** The body is larger than the limit (HTTP 413). */
export class PayloadTooLargeError extends A2AError {
  constructor(limit: number, options?: A2AErrorOptions) {
    super('PayloadTooLargeError', `The body is larger than ${limit} bytes`, options);
  }
}

/** The media type of the body is not JSON (HTTP 415). */
export class UnsupportedMediaTypeError extends A2AError {
  constructor(
    message = 'The body must be application/a2a+json or application/json',
    options?: A2AErrorOptions,
  ) {
    super('UnsupportedMediaTypeError', message, options);
  }
}

/** The caller is over a limit of their own (HTTP 429). */
export class ResourceExhaustedError extends A2AError {
  constructor(message = 'Too many requests', options?: A2AErrorOptions) {
    super('ResourceExhaustedError', message, { retryAfter: 1, ...options });
  }
}

/** The agent is overloaded, shutting down, or something it needs is away (HTTP 503). */
export class UnavailableError extends A2AError {
  constructor(message = 'The agent is not available right now', options?: A2AErrorOptions) {
    super('UnavailableError', message, { retryAfter: 1, ...options });
  }
}

/** Anything else. The message never holds details of the fault: the log has them under `requestId`. */
export class InternalError extends A2AError {
  constructor(message = 'Internal error', options?: A2AErrorOptions) {
    super('InternalError', message, options);
  }
}

function describe(violations: readonly FieldViolation[]): string {
  return violations.length === 0
    ? 'Invalid request'
    : violations
        .map(({ field, description }) => (field ? `${field}: ${description}` : description))
        .join('; ');
}

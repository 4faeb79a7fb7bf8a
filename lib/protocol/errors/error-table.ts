/** How one kind of error looks in each binding (§5.4). */
export interface ErrorKind {
  /** JSON-RPC error code; absent where the JSON-RPC binding answers with the HTTP status instead. */
  readonly code?: number;
  readonly httpStatus: number;
  /** Canonical status of google.rpc.Status. */
  readonly status: string;
  /** `reason` of the ErrorInfo detail; absent where no ErrorInfo is sent. */
  readonly reason?: string;
}

/** Every error that goes over the wire, by the name of its class. */
export const ERROR_KINDS = {
  TaskNotFoundError: { code: -32001, httpStatus: 404, status: 'NOT_FOUND', reason: 'TASK_NOT_FOUND' },
  TaskNotCancelableError: {
    code: -32002,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'TASK_NOT_CANCELABLE',
  },
  PushNotificationNotSupportedError: {
    code: -32003,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  },
  UnsupportedOperationError: {
    code: -32004,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'UNSUPPORTED_OPERATION',
  },
  ContentTypeNotSupportedError: {
    code: -32005,
    httpStatus: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
  },
  InvalidAgentResponseError: {
    code: -32006,
    httpStatus: 500,
    status: 'INTERNAL',
    reason: 'INVALID_AGENT_RESPONSE',
  },
  ExtendedAgentCardNotConfiguredError: {
    code: -32007,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  },
  ExtensionSupportRequiredError: {
    code: -32008,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'EXTENSION_SUPPORT_REQUIRED',
  },
  VersionNotSupportedError: {
    code: -32009,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'VERSION_NOT_SUPPORTED',
  },
  InvalidParamsError: { code: -32602, httpStatus: 400, status: 'INVALID_ARGUMENT' },
  JSONParseError: { code: -32700, httpStatus: 400, status: 'INVALID_ARGUMENT' },
  InvalidRequestError: { code: -32600, httpStatus: 400, status: 'INVALID_ARGUMENT' },
  MethodNotFoundError: { code: -32601, httpStatus: 404, status: 'NOT_FOUND', reason: 'METHOD_NOT_FOUND' },
  MethodNotAllowedError: { httpStatus: 405, status: 'UNIMPLEMENTED', reason: 'METHOD_NOT_FOUND' },
  AuthenticationError: { httpStatus: 401, status: 'UNAUTHENTICATED', reason: 'UNAUTHENTICATED' },
  AuthorizationError: { httpStatus: 403, status: 'PERMISSION_DENIED', reason: 'PERMISSION_DENIED' },
  PayloadTooLargeError: { httpStatus: 413, status: 'INVALID_ARGUMENT' },
  UnsupportedMediaTypeError: { httpStatus: 415, status: 'INVALID_ARGUMENT' },
  ResourceExhaustedError: { httpStatus: 429, status: 'RESOURCE_EXHAUSTED' },
  UnavailableError: { httpStatus: 503, status: 'UNAVAILABLE' },
  InternalError: { code: -32603, httpStatus: 500, status: 'INTERNAL' },
} as const satisfies Record<string, ErrorKind>;

/** The name of an error class. */
export type ErrorName = keyof typeof ERROR_KINDS;

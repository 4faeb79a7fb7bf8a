import {
  AuthenticationError,
  AuthorizationError,
  ContentTypeNotSupportedError,
  ERROR_KINDS,
  ExtendedAgentCardNotConfiguredError,
  ExtensionSupportRequiredError,
  InternalError,
  InvalidAgentResponseError,
  InvalidParamsError,
  InvalidRequestError,
  JSONParseError,
  MethodNotAllowedError,
  MethodNotFoundError,
  PayloadTooLargeError,
  PushNotificationNotSupportedError,
  ResourceExhaustedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnavailableError,
  UnsupportedMediaTypeError,
  UnsupportedOperationError,
  VersionNotSupportedError,
  type A2AError,
  type A2AErrorOptions,
  type ErrorKind,
  type ErrorName,
} from '../../protocol/index.js';

/** What an error that came over the wire says. */
export interface ErrorFacts extends A2AErrorOptions {
  readonly message: string;
  /** Of a 401. */
  readonly challenges?: readonly string[];
}

type Maker = (facts: ErrorFacts) => A2AError;

const MAKERS: Readonly<Record<ErrorName, Maker>> = {
  TaskNotFoundError: (facts) => new TaskNotFoundError(facts.metadata?.taskId ?? '', facts),
  TaskNotCancelableError: (facts) => new TaskNotCancelableError(facts.message, facts),
  PushNotificationNotSupportedError: (facts) => new PushNotificationNotSupportedError(facts.message, facts),
  UnsupportedOperationError: (facts) => new UnsupportedOperationError(facts.message, facts),
  ContentTypeNotSupportedError: (facts) => new ContentTypeNotSupportedError(facts.message, facts),
  InvalidAgentResponseError: (facts) => new InvalidAgentResponseError(facts.message, facts),
  ExtendedAgentCardNotConfiguredError: (facts) =>
    new ExtendedAgentCardNotConfiguredError(facts.message, facts),
  ExtensionSupportRequiredError: (facts) => new ExtensionSupportRequiredError(facts.message, facts),
  VersionNotSupportedError: (facts) => new VersionNotSupportedError(facts.message, facts),
  InvalidParamsError: (facts) => new InvalidParamsError(facts.violations ?? [], facts),
  JSONParseError: (facts) => new JSONParseError(facts.message, facts),
  InvalidRequestError: (facts) => new InvalidRequestError(facts.message, facts),
  MethodNotFoundError: (facts) => new MethodNotFoundError(facts.message, facts),
  MethodNotAllowedError: (facts) => new MethodNotAllowedError([], facts),
  AuthenticationError: (facts) => new AuthenticationError(facts.challenges, facts),
  AuthorizationError: (facts) => new AuthorizationError(facts.message, facts),
  PayloadTooLargeError: (facts) => new PayloadTooLargeError(0, facts),
  UnsupportedMediaTypeError: (facts) => new UnsupportedMediaTypeError(facts.message, facts),
  ResourceExhaustedError: (facts) => new ResourceExhaustedError(facts.message, facts),
  UnavailableError: (facts) => new UnavailableError(facts.message, facts),
  InternalError: (facts) => new InternalError(facts.message, facts),
};

const KINDS = Object.entries<ErrorKind>(ERROR_KINDS) as [ErrorName, ErrorKind][];
// Backwards, so that of two errors with the same reason the first in the table is meant.
const BY_REASON = new Map(KINDS.map(([name, { reason }]) => [reason, name] as const).reverse());
const BY_CODE = new Map(KINDS.map(([name, { code }]) => [code, name] as const));
BY_REASON.delete(undefined);
BY_CODE.delete(undefined);

/** The error of an ErrorInfo reason. */
export function errorNameOfReason(reason: string | undefined): ErrorName | undefined {
  return BY_REASON.get(reason);
}

/** The error of a JSON-RPC code. */
export function errorNameOfCode(code: number): ErrorName | undefined {
  return BY_CODE.get(code);
}

/** The error as a server of this library would have thrown it, in the words of the agent. */
export function makeError(name: ErrorName, facts: ErrorFacts): A2AError {
  const error = MAKERS[name](facts);
  // Some classes have words of their own.
  error.message = facts.message;
  return error;
}

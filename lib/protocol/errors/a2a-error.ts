import { ERROR_KINDS, type ErrorKind, type ErrorName } from './error-table.js';

/** One fault of a request: where it is and what is wrong with it. */
export interface FieldViolation {
  /** A path such as `message.parts[2].raw`. */
  field: string;
  description: string;
}

/** A detail of an error in ProtoJSON `Any` form (§9.5, §11.6). */
export type ErrorDetail = { '@type': string } & Record<string, unknown>;

/** What an {@link A2AError} may carry beside its message. */
export interface A2AErrorOptions extends ErrorOptions {
  /** Context for the caller, such as `taskId`; sent in the ErrorInfo detail where the error has one. */
  metadata?: Record<string, string>;
  /** The faults of the request, sent as a BadRequest detail. */
  violations?: readonly FieldViolation[];
  /** Seconds after which a retry makes sense, sent as `Retry-After`. */
  retryAfter?: number | undefined;
  /** The id under which the log holds the cause, sent as a RequestInfo detail. */
  requestId?: string;
  /** HTTP headers of the answer, such as `Allow`; a list makes one line each. */
  headers?: Record<string, string | readonly string[]>;
}

// A registered symbol is the same in every copy of the package, so two copies understand each other's errors.
const BRAND = Symbol.for('nest-a2a.error');

/**
 * An error with a meaning in the protocol. Throw a subclass from an executor or a handler to choose the answer.
 *
 * Test with {@link isA2AError} or by `name`: `instanceof` fails across two copies of the package.
 *
 * @publicApi
 */
export abstract class A2AError extends Error {
  readonly [BRAND] = true;
  /** JSON-RPC error code; absent where the JSON-RPC binding answers with the HTTP status. */
  readonly code: number | undefined;
  readonly httpStatus: number;
  /** Canonical status of google.rpc.Status, such as `NOT_FOUND`. */
  readonly status: string;
  /** `reason` of the ErrorInfo detail. */
  readonly reason: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;

  protected constructor(name: ErrorName, message: string, options: A2AErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const kind: ErrorKind = ERROR_KINDS[name];
    this.name = name;
    this.code = kind.code;
    this.httpStatus = kind.httpStatus;
    this.status = kind.status;
    this.reason = kind.reason;
    this.metadata = options.metadata ?? {};
    this.violations = options.violations ?? [];
    this.retryAfter = options.retryAfter;
    this.requestId = options.requestId;
    this.headers = options.headers ?? {};
  }
}

/** Whether `error` is an {@link A2AError}, made by this copy of the package or another one. */
export function isA2AError(error: unknown): error is A2AError {
  if (typeof error !== 'object' || error === null) return false;
  try {
    return (error as Record<symbol, unknown>)[BRAND] === true;
  } catch {
    // A proxy may refuse to be read.
    return false;
  }
}

const OF_CALL = Symbol.for('nest-a2a.error-of-call');

/**
 * Marks an error as that of a call to another agent, whether it came over the wire or was made by the client. Thrown on by
 * an agent, it says nothing about the request that the agent itself was sent.
 */
export function markCallError<T>(error: T): T {
  if (isA2AError(error) && Object.isExtensible(error)) Object.defineProperty(error, OF_CALL, { value: true });
  return error;
}

/** Whether an error is that of a call to another agent. */
export function isCallError(error: unknown): boolean {
  return isA2AError(error) && (error as unknown as Record<symbol, unknown>)[OF_CALL] === true;
}

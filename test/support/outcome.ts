import type { ErrorDetail, FieldViolation } from '../../lib/protocol/index.js';

/** A refusal as both bindings can tell it. */
export interface Failure {
  /** The HTTP status that HTTP+JSON gives such an error. */
  readonly httpStatus: number;
  /** The JSON-RPC code of such an error; absent where JSON-RPC answers with the HTTP status. */
  readonly code: number | undefined;
  readonly status: string;
  readonly message: string;
  /** `reason` of the ErrorInfo detail. */
  readonly reason: string | undefined;
  /** `metadata` of the ErrorInfo detail. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];
  /** `requestId` of the RequestInfo detail. */
  readonly requestId: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What came of a call. */
export type Outcome<T> =
  | { readonly result: T; readonly error?: undefined }
  | { readonly error: Failure; readonly result?: undefined };

/** Reads the details of a google.rpc.Status, however it was carried. */
export function failureDetails(
  details: readonly ErrorDetail[],
): Pick<Failure, 'reason' | 'metadata' | 'violations' | 'requestId' | 'details'> {
  const of = (type: string): Record<string, unknown> | undefined =>
    details.find((detail) => detail['@type'] === `type.googleapis.com/google.rpc.${type}`);
  const info = of('ErrorInfo');
  if (info && info.domain !== 'a2a-protocol.org') throw new Error(`Unknown domain: ${info.domain}`);
  return {
    details,
    reason: info?.reason as string | undefined,
    metadata: (info?.metadata ?? {}) as Record<string, string>,
    violations: (of('BadRequest')?.fieldViolations ?? []) as FieldViolation[],
    requestId: of('RequestInfo')?.requestId as string | undefined,
  };
}

/** A call under way: await it for either outcome, or say which one the test expects. */
export class Call<T> implements PromiseLike<Outcome<T>> {
  constructor(protected readonly outcome: Promise<Outcome<T>>) {
    // A test may only want to have made the call.
    outcome.catch(() => undefined);
  }

  then<A = Outcome<T>, B = never>(
    onFulfilled?: ((outcome: Outcome<T>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.outcome.then(onFulfilled, onRejected);
  }

  /** What the call gave; fails the test if it was refused. */
  async result(): Promise<T> {
    const { result, error } = await this.outcome;
    if (error) throw new Error(`Refused: ${error.httpStatus} ${error.reason ?? ''} ${error.message}`);
    return result;
  }

  /** Why the call was refused; fails the test if it was not. */
  async error(): Promise<Failure> {
    const { result, error } = await this.outcome;
    if (!error) throw new Error(`Not refused: ${JSON.stringify(result)?.slice(0, 1_000)}`);
    return error;
  }
}

import { type OperationName } from '../../lib/protocol/index.js';
import type { EventStream } from './event-stream.js';
import type { HttpClient } from './http-client.js';
import type { Outcome } from './outcome.js';

/** Headers of a call. */
export type Headers = Record<string, string | string[]>;

/** Speaks one binding of the protocol: takes the request message of an operation, gives the outcome in one shape. */
export interface BindingDriver {
  /** Calls an operation that answers once. */
  call(operation: OperationName, request: object, headers: Headers): Promise<Outcome<unknown>>;
  /** Calls an operation that answers with a stream. */
  open(operation: OperationName, request: object, headers: Headers): Promise<Outcome<EventStream>>;
}

/** Makes the driver of a binding for an agent at `base`, such as `/a2a`. */
export type MakeDriver = (http: HttpClient, base: string) => BindingDriver;

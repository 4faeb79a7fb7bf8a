import type { OperationName, StreamResponse } from '../protocol/index.js';
import type { RetryOptions } from './retry-options.js';

/** What one call may set for itself. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the answer, or the head of a stream, must be there. Default: that of the client. */
  readonly timeout?: number;
  /** More headers, beside those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  /** URIs of extensions to ask for, beside those of the client (§3.2.6). */
  readonly extensions?: readonly string[];
  /** How this call is tried again; `false` for not at all. Default: that of the client. */
  readonly retry?: RetryOptions | false;
}

/** How a stream is opened. */
export interface OpenOptions extends CallOptions {
  /** The SSE id to resume behind. */
  readonly lastEventId?: string;
}

/** One event of a stream, checked. */
export interface ReceivedEvent {
  readonly event: StreamResponse;
  /** The SSE id, if the server gave one. */
  readonly id?: string;
}

/**
 * A stream whose head has arrived and was fine. Iterating reads it; it ends when the server closes it, whatever the
 * state of the task, and rejects with what went wrong. Leaving the iteration closes the connection.
 */
export interface EventStream extends AsyncIterable<ReceivedEvent> {
  /** The server's hint how long to wait before connecting again, in milliseconds. */
  readonly retry: number | undefined;
  /** `true` for one answer in the place of a stream: there is no more to come, whatever the state of its task. */
  readonly isWhole?: boolean;
  /** An event that has come already, without waiting; `undefined` if there is none. It throws what iterating rejects with. */
  take?(): ReceivedEvent | undefined;
  /** Closes the connection. */
  close(): void;
}

/** The operations that answer with a stream. */
export type StreamingOperation = 'sendStreamingMessage' | 'subscribeToTask';

/** Carries operations to one interface of one agent. Requests are in JSON form; what comes back is decoded and checked. */
export abstract class ClientBinding {
  abstract call(operation: OperationName, request: object, options: CallOptions): Promise<object>;
  /** Resolves when the head of the answer has arrived and is that of a stream. */
  abstract open(operation: StreamingOperation, request: object, options: OpenOptions): Promise<EventStream>;
}

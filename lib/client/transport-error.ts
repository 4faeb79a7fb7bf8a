import { InternalError } from '../protocol/index.js';

/** What is known of a request that failed below HTTP. */
export interface TransportErrorOptions extends ErrorOptions {
  /** No byte of the request was written, so the agent cannot have acted on it. Default `false`. */
  readonly unsent?: boolean;
  /** The answer did not come in time. Default `false`. */
  readonly timedOut?: boolean;
  /** Node's code of the fault, such as `ECONNREFUSED`. */
  readonly errno?: string;
}

/**
 * The agent could not be reached, the connection broke, or nothing came in time. Made on this side, it never came from an
 * agent. Its message holds neither the user nor the query of a URL, nor any header.
 *
 * @publicApi
 */
export class TransportError extends InternalError {
  override readonly name: string = 'TransportError';
  /** No byte of the request was written: sending it again cannot make the agent act twice. */
  readonly unsent: boolean;
  /** The answer did not come in time. */
  readonly timedOut: boolean;
  /** Node's code of the fault, such as `ECONNREFUSED`. */
  readonly errno: string | undefined;

  constructor(
    message: string,
    { unsent = false, timedOut = false, errno, cause }: TransportErrorOptions = {},
  ) {
    super(message, { cause });
    this.unsent = unsent;
    this.timedOut = timedOut;
    this.errno = errno;
  }
}

/** An answer or an event is larger than `maxResponseSize`; its connection is closed. Made on this side. */
export class ResponseTooLargeError extends InternalError {
  override readonly name: string = 'ResponseTooLargeError';

  constructor(
    what: string,
    /** The limit in bytes. */
    readonly limit: number,
  ) {
    super(`${what} is larger than ${limit} bytes`);
  }
}

/** A stream brought nothing, not even a comment, for `streamIdleTimeout`. Made on this side. */
export class StreamIdleError extends TransportError {
  override readonly name: string = 'StreamIdleError';

  constructor(milliseconds: number) {
    super(`The stream brought nothing for ${milliseconds} ms`, { timedOut: true });
  }
}

/**
 * How calls that change nothing are tried again: after 429, 502, 503, 504, and where the connection failed. Messages are
 * never sent again, unless no byte of the request was written.
 *
 * @publicApi
 */
export interface RetryOptions {
  /** How often a call is tried again. Default 2; 0 for never. */
  readonly attempts?: number;
  /** Milliseconds before the first new attempt, doubled for each further one. Default 200. */
  readonly delay?: number;
  /** Milliseconds that a wait has at most. A server that asks for more with `Retry-After` gets no new attempt. Default 5,000. */
  readonly maxDelay?: number;
}

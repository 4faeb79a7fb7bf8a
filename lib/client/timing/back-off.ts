/** A delay that grows. */
export interface BackOff {
  /** The first delay, in milliseconds. */
  readonly delay: number;
  /** What each further delay is multiplied by. */
  readonly backoff: number;
  /** No delay gets longer, in milliseconds. */
  readonly maxDelay: number;
}

/** The delay before attempt `attempt`, counted from 1. */
export function delayBefore(attempt: number, { delay, backoff, maxDelay }: BackOff): number {
  return Math.min(delay * backoff ** (attempt - 1), maxDelay);
}

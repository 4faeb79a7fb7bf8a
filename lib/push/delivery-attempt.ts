/**
 * One attempt to deliver a notification, for metrics and logs. It holds no secret: neither token nor credentials, and of the
 * URL only its origin, since webhook URLs may have secrets in their path.
 *
 * @publicApi
 */
export interface DeliveryAttempt {
  readonly taskId: string;
  readonly configId: string;
  /** The same for all attempts of one notification. */
  readonly notificationId: string;
  /** Counts from 1. */
  readonly attempt: number;
  /**
   * `delivered`; `retrying` when another attempt follows in `retryIn` milliseconds; `failed` when none does; `aborted` when the
   * webhook was deleted or replaced, or the process ends.
   */
  readonly outcome: 'delivered' | 'retrying' | 'failed' | 'aborted';
  /** Scheme, host and port of the webhook. */
  readonly origin: string;
  /** Status of the answer, if there was one. */
  readonly status?: number;
  /** What went wrong, if there was no answer. */
  readonly error?: string;
  /** Milliseconds that the attempt took. */
  readonly duration: number;
  /** Milliseconds until the next attempt. */
  readonly retryIn?: number;
}

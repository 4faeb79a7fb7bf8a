/** Why a notification was given up. */
export interface FailedDelivery {
  /** The id of the notification, as webhooks get it in `X-A2A-Notification-Id`. */
  readonly id: string;
  /** Scheme, host and port of the webhook. */
  readonly origin: string;
  readonly attempts: number;
  /** Holds no secret. */
  readonly reason: string;
}

/**
 * A notification that was not delivered, whatever was tried. It holds no secret: neither token nor credentials, and of the URL
 * only its origin, since webhook URLs may have secrets in their path.
 *
 * @publicApi
 */
export interface DeadLetter extends FailedDelivery {
  readonly taskId: string;
  readonly configId: string;
  /** How often it was tried in all, over the times that it was sent again. */
  readonly attempts: number;
  /** When it was given up the last time, milliseconds since 1970. */
  readonly failedAt: number;
  /** Whether it is about to be sent again. */
  readonly isResending: boolean;
}

/** A place in a listing: the last dead letter of the page before. */
export type DeadLetterCursor = Pick<DeadLetter, 'failedAt' | 'id'>;

/** Which dead letters to list. */
export interface DeadLetterQuery {
  /** Start behind this one; absent for the first page. */
  readonly after?: DeadLetterCursor;
  readonly limit: number;
}

/** One page of dead letters, the newest first. */
export interface DeadLetterPage {
  readonly letters: readonly DeadLetter[];
  /** Whether there are more. */
  readonly hasMore: boolean;
}

/** Dead letters on a page where nobody says how many. */
export const DEAD_LETTER_PAGE = 50;

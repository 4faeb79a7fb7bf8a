import { InternalError, type FieldViolation } from '../../protocol/index.js';

/** What is known of a card that could not be had. */
export interface AgentCardErrorOptions extends ErrorOptions {
  /** What is wrong with the fields of the card. */
  readonly violations?: readonly FieldViolation[];
  /** The HTTP status of the answer, if there was one. */
  readonly responseStatus?: number;
  /** Seconds after which the server asks to be asked again. */
  readonly retryAfter?: number | undefined;
}

/**
 * The card of an agent could not be had: its address is none, nothing is there, or what is there is no agent card. Made
 * on this side.
 *
 * @publicApi
 */
export class AgentCardError extends InternalError {
  override readonly name: string = 'AgentCardError';
  /** The HTTP status of the answer, if there was one. */
  readonly responseStatus: number | undefined;

  constructor(
    message: string,
    { violations, responseStatus, retryAfter, cause }: AgentCardErrorOptions = {},
  ) {
    super(message, { cause, retryAfter, ...(violations && { violations }) });
    this.responseStatus = responseStatus;
  }
}

/**
 * The policy requires a signature of the card, and none could be verified (§8.4.3). Made on this side.
 *
 * @publicApi
 */
export class CardSignatureError extends AgentCardError {
  override readonly name = 'CardSignatureError';
}

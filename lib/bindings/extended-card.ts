import type { IncomingMessage } from 'node:http';

/** An extended card as it is sent. */
export interface ExtendedCardAnswer {
  readonly json: string;
  /** How long it may be kept, and by whom. */
  readonly headers: Readonly<Record<string, string>>;
  /** Identifies this card of this caller. */
  readonly etag: string;
  /** Whether the caller has it already. */
  readonly isKnown: boolean;
}

/**
 * Makes of the card that a handler gives what is sent: the addresses in it are those of the request.
 *
 * @throws InvalidAgentResponseError if it is no card
 */
export type ExtendedCardWriter = (
  card: unknown,
  request: IncomingMessage,
  tenant: string | undefined,
) => Promise<ExtendedCardAnswer>;

/** The token of the {@link ExtendedCardWriter}. Without one the card is sent as it is. */
export const EXTENDED_CARD_WRITER = Symbol('nest-a2a.extended-card-writer');

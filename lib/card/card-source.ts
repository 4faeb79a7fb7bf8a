import { InternalError, type AgentCard } from '../protocol/index.js';
import type { AgentCardFactory, AgentCardInput } from './agent-card-input.js';
import { deriveCard, type ServedFacts } from './derive-card.js';
import { inputModeMatcher, type InputModeMatcher } from './input-modes.js';

/** A card and what its author said of input modes. */
export interface KnownCard {
  /** The derived card, without interfaces. */
  readonly card: AgentCard;
  readonly accepts: InputModeMatcher;
}

/** Where an agent's card comes from: a constant, or a function that is asked whenever the card is fetched. */
export class CardSource {
  private lastGood: KnownCard | undefined;
  private pending: Promise<KnownCard> | undefined;

  /** @throws InvalidParamsError if a constant card is not valid */
  constructor(
    private readonly given: AgentCardInput | AgentCardFactory,
    private readonly served: ServedFacts,
  ) {
    if (typeof given !== 'function') this.lastGood = this.derive(given);
  }

  /**
   * The card as it is now. A failure of the function is not remembered.
   *
   * @throws InternalError if the function fails, or gives a card that is not valid
   */
  async current(): Promise<AgentCard> {
    const { card } = await (typeof this.given === 'function' ? this.evaluate() : this.known());
    return card;
  }

  /** The card as last seen: what operations go by, so that they do not wait for the function each time. */
  known(): KnownCard | Promise<KnownCard> {
    if (this.lastGood !== undefined) return this.lastGood;
    this.pending ??= this.evaluate().finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  private async evaluate(): Promise<KnownCard> {
    try {
      const card = typeof this.given === 'function' ? await this.given() : this.given;
      return (this.lastGood = this.derive(card));
    } catch (cause) {
      // Nothing that the caller did, also where the card is not valid.
      throw new InternalError(undefined, { cause });
    }
  }

  private derive(input: AgentCardInput): KnownCard {
    return { card: deriveCard(input, this.served), accepts: inputModeMatcher(input) };
  }
}

import {
  ExtendedAgentCardNotConfiguredError,
  InternalError,
  isA2AError,
  type AgentCard,
} from '../protocol/index.js';
import type { CallContext } from '../server/call-context.js';
import type { AgentCardInput } from './agent-card-input.js';
import { deriveCard, type ServedFacts } from './derive-card.js';

/**
 * Makes the extended card of one caller; `undefined` for a caller that has none.
 *
 * @publicApi
 */
export type ExtendedAgentCardFactory = (
  context: CallContext,
) => AgentCardInput | null | undefined | Promise<AgentCardInput | null | undefined>;

/** Where an agent's extended card comes from: a constant, a function of the caller, or nowhere yet. */
export class ExtendedCard {
  readonly #constant: AgentCard | undefined;

  /** @throws InvalidParamsError if a constant card is not valid */
  constructor(
    private readonly given: AgentCardInput | ExtendedAgentCardFactory | null,
    private readonly served: ServedFacts,
  ) {
    if (typeof given === 'object' && given !== null) this.#constant = this.derive(given);
  }

  /**
   * The card for a caller, without interfaces.
   *
   * @throws ExtendedAgentCardNotConfiguredError if there is none
   * @throws InternalError if the function fails, or gives a card that is not valid
   */
  async of(context: CallContext): Promise<AgentCard> {
    if (this.#constant) return this.#constant;
    const card = typeof this.given === 'function' ? await this.made(this.given, context) : undefined;
    if (!card) throw new ExtendedAgentCardNotConfiguredError();
    return card;
  }

  private async made(make: ExtendedAgentCardFactory, context: CallContext): Promise<AgentCard | undefined> {
    let input: AgentCardInput | null | undefined;
    try {
      input = await make(context);
    } catch (cause) {
      // The function may refuse this caller.
      throw isA2AError(cause) ? cause : new InternalError(undefined, { cause });
    }
    try {
      return input ? this.derive(input) : undefined;
    } catch (cause) {
      throw new InternalError(undefined, { cause });
    }
  }

  private derive(input: AgentCardInput): AgentCard {
    return deriveCard(input, this.served, 'extendedCard');
  }
}

import type { ExtendedCardWriter } from '../bindings/extended-card.js';
import { deriveCard, servedCard, type AgentCardInput, type CardDocumentOptions } from '../card/index.js';
import { InvalidAgentResponseError, isA2AError, type AgentCard } from '../protocol/index.js';
import { cardRequest } from './card-request.js';
import type { ModuleAgent } from './module-agent.js';

/** Writes extended cards as the public card is written, whoever made them: an own handler too cannot know addresses. */
export function extendedCardWriter(agent: ModuleAgent, options: CardDocumentOptions): ExtendedCardWriter {
  const headers = { 'Cache-Control': `private, max-age=${options.maxAge}` };
  return async (card, request, tenant) => {
    const served = await servedCard(checked(card, agent), options, cardRequest(request), tenant);
    return { ...served, headers };
  };
}

function checked(card: unknown, { served }: ModuleAgent): AgentCard {
  try {
    return deriveCard(card as AgentCardInput, served, 'extendedCard');
  } catch (cause) {
    if (!isA2AError(cause)) throw cause;
    throw new InvalidAgentResponseError('The agent gave no extended card', { cause });
  }
}

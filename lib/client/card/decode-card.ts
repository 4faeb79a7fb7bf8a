import {
  AgentCardSchema,
  cardFrom03,
  decode,
  deepFreeze,
  InvalidParamsError,
  isCard03,
  type AgentCard,
  type FieldViolation,
} from '../../protocol/index.js';
import { AgentCardError } from './agent-card-error.js';

const NO_INTERFACES: FieldViolation = {
  field: 'supportedInterfaces',
  description: 'is missing, or has no interface',
};

/**
 * Reads what an agent serves as its card, in the layout of 1.0, of 0.3, or in both. What peers leave out takes its default,
 * capabilities that are not declared are `false`, and unknown fields are kept; but a card without a name or without
 * interfaces is none.
 *
 * @param body the parsed JSON
 * @param source what it is, for errors: `What https://… serves`
 * @throws AgentCardError naming every fault
 */
export function decodeCard(body: unknown, source: string): AgentCard {
  const { card, faults } = read(body);
  const missing = card === undefined ? [] : missingFields(card);
  const all = [...missing, ...faults];
  if (card === undefined || all.length > 0) {
    const said = all.map(({ field, description }) => `${field} ${description}`).join('; ');
    const version = isCard03(body) ? ' of protocol 0.3' : '';
    throw new AgentCardError(`${source} is no agent card${version}: ${said}`, { violations: all });
  }
  return deepFreeze(withCapabilities(card));
}

function read(body: unknown): { card?: AgentCard; faults: readonly FieldViolation[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const found = Array.isArray(body) ? 'a list' : body === null ? 'null' : `a ${typeof body}`;
    return { faults: [{ field: 'card', description: `must be an object, not ${found}` }] };
  }
  const laidOut = cardFrom03(body as Record<string, unknown>);
  try {
    // Also a null counts as absent.
    const given = { ...laidOut, capabilities: laidOut.capabilities ?? {} };
    return { card: decode(AgentCardSchema, given, { lenient: true, keepUnknown: true }), faults: [] };
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error;
    const list = laidOut.supportedInterfaces;
    // What a peer may leave out elsewhere is no fault to the decoder.
    return {
      faults: [...error.violations, ...(Array.isArray(list) && list.length === 0 ? [NO_INTERFACES] : [])],
    };
  }
}

function missingFields({ supportedInterfaces }: AgentCard): FieldViolation[] {
  return [
    ...(supportedInterfaces.length === 0 ? [NO_INTERFACES] : []),
    ...supportedInterfaces.flatMap(({ url }, index) =>
      url === '' ? [{ field: `supportedInterfaces[${index}].url`, description: 'is missing' }] : [],
    ),
  ];
}

function withCapabilities(card: AgentCard): AgentCard {
  const { streaming = false, pushNotifications = false, extendedAgentCard = false } = card.capabilities;
  return {
    ...card,
    capabilities: { ...card.capabilities, streaming, pushNotifications, extendedAgentCard },
  };
}

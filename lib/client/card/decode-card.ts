import {
  AgentCardSchema,
  decode,
  deepFreeze,
  InvalidParamsError,
  type AgentCard,
  type FieldViolation,
} from '../../protocol/index.js';
import { NoCompatibleInterfaceError } from '../choose-interface.js';
import { AgentCardError } from './agent-card-error.js';

const NO_INTERFACES: FieldViolation = {
  field: 'supportedInterfaces',
  description: 'is missing, or has no interface',
};

/**
 * Reads what an agent serves as its card. What peers leave out takes its default, capabilities that are not declared are
 * `false`, and unknown fields are kept; but a card without a name or without interfaces is none.
 *
 * @param body the parsed JSON
 * @param source what it is, for errors: `What https://… serves`
 * @throws AgentCardError naming every fault
 * @throws NoCompatibleInterfaceError for a card of protocol 0.3
 */
export function decodeCard(body: unknown, source: string): AgentCard {
  const old = olderVersion(body);
  if (old !== undefined) {
    throw new NoCompatibleInterfaceError(
      `${source} is an agent card of protocol ${old}, which is not spoken here`,
    );
  }
  const { card, faults } = read(body);
  const missing = card === undefined ? [] : missingFields(card);
  const all = [...missing, ...faults];
  if (card === undefined || all.length > 0) {
    const said = all.map(({ field, description }) => `${field} ${description}`).join('; ');
    throw new AgentCardError(`${source} is no agent card: ${said}`, { violations: all });
  }
  return deepFreeze(withCapabilities(card));
}

/** The version of a card that has the one URL of 0.3 and no list of interfaces (§5.6 there). */
function olderVersion(body: unknown): string | undefined {
  const { url, protocolVersion, supportedInterfaces } = (body ?? {}) as Record<string, unknown>;
  if (typeof url !== 'string' || (supportedInterfaces ?? undefined) !== undefined) return undefined;
  return typeof protocolVersion === 'string' ? protocolVersion.slice(0, 10) : '0.3';
}

function read(body: unknown): { card?: AgentCard; faults: readonly FieldViolation[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const found = Array.isArray(body) ? 'a list' : body === null ? 'null' : `a ${typeof body}`;
    return { faults: [{ field: 'card', description: `must be an object, not ${found}` }] };
  }
  try {
    // Also a null counts as absent.
    const given = { ...body, capabilities: (body as { capabilities?: unknown }).capabilities ?? {} };
    return { card: decode(AgentCardSchema, given, { lenient: true, keepUnknown: true }), faults: [] };
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error;
    const { supportedInterfaces, supported_interfaces: snake } = body as Record<string, unknown>;
    const list = supportedInterfaces ?? snake ?? [];
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

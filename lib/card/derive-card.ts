import {
  AgentCardSchema,
  decode,
  InvalidParamsError,
  type AgentCard,
  type AgentInterface,
  type FieldViolation,
} from '../protocol/index.js';
import type { ServedCapabilities } from '../server/operations.js';
import type { AgentCardInput } from './agent-card-input.js';

/** The modes of a card whose author leaves them out. */
export const DEFAULT_MODES: readonly string[] = ['text/plain'];
/**
 * The card that an author's input gives: checked, in v1.0 names only, required arrays filled in, and with the
 * capabilities that are really served. Its interfaces are those of {@link withInterfaces}.
 *
 * @throws InvalidParamsError with every fault, paths starting with `card`
 */
export function deriveCard(input: AgentCardInput, capabilities: ServedCapabilities): AgentCard {
  const card = decode(AgentCardSchema, isObject(input) ? withDerived(input, capabilities) : input, {
    from: 'agent',
    path: 'card',
  });
  const faults = requirementFaults(input);
  if (faults.length > 0) throw new InvalidParamsError(faults);
  return card;
}

/** The card with the addresses it is served at, in the order of preference. */
export function withInterfaces(card: AgentCard, supportedInterfaces: AgentInterface[]): AgentCard {
  return { ...card, supportedInterfaces };
}

function withDerived(given: AgentCardInput, capabilities: ServedCapabilities): object {
  const { extensions } = given.capabilities ?? {};
  return {
    ...given,
    supportedInterfaces: [],
    capabilities: { ...capabilities, ...(extensions && { extensions }) },
    defaultInputModes: modes(given.defaultInputModes),
    defaultOutputModes: modes(given.defaultOutputModes),
  };
}

function modes(given: readonly string[] | null | undefined): readonly string[] {
  const modes = given ?? [];
  return modes.length === 0 ? DEFAULT_MODES : modes;
}

// Dropping the fields of another layout would leave a requirement that asks for nothing.
function requirementFaults({ securityRequirements, skills }: AgentCardInput): FieldViolation[] {
  const lists = [
    { path: 'card.securityRequirements', list: securityRequirements ?? [] },
    ...(skills ?? []).map((skill, index) => ({
      path: `card.skills[${index}].securityRequirements`,
      list: skill.securityRequirements ?? [],
    })),
  ];
  return lists.flatMap(({ path, list }) =>
    list.flatMap((requirement, index) =>
      Object.hasOwn(requirement, 'schemes')
        ? []
        : [{ field: `${path}[${index}]`, description: 'must have "schemes"' }],
    ),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

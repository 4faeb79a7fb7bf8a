import {
  AgentCardSchema,
  decode,
  InvalidParamsError,
  type AgentCard,
  type AgentExtension,
  type AgentInterface,
  type FieldViolation,
} from '../protocol/index.js';
import type { ServedCapabilities } from '../server/operations.js';
import type { AgentCardInput } from './agent-card-input.js';

/** The modes of a card whose author leaves them out. */
export const DEFAULT_MODES: readonly string[] = ['text/plain'];

/** How callers have to authenticate, for a card whose author says nothing of it. */
export type CardSecurity = Pick<AgentCard, 'securitySchemes' | 'securityRequirements'>;

/** What of a card the server knows better than its author. */
export interface ServedFacts {
  readonly capabilities: ServedCapabilities;
  readonly security?: CardSecurity | undefined;
  /** Extensions of the protocol that are served, whatever the author says. */
  readonly extensions?: readonly AgentExtension[] | undefined;
}

/**
 * The card that an author's input gives: checked, in v1.0 names only, required arrays filled in, with the
 * capabilities that are really served and, unless the author says something of either field, the security that is.
 * Its interfaces are those of {@link withInterfaces}.
 *
 * @throws InvalidParamsError with every fault, paths starting with `path`
 */
export function deriveCard(input: AgentCardInput, served: ServedFacts, path = 'card'): AgentCard {
  const card = decode(AgentCardSchema, isObject(input) ? withDerived(input, served) : input, {
    from: 'agent',
    path,
  });
  const faults = requirementFaults(input, path);
  if (faults.length > 0) throw new InvalidParamsError(faults);
  return card;
}

/** The card with the addresses it is served at, in the order of preference. */
export function withInterfaces(card: AgentCard, supportedInterfaces: AgentInterface[]): AgentCard {
  return { ...card, supportedInterfaces };
}

function withDerived(given: AgentCardInput, served: ServedFacts): object {
  const { capabilities, security } = served;
  const extensions = withServed(given.capabilities?.extensions, served.extensions);
  const isByHand = (given.securitySchemes ?? given.securityRequirements ?? undefined) !== undefined;
  return {
    ...given,
    ...(!isByHand && security),
    supportedInterfaces: [],
    capabilities: { ...capabilities, ...(extensions && { extensions }) },
    defaultInputModes: modes(given.defaultInputModes),
    defaultOutputModes: modes(given.defaultOutputModes),
  };
}

/** The author's extensions, and those that are served and the author does not describe. */
function withServed(
  given: AgentExtension[] | null | undefined,
  served: readonly AgentExtension[] = [],
): readonly AgentExtension[] | null | undefined {
  if (served.length === 0 || (given && !Array.isArray(given))) return given;
  const known = new Set(given?.map((extension) => (extension as AgentExtension | null)?.uri));
  return [...(given ?? []), ...served.filter(({ uri }) => !known.has(uri))];
}

function modes(given: readonly string[] | null | undefined): readonly string[] {
  const modes = given ?? [];
  return modes.length === 0 ? DEFAULT_MODES : modes;
}

// Dropping the fields of another layout would leave a requirement that asks for nothing.
function requirementFaults({ securityRequirements, skills }: AgentCardInput, card: string): FieldViolation[] {
  const lists = [
    { path: `${card}.securityRequirements`, list: securityRequirements ?? [] },
    ...(skills ?? []).map((skill, index) => ({
      path: `${card}.skills[${index}].securityRequirements`,
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

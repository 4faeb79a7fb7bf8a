import { InternalError, type AgentCard, type AgentInterface } from '../protocol/index.js';

/** A binding that this client speaks, by its name in cards (§5). */
export type ClientBindingName = 'HTTP+JSON' | 'JSONRPC';
/** A protocol version that this client speaks. */
export type ClientProtocolVersion = '1.0';

const BINDINGS: readonly ClientBindingName[] = ['HTTP+JSON', 'JSONRPC'];
const VERSIONS: readonly ClientProtocolVersion[] = ['1.0'];

/** Which interfaces of a card come into question. */
export interface InterfaceFilter {
  /** Only these bindings; the order of the card still decides. Default: all that the client speaks. */
  readonly bindings?: readonly ClientBindingName[];
  /** Only this protocol version. Default: all that the client speaks. */
  readonly protocolVersion?: ClientProtocolVersion;
}

/** An interface of a card that this client can use. */
export interface ChosenInterface {
  /** As the card has it. */
  readonly agentInterface: AgentInterface;
  readonly binding: ClientBindingName;
  readonly version: ClientProtocolVersion;
}

/** A card lists no interface that this client speaks, or none that its options let through. Made on this side. */
export class NoCompatibleInterfaceError extends InternalError {
  override readonly name: string = 'NoCompatibleInterfaceError';
}

/**
 * The first interface of a card that this client can use: the order is the agent's preference (§8.3.2). Bindings and
 * versions that it does not know are skipped.
 *
 * @throws NoCompatibleInterfaceError
 */
export function chooseInterface(
  card: Pick<AgentCard, 'supportedInterfaces'>,
  filter: InterfaceFilter = {},
): ChosenInterface {
  const { bindings = BINDINGS, protocolVersion } = filter;
  const versions = protocolVersion === undefined ? VERSIONS : [protocolVersion];
  for (const agentInterface of card.supportedInterfaces) {
    const binding = clientBindingName(agentInterface.protocolBinding);
    const version = clientProtocolVersion(agentInterface.protocolVersion);
    if (binding === undefined || version === undefined) continue;
    if (!bindings.includes(binding)) continue;
    if (!versions.includes(version)) continue;
    return { agentInterface, binding, version };
  }
  throw new NoCompatibleInterfaceError(describeMismatch(card.supportedInterfaces, bindings, protocolVersion));
}

/** The binding that a card means, whatever the case of its letters; `undefined` for one that this client does not speak. */
export function clientBindingName(protocolBinding: string | undefined): ClientBindingName | undefined {
  const wanted = protocolBinding?.trim().toUpperCase();
  return BINDINGS.find((name) => name === wanted);
}

/** The version that is spoken with an interface of this version: minor versions stay compatible (§3.6). */
export function clientProtocolVersion(
  protocolVersion: string | undefined,
): ClientProtocolVersion | undefined {
  // An interface that says no version stands in the list that came with 1.0.
  return protocolVersion === undefined || /^1(?:\.\d+)*$/.test(protocolVersion.trim()) ? '1.0' : undefined;
}

function describeMismatch(
  offered: readonly AgentInterface[],
  bindings: readonly string[],
  version = '1.x',
): string {
  const wanted = `${bindings.join(' or ')} ${version}`;
  if (offered.length === 0) return `The agent card lists no interface; needed is ${wanted}`;
  const list = offered
    .slice(0, 20)
    .map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`);
  return `The agent card lists no interface that this client can use: it has ${list.join(', ')}; needed is ${wanted}`;
}

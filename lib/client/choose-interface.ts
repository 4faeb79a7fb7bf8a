import { InternalError, type AgentCard, type AgentInterface } from '../protocol/index.js';

/** A binding that this client speaks, by its name in cards (§5). */
export type ClientBindingName = 'HTTP+JSON' | 'JSONRPC';
/** A protocol version that this client speaks. */
export type ClientProtocolVersion = '1.0' | '0.3';

export const CLIENT_BINDINGS: readonly ClientBindingName[] = ['HTTP+JSON', 'JSONRPC'];
/** The one that is preferred first. */
export const CLIENT_VERSIONS: readonly ClientProtocolVersion[] = ['1.0', '0.3'];

/** Which interfaces of a card come into question. */
export interface InterfaceFilter {
  /** Only these bindings; the order of the card still decides. Default: all that the client speaks. */
  readonly bindings?: readonly ClientBindingName[];
  /** Only this protocol version. Default: 1.0, and 0.3 where the card has no interface of 1.0 that could be used. */
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
 * versions that it does not know are skipped, and those of protocol 0.3 count only where there is none of 1.0.
 *
 * @throws NoCompatibleInterfaceError
 */
export function chooseInterface(
  card: Pick<AgentCard, 'supportedInterfaces'>,
  filter: InterfaceFilter = {},
): ChosenInterface {
  const { bindings = CLIENT_BINDINGS, protocolVersion } = filter;
  const versions = protocolVersion === undefined ? CLIENT_VERSIONS : [protocolVersion];
  const usable = card.supportedInterfaces.flatMap((agentInterface): ChosenInterface[] => {
    const binding = clientBindingName(agentInterface.protocolBinding);
    const version = clientProtocolVersion(agentInterface.protocolVersion);
    if (binding === undefined || version === undefined || !bindings.includes(binding)) return [];
    return [{ agentInterface, binding, version }];
  });
  for (const wanted of versions) {
    const spoken = usable.filter(({ version }) => version === wanted);
    // Of its HTTP+JSON 0.3 says less than its agents could agree on, so JSON-RPC comes first there, wherever it stands.
    const sure = wanted === '0.3' ? spoken.find(({ binding }) => binding === 'JSONRPC') : undefined;
    const first = sure ?? spoken[0];
    if (first !== undefined) return first;
  }
  throw new NoCompatibleInterfaceError(describeMismatch(card.supportedInterfaces, bindings, versions));
}

/** The binding that a card means, whatever the case of its letters; `undefined` for one that this client does not speak. */
export function clientBindingName(protocolBinding: string | undefined): ClientBindingName | undefined {
  const wanted = protocolBinding?.trim().toUpperCase();
  return CLIENT_BINDINGS.find((name) => name === wanted);
}

/** The version that is spoken with an interface of this version: minor versions of 1 stay compatible (§3.6). */
export function clientProtocolVersion(
  protocolVersion: string | undefined,
): ClientProtocolVersion | undefined {
  // An interface that says no version stands in the list that came with 1.0.
  const version = protocolVersion?.trim() ?? '1.0';
  if (/^1(?:\.\d+)*$/.test(version)) return '1.0';
  return /^0\.3(?:\.\d+)*$/.test(version) ? '0.3' : undefined;
}

function describeMismatch(
  offered: readonly AgentInterface[],
  bindings: readonly string[],
  versions: readonly ClientProtocolVersion[],
): string {
  const wanted = `${bindings.join(' or ')} ${versions.map((version) => (version === '1.0' ? '1.x' : version)).join(' or ')}`;
  if (offered.length === 0) return `The agent card lists no interface; needed is ${wanted}`;
  const list = offered
    .slice(0, 20)
    .map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`);
  return `The agent card lists no interface that this client can use: it has ${list.join(', ')}; needed is ${wanted}`;
}

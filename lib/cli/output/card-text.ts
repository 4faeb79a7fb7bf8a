import type { AgentCard } from '../../protocol/index.js';

/** What a card says, for people. */
export function cardText(card: AgentCard): string {
  const { provider, capabilities, defaultInputModes, defaultOutputModes } = card;
  const interfaces = card.supportedInterfaces.map(
    ({ protocolBinding, protocolVersion, url, tenant }) =>
      `  ${protocolBinding} ${protocolVersion}  ${url}${tenant ? `  tenant ${tenant}` : ''}`,
  );
  const can = [
    ...(capabilities.streaming ? ['streaming'] : []),
    ...(capabilities.pushNotifications ? ['push notifications'] : []),
    ...(capabilities.extendedAgentCard ? ['an extended card'] : []),
    ...(capabilities.extensions ?? []).map(({ uri, required }) => `${uri}${required ? ' (required)' : ''}`),
  ];
  const schemes = Object.keys(card.securitySchemes ?? {});
  const skills = card.skills.flatMap(({ id, name, description, examples = [] }) => [
    `  ${id}: ${name}. ${description}`,
    ...examples.map((example) => `    “${example}”`),
  ]);
  return [
    `${card.name} ${card.version}${provider ? ` by ${provider.organization}` : ''}`,
    card.description,
    '',
    'Interfaces:',
    ...interfaces,
    `Can do: ${list(can)}`,
    `Takes: ${list(defaultInputModes)}`,
    `Gives: ${list(defaultOutputModes)}`,
    `Wants to know callers by: ${list(schemes)}`,
    ...(skills.length > 0 ? ['Skills:', ...skills] : []),
  ].join('\n');
}

function list(items: readonly string[]): string {
  return items.length > 0 ? items.join(', ') : 'nothing';
}

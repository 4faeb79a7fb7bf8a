import { isFields } from '../codec/decode-message.js';
import type { AgentCard, AgentInterface, AgentSkill, SecurityScheme } from '../types/index.js';
import {
  protoSchemesTo03,
  requirementsFrom03,
  requirementsTo03,
  schemesFrom03,
  schemesTo03,
} from './card-security.js';
import type { AgentCard03, AgentSkill03, SecurityScheme03 } from './card-types.js';

type Fields = Readonly<Record<string, unknown>>;

/** What only cards in the layout of 0.3 have. */
const OLD_FIELDS = ['url', 'preferredTransport', 'additionalInterfaces', 'supportsAuthenticatedExtendedCard'];

/** Whether a parsed body is an agent card in the layout of 0.3, without the list of interfaces of 1.0. */
export function isCard03(body: unknown): boolean {
  if (!isFields(body)) return false;
  const { supported_interfaces: snake, supportedInterfaces = snake, protocolVersion } = body;
  if (Array.isArray(supportedInterfaces) && supportedInterfaces.length > 0) return false;
  const isOldVersion = typeof protocolVersion === 'string' && protocolVersion.startsWith('0.');
  return isOldVersion || OLD_FIELDS.some((name) => (body[name] ?? undefined) !== undefined);
}

/**
 * An agent card as 1.0 lays it out, from one in the layout of 0.3 or with both layouts in it (where both say the same
 * thing, 1.0 counts). It is not checked: what is wrong in it is left there for the decoder of the 1.0 card.
 *
 * @param body the parsed JSON
 */
export function cardFrom03(body: Fields): Fields {
  const {
    url,
    preferredTransport,
    additionalInterfaces,
    protocolVersion,
    supportsAuthenticatedExtendedCard,
    security,
    supported_interfaces: snake,
    supportedInterfaces = snake,
    capabilities,
    securitySchemes,
    securityRequirements: requirements,
    skills,
    ...rest
  } = body;
  const securityRequirements = requirements ?? requirementsFrom03(security);
  const old = interfacesFrom03({ url, preferredTransport, additionalInterfaces, protocolVersion });
  return {
    ...rest,
    supportedInterfaces: withOld(supportedInterfaces, old),
    capabilities: capabilitiesFrom03(capabilities, supportsAuthenticatedExtendedCard),
    skills: Array.isArray(skills) ? skills.map(skillFrom03) : skills,
    ...(securitySchemes !== undefined && { securitySchemes: schemesFrom03(securitySchemes) }),
    ...(securityRequirements !== undefined && { securityRequirements }),
  };
}

/** The main address first, then the others in their order. */
function interfacesFrom03(card: Fields): unknown[] {
  const { additionalInterfaces } = card;
  const url = orAbsent(card.url);
  const preferredTransport = orAbsent(card.preferredTransport) ?? 'JSONRPC';
  const version = majorMinor(orAbsent(card.protocolVersion) ?? '0.3');
  const others: unknown[] = Array.isArray(additionalInterfaces) ? additionalInterfaces : [];
  return [
    ...(url === undefined ? [] : [{ url, protocolBinding: preferredTransport, protocolVersion: version }]),
    ...others.map((other) => {
      if (!isFields(other)) return other;
      const { transport, ...rest } = other;
      return { ...rest, protocolBinding: transport, protocolVersion: version };
    }),
  ];
}

/** To a proto and to a Python agent, `""` and `null` are what is not there. */
function orAbsent(value: unknown): unknown {
  return value === '' ? undefined : (value ?? undefined);
}

function withOld(listed: unknown, old: readonly unknown[]): unknown {
  if ((listed ?? undefined) !== undefined && !Array.isArray(listed)) return listed;
  const all: unknown[] = [...((listed as unknown[] | undefined | null) ?? []), ...old];
  const seen = new Set<string>();
  return all.filter((item) => {
    const key = interfaceKey(item);
    return key === undefined || (!seen.has(key) && seen.add(key));
  });
}

/** The same for interfaces that are called in the same way. */
function interfaceKey(item: unknown): string | undefined {
  if (!isFields(item)) return undefined;
  const { url, protocolBinding, protocolVersion, tenant } = item;
  return JSON.stringify([url, protocolBinding, majorMinor(protocolVersion), tenant]);
}

function majorMinor(version: unknown): unknown {
  return typeof version === 'string' ? version.trim().replace(/^(\d+\.\d+)\..*$/, '$1') : version;
}

function capabilitiesFrom03(capabilities: unknown, extendedAgentCard: unknown): unknown {
  const given = capabilities ?? {};
  if (extendedAgentCard === undefined || !isFields(given)) return capabilities;
  return { ...given, extendedAgentCard: given.extendedAgentCard ?? extendedAgentCard };
}

function skillFrom03(skill: unknown): unknown {
  if (!isFields(skill) || skill.security === undefined) return skill;
  const { security, securityRequirements, ...rest } = skill;
  return { ...rest, securityRequirements: securityRequirements ?? requirementsFrom03(security) };
}

/**
 * An agent card as 0.3 lays it out. Of the interfaces those of 0.3 are in it; tenants, device code flows and
 * `pkceRequired` are not, since 0.3 has no such thing.
 *
 * @throws RangeError if the card has no interface of 0.3
 */
export function cardTo03(card: AgentCard): AgentCard03 {
  const { securitySchemes, securityRequirements, skills, ...rest } = card;
  return {
    ...withoutSecurity(rest),
    skills: skills.map(skillTo03),
    ...(securitySchemes !== undefined && { securitySchemes: schemesTo03(securitySchemes) }),
    ...(securityRequirements !== undefined && { security: requirementsTo03(securityRequirements) }),
  };
}

/**
 * The same as the HTTP+JSON binding of 0.3 answers with it: its proto as JSON, where security has the form of 1.0.
 *
 * @throws RangeError if the card has no interface of 0.3
 */
export function protoCardTo03(card: AgentCard): object {
  const { securitySchemes, securityRequirements: security, skills, ...rest } = card;
  return {
    ...withoutSecurity(rest),
    skills: skills.map(({ securityRequirements, ...skill }) => ({
      ...skill,
      ...(securityRequirements !== undefined && { security: securityRequirements }),
    })),
    ...(securitySchemes !== undefined && { securitySchemes: protoSchemesTo03(securitySchemes) }),
    ...(security !== undefined && { security }),
  };
}

function withoutSecurity(card: Omit<AgentCard, 'skills' | 'securitySchemes' | 'securityRequirements'>) {
  const { supportedInterfaces, capabilities, ...rest } = card;
  const { extendedAgentCard, ...others } = capabilities;
  return {
    ...rest,
    ...interfacesTo03(supportedInterfaces),
    capabilities: others,
    ...(extendedAgentCard !== undefined && { supportsAuthenticatedExtendedCard: extendedAgentCard }),
  };
}

/**
 * An agent card that clients of 1.0 and of 0.3 read: both layouts in one. It lists all interfaces as 1.0 does, and those of
 * 0.3 a second time as 0.3 does. Sign what this gives, and not what it is made of.
 *
 * @throws RangeError if the card has no interface of 0.3
 */
export function cardOfBoth(card: AgentCard): AgentCard & Omit<AgentCard03, keyof AgentCard> {
  const { securitySchemes: oldSchemes = {}, skills: oldSkills, ...old } = cardTo03(card);
  const { securitySchemes: schemes } = card;
  return {
    ...old,
    ...card,
    skills: card.skills.map((skill, index) => ({ ...oldSkills[index], ...skill })),
    ...(schemes !== undefined && { securitySchemes: schemesOfBoth(schemes, oldSchemes) }),
  };
}

function schemesOfBoth(
  schemes: Record<string, SecurityScheme>,
  old: Record<string, SecurityScheme03>,
): Record<string, SecurityScheme> {
  return Object.fromEntries(
    Object.entries(schemes).map(([name, scheme]) => [
      name,
      { ...(Object.hasOwn(old, name) ? old[name] : {}), ...scheme },
    ]),
  );
}

type Addresses = Pick<AgentCard03, 'url' | 'preferredTransport' | 'additionalInterfaces' | 'protocolVersion'>;

function interfacesTo03(interfaces: readonly AgentInterface[]): Addresses {
  const old = interfaces.filter(({ protocolVersion }) => /^0\.3(?:\.|$)/.test(protocolVersion));
  const [main] = old;
  if (main === undefined) throw new RangeError('The card has no interface of protocol 0.3');
  const all = old.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding }));
  return {
    protocolVersion: '0.3.0',
    url: main.url,
    preferredTransport: main.protocolBinding,
    ...(all.length > 1 && { additionalInterfaces: all }),
  };
}

function skillTo03({ securityRequirements, ...rest }: AgentSkill): AgentSkill03 {
  return {
    ...rest,
    ...(securityRequirements !== undefined && { security: requirementsTo03(securityRequirements) }),
  };
}

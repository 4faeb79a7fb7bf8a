import type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
} from '../../types/index.js';
import { bool, defaulted, essential, list, map, message, required, string, struct, text } from '../fields.js';
import { defineSchema } from '../schema.js';
import { SecurityRequirementSchema, SecuritySchemeSchema } from './security.schema.js';

export const AgentInterfaceSchema = defineSchema<AgentInterface>('AgentInterface', {
  url: essential(string()),
  protocolBinding: required(string()),
  tenant: string(),
  protocolVersion: required(string()),
});

export const AgentProviderSchema = defineSchema<AgentProvider>('AgentProvider', {
  organization: required(text()),
  url: required(text()),
});

export const AgentExtensionSchema = defineSchema<AgentExtension>('AgentExtension', {
  uri: required(string()),
  description: string(),
  required: bool(),
  params: struct(),
});

export const AgentCapabilitiesSchema = defineSchema<AgentCapabilities>('AgentCapabilities', {
  streaming: bool(),
  pushNotifications: bool(),
  extensions: list(message(AgentExtensionSchema)),
  extendedAgentCard: bool(),
});

export const AgentSkillSchema = defineSchema<AgentSkill>('AgentSkill', {
  id: required(string()),
  name: required(string()),
  description: required(text()),
  tags: defaulted(list(text())),
  examples: list(text()),
  inputModes: list(text()),
  outputModes: list(text()),
  securityRequirements: list(message(SecurityRequirementSchema)),
});

export const AgentCardSignatureSchema = defineSchema<AgentCardSignature>('AgentCardSignature', {
  protected: required(string()),
  signature: required(string()),
  header: struct(),
});

/** Required lists of a card may be empty, and are written when they are (§8.4.1). */
export const AgentCardSchema = defineSchema<AgentCard>('AgentCard', {
  name: essential(string()),
  description: required(text()),
  supportedInterfaces: defaulted(list(message(AgentInterfaceSchema))),
  provider: message(AgentProviderSchema),
  version: required(text()),
  documentationUrl: string(),
  // Absent at other agents, it is the same as an empty one: nothing is supported.
  capabilities: required({ ...message(AgentCapabilitiesSchema), zero: () => ({}) }),
  securitySchemes: map(message(SecuritySchemeSchema)),
  securityRequirements: list(message(SecurityRequirementSchema)),
  defaultInputModes: defaulted(list(text())),
  defaultOutputModes: defaulted(list(text())),
  skills: defaulted(list(message(AgentSkillSchema))),
  signatures: list(message(AgentCardSignatureSchema)),
  iconUrl: string(),
});

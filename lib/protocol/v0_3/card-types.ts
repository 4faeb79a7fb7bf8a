import type { AgentCard, AgentCapabilities, AgentSkill, JsonObject } from '../types/index.js';

/** A security requirement of OpenAPI: every scheme in it is needed, with these scopes. */
export type SecurityRequirement03 = Record<string, string[]>;

/** A security scheme of OpenAPI: `type` says which of the fields are there (§5.5.3). */
export type SecurityScheme03 =
  | { type: 'apiKey'; in: string; name: string; description?: string }
  | { type: 'http'; scheme: string; bearerFormat?: string; description?: string }
  | { type: 'oauth2'; flows: JsonObject; oauth2MetadataUrl?: string; description?: string }
  | { type: 'openIdConnect'; openIdConnectUrl: string; description?: string }
  | { type: 'mutualTLS'; description?: string };

/** One address of an agent and the transport spoken there (§5.5.5). */
export interface AgentInterface03 {
  url: string;
  transport: string;
}

export interface AgentSkill03 extends Omit<AgentSkill, 'securityRequirements'> {
  security?: SecurityRequirement03[];
}

/** An agent card in the layout of protocol 0.3 (§5.5 there). */
export interface AgentCard03 extends Omit<
  AgentCard,
  'supportedInterfaces' | 'capabilities' | 'skills' | 'securitySchemes' | 'securityRequirements'
> {
  protocolVersion: string;
  /** The main address; `preferredTransport` is spoken there. */
  url: string;
  preferredTransport?: string;
  /** All addresses, the main one among them. */
  additionalInterfaces?: AgentInterface03[];
  capabilities: Omit<AgentCapabilities, 'extendedAgentCard'>;
  supportsAuthenticatedExtendedCard?: boolean;
  skills: AgentSkill03[];
  securitySchemes?: Record<string, SecurityScheme03>;
  security?: SecurityRequirement03[];
}

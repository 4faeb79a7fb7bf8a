import type { AgentCard, AgentCapabilities, AgentSkill, JsonObject } from '../types/index.js';

/** A security requirement of OpenAPI: every scheme in it is needed, with these scopes. */
export type V03SecurityRequirement = Record<string, string[]>;

/** A security scheme of OpenAPI: `type` says which of the fields are there (§5.5.3). */
export type V03SecurityScheme =
  | { type: 'apiKey'; in: string; name: string; description?: string }
  | { type: 'http'; scheme: string; bearerFormat?: string; description?: string }
  | { type: 'oauth2'; flows: JsonObject; oauth2MetadataUrl?: string; description?: string }
  | { type: 'openIdConnect'; openIdConnectUrl: string; description?: string }
  | { type: 'mutualTLS'; description?: string };

/** One address of an agent and the transport spoken there (§5.5.5). */
export interface V03AgentInterface {
  url: string;
  transport: string;
}

export interface V03AgentSkill extends Omit<AgentSkill, 'securityRequirements'> {
  security?: V03SecurityRequirement[];
}

/** An agent card in the layout of protocol 0.3 (§5.5 there). */
export interface V03AgentCard extends Omit<
  AgentCard,
  'supportedInterfaces' | 'capabilities' | 'skills' | 'securitySchemes' | 'securityRequirements'
> {
  protocolVersion: string;
  /** The main address; `preferredTransport` is spoken there. */
  url: string;
  preferredTransport?: string;
  /** All addresses, the main one among them. */
  additionalInterfaces?: V03AgentInterface[];
  capabilities: Omit<AgentCapabilities, 'extendedAgentCard'>;
  supportsAuthenticatedExtendedCard?: boolean;
  skills: V03AgentSkill[];
  securitySchemes?: Record<string, V03SecurityScheme>;
  security?: V03SecurityRequirement[];
}

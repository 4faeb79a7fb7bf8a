import type { JsonObject } from './json.js';
import type { SecurityRequirement, SecurityScheme } from './security.js';

/** One address of an agent and the binding spoken there (§4.4.6). */
export interface AgentInterface {
  url: string;
  /** `JSONRPC`, `HTTP+JSON`, `GRPC` or the URI of another binding. */
  protocolBinding: string;
  tenant?: string;
  /** `Major.Minor`, such as `1.0`. */
  protocolVersion: string;
}

/** Who runs an agent (§4.4.2). */
export interface AgentProvider {
  organization: string;
  url: string;
}

/** An extension that an agent declares (§4.4.4). */
export interface AgentExtension {
  uri: string;
  description?: string;
  /** `true` refuses callers that do not activate the extension. */
  required?: boolean;
  params?: JsonObject;
}

/** What an agent can do beyond the plain operations (§4.4.3). */
export interface AgentCapabilities {
  streaming?: boolean;
  pushNotifications?: boolean;
  extensions?: AgentExtension[];
  extendedAgentCard?: boolean;
}

/** One thing that an agent is good at (§4.4.5). */
export interface AgentSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples?: string[];
  inputModes?: string[];
  outputModes?: string[];
  /** Empty or absent: those of the card. */
  securityRequirements?: SecurityRequirement[];
}

/** A JSON Web Signature over the card (§8.4.2). */
export interface AgentCardSignature {
  protected: string;
  signature: string;
  header?: JsonObject;
}

/** How an agent describes itself (§4.4.1). */
export interface AgentCard {
  name: string;
  description: string;
  supportedInterfaces: AgentInterface[];
  provider?: AgentProvider;
  version: string;
  documentationUrl?: string;
  capabilities: AgentCapabilities;
  securitySchemes?: Record<string, SecurityScheme>;
  securityRequirements?: SecurityRequirement[];
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: AgentSkill[];
  signatures?: AgentCardSignature[];
  iconUrl?: string;
}

import type { AgentExtension } from '../protocol/index.js';
import type { A2ARequestHandler } from './a2a-request-handler.js';
import type { CallContext } from './call-context.js';
import type { ServedCapabilities } from './operations.js';

/** One agent as the bindings serve it: its handler and what is checked before the handler is asked. */
export abstract class ServedAgent {
  abstract readonly name: string;
  abstract readonly handler: A2ARequestHandler;
  abstract readonly capabilities: ServedCapabilities;
  /** Protocol versions that the bindings serve, `Major.Minor`, newest first. */
  abstract readonly versions: readonly string[];
  /** Whether `BASE/{tenant}/…` is served at all. */
  abstract readonly hasTenants: boolean;
  /** Whether the tenant is served. */
  abstract servesTenant(tenant: string, context: CallContext): boolean | Promise<boolean>;
  /** The extensions that the card declares. */
  abstract extensions(): readonly AgentExtension[] | Promise<readonly AgentExtension[]>;
}

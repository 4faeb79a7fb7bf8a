import type { AgentAuthentication } from './agent-authentication.js';
import type { Principal } from './credential-verifier.js';

/** What the guard leaves on a request: who calls, and which agent's entries said so. */
export interface Authenticated {
  readonly principal: Principal;
  readonly by: AgentAuthentication;
}

// Not `request.user`: whatever runs after the guard may write there.
const AUTHENTICATED = Symbol('nest-a2a.authenticated');
interface Marked {
  [AUTHENTICATED]?: Authenticated;
}

export function setAuthenticated(request: object, authenticated: Authenticated): void {
  (request as Marked)[AUTHENTICATED] = authenticated;
}

export function authenticatedOf(request: object): Authenticated | undefined {
  return (request as Marked)[AUTHENTICATED];
}

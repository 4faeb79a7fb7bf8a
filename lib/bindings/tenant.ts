import { InvalidParamsError, MethodNotFoundError } from '../protocol/index.js';
import type { CallContext } from '../server/call-context.js';
import type { ServedAgent } from '../server/served-agent.js';

/**
 * The tenant that a request means, by its path or by its message. An empty one is none.
 *
 * @throws InvalidParamsError naming `tenant` if the two disagree
 */
export function requestedTenant(path: string | undefined, message: unknown): string | undefined {
  const inMessage = typeof message === 'string' && message !== '' ? message : undefined;
  if (path !== undefined && inMessage !== undefined && path !== inMessage) {
    throw refusal(`must be ${JSON.stringify(path)} as in the path, or be left out`);
  }
  return path ?? inMessage;
}

/**
 * Refuses a tenant that is not served.
 *
 * @throws MethodNotFoundError if it came in the path
 * @throws InvalidParamsError naming `tenant` if it came in the message
 */
export async function requireTenant(
  agent: ServedAgent,
  context: CallContext,
  isInPath: boolean,
): Promise<void> {
  const { tenant } = context;
  if (tenant === undefined) return;
  if (agent.hasTenants && (await agent.servesTenant(tenant, context))) return;
  if (isInPath) throw new MethodNotFoundError('This tenant is not served');
  throw refusal('This tenant is not served');
}

function refusal(description: string): InvalidParamsError {
  return new InvalidParamsError([{ field: 'tenant', description }]);
}

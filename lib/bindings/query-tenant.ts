import type { HttpCall } from '../http/index.js';
import { decodeQuery, GetExtendedAgentCardRequestSchema, InvalidParamsError } from '../protocol/index.js';

/**
 * A request message with the tenant that the query string names beside it: else the call would go to another tenant's
 * tasks.
 *
 * @throws InvalidParamsError naming `tenant` if the message names another one
 */
export function withQueryTenant(message: { tenant?: string }, call: HttpCall): object {
  if (call.query.tenant === undefined) return message;
  call.checkQuery();
  const { tenant } = decodeQuery(GetExtendedAgentCardRequestSchema, { tenant: call.query.tenant });
  if (!tenant) return message;
  if (!message.tenant) return { ...message, tenant };
  if (message.tenant === tenant) return message;
  const description = `must be ${JSON.stringify(message.tenant)} as in the body, or be left out`;
  throw new InvalidParamsError([{ field: 'tenant', description }]);
}

import type { AgentCard, SecurityRequirement, SecurityScheme } from '../protocol/index.js';
import type { AuthEntry } from './auth-options.js';

const BEARER = 'bearerAuth';
const BASIC = 'basicAuth';

/** What a card says of the entries of `auth`: one requirement for each, in their order. */
export function cardSecurity(
  entries: readonly AuthEntry[],
): Required<Pick<AgentCard, 'securitySchemes' | 'securityRequirements'>> {
  const bearers = entries.filter(isBearer);
  const securitySchemes: Record<string, SecurityScheme> = {};
  const securityRequirements: SecurityRequirement[] = [];
  for (const entry of entries) {
    const name = isBearer(entry) ? BEARER : BASIC;
    securitySchemes[name] ??= {
      httpAuthSecurityScheme: isBearer(entry)
        ? { scheme: 'Bearer', ...(bearers.every((bearer) => 'jwt' in bearer) && { bearerFormat: 'JWT' }) }
        : { scheme: 'Basic' },
    };
    securityRequirements.push({ schemes: { [name]: { list: [...(entry.scopes ?? [])] } } });
  }
  return { securitySchemes, securityRequirements };
}

function isBearer(entry: AuthEntry): boolean {
  return 'jwt' in entry || 'introspection' in entry;
}

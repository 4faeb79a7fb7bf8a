import type { AgentCard, SecurityRequirement, SecurityScheme } from '../../protocol/index.js';
import {
  apiKey,
  basic,
  bearer,
  combine,
  otherScheme,
  type Authorization,
  type AuthorizationContext,
  type Authorizer,
} from './authorization.js';
import type { Credential, CredentialProvider } from './credential-provider.js';
import { securityRequirementsOf } from './security-requirements.js';

/** What decides which credentials are sent. */
export interface SchemeAuthorizerOptions {
  readonly provider: CredentialProvider;
  /** The card as it is now; `undefined` sends nothing. */
  readonly card: () => AgentCard | undefined;
  /** The skill whose requirements count. Default: those of the card. */
  readonly skill?: string | undefined;
}

/**
 * Sends the credentials of the first requirement that they satisfy as a whole; if there is none, those that there are for
 * the first one that is known at all. It is the agent's to say whether that is enough.
 */
export function schemeAuthorizer({ provider, card, skill }: SchemeAuthorizerOptions): Authorizer {
  return async (context) => {
    const current = card();
    if (current === undefined) return {};
    const schemes = current.securitySchemes ?? {};
    let partly: Authorization | undefined;
    for (const requirement of alternatives(current, skill, context.rejected !== undefined)) {
      const { given, isWhole } = await satisfy(requirement, schemes, provider, context);
      if (given.length === 0) continue;
      if (isWhole) return combine(given);
      partly ??= combine(given);
    }
    return partly ?? {};
  };
}

/** What the card requires; once it turns out to require what it does not say, any scheme that it describes. */
function alternatives(
  card: AgentCard,
  skill: string | undefined,
  isRejected: boolean,
): readonly SecurityRequirement[] {
  const required = securityRequirementsOf(card, skill);
  if (required.length > 0 || !isRejected) return required;
  return Object.keys(card.securitySchemes ?? {}).map((name) => ({ schemes: { [name]: { list: [] } } }));
}

async function satisfy(
  requirement: SecurityRequirement,
  schemes: Readonly<Record<string, SecurityScheme>>,
  provider: CredentialProvider,
  { origin, rejected }: AuthorizationContext,
): Promise<{ given: Authorization[]; isWhole: boolean }> {
  const given: Authorization[] = [];
  let isWhole = true;
  for (const [name, { list: scopes }] of Object.entries(requirement.schemes)) {
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
    // The certificate of a client goes with the connection, not with the request.
    if (scheme?.mtlsSecurityScheme !== undefined) continue;
    const credential =
      scheme &&
      // A provider of plain JavaScript may well say null.
      ((await provider.getCredential(name, { origin, scheme, scopes, rejected: rejected !== undefined })) ??
        undefined);
    if (scheme === undefined || credential === undefined) isWhole = false;
    else given.push(placed(scheme, credential));
  }
  return { given, isWhole };
}

/** A credential in the place that its scheme names (§4.5). */
function placed(scheme: SecurityScheme, credential: Credential): Authorization {
  const { apiKeySecurityScheme: key, httpAuthSecurityScheme: http } = scheme;
  if (http?.scheme.toLowerCase() === 'basic' || typeof credential !== 'string') return basic(credential);
  if (key !== undefined) return apiKey(key.location, key.name, credential);
  if (http !== undefined && http.scheme !== '' && http.scheme.toLowerCase() !== 'bearer') {
    return otherScheme(http.scheme, credential);
  }
  return bearer(credential);
}

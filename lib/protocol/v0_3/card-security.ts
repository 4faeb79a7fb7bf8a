import { isFields } from '../codec/decode-message.js';
import type { JsonObject, OAuthFlows, SecurityRequirement, SecurityScheme } from '../types/index.js';
import type { SecurityRequirement03, SecurityScheme03 } from './card-types.js';

type Fields = Record<string, unknown>;

/** The names that 1.0 wraps schemes in, by the `type` that stands in them in 0.3. */
const WRAPPERS = {
  apiKey: 'apiKeySecurityScheme',
  http: 'httpAuthSecurityScheme',
  oauth2: 'oauth2SecurityScheme',
  openIdConnect: 'openIdConnectSecurityScheme',
  mutualTLS: 'mtlsSecurityScheme',
} as const satisfies Record<SecurityScheme03['type'], keyof SecurityScheme>;

/** The flows of 0.3; 1.0 has exactly one of them in a scheme, which is the first that is there. */
const FLOWS = ['authorizationCode', 'clientCredentials', 'implicit', 'password'] as const;

/** Schemes in the layout of 1.0. What is no scheme of 0.3 is left as it is, for the decoder to judge. */
export function schemesFrom03(schemes: unknown): unknown {
  if (!isFields(schemes)) return schemes;
  return Object.fromEntries(Object.entries(schemes).map(([name, scheme]) => [name, schemeFrom03(scheme)]));
}

function schemeFrom03(given: unknown): unknown {
  if (!isFields(given) || typeof given.type !== 'string' || !Object.hasOwn(WRAPPERS, given.type))
    return given;
  const wrapper = WRAPPERS[given.type as SecurityScheme03['type']];
  const { type, in: location, flows, [wrapper]: wrapped, ...rest } = given;
  // A card for clients of both versions has either form in one object.
  if ((wrapped ?? undefined) !== undefined) return { [wrapper]: wrapped };
  return {
    [wrapper]: {
      ...rest,
      ...(type === 'apiKey' && location !== undefined && { location }),
      ...(type === 'oauth2' && flows !== undefined && { flows: onlyOneFlow(flows) }),
    },
  };
}

function onlyOneFlow(flows: unknown): unknown {
  if (!isFields(flows)) return flows;
  const kept = FLOWS.find((name) => (flows[name] ?? undefined) !== undefined);
  return kept === undefined ? flows : { [kept]: flows[kept] };
}

/** Requirements in the layout of 1.0. */
export function requirementsFrom03(requirements: unknown): unknown {
  if (!Array.isArray(requirements)) return requirements;
  return requirements.map((requirement: unknown) => {
    // The proto of 0.3 has them as 1.0 does.
    if (!isFields(requirement) || isFields(requirement.schemes)) return requirement;
    const schemes = Object.entries(requirement).map(([name, list]) => [name, { list }]);
    return { schemes: Object.fromEntries(schemes) as Fields };
  });
}

/** Schemes in the layout of 0.3. Flows that it does not have (device code) are left out, as is `pkceRequired`. */
export function schemesTo03(schemes: Record<string, SecurityScheme>): Record<string, SecurityScheme03> {
  return Object.fromEntries(
    Object.entries(schemes).flatMap(([name, scheme]) => {
      const old = schemeTo03(scheme);
      return old === undefined ? [] : [[name, old]];
    }),
  );
}

/** `undefined` for a scheme that this version of the library does not know. */
function schemeTo03(scheme: SecurityScheme): SecurityScheme03 | undefined {
  const { apiKeySecurityScheme: key, oauth2SecurityScheme: oauth2 } = scheme;
  if (key) {
    const { location, ...rest } = key;
    return { type: 'apiKey', in: location, ...rest };
  }
  if (oauth2) return { type: 'oauth2', ...oauth2, flows: flowsTo03(oauth2.flows) };
  if (scheme.httpAuthSecurityScheme) return { type: 'http', ...scheme.httpAuthSecurityScheme };
  if (scheme.openIdConnectSecurityScheme)
    return { type: 'openIdConnect', ...scheme.openIdConnectSecurityScheme };
  return scheme.mtlsSecurityScheme && { type: 'mutualTLS', ...scheme.mtlsSecurityScheme };
}

/** Schemes as the proto of 0.3 has them, which is how 1.0 does, but for what {@link schemesTo03} leaves out. */
export function protoSchemesTo03(schemes: Record<string, SecurityScheme>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(schemes).map(([name, scheme]): [string, object] => {
      const { oauth2SecurityScheme: oauth2 } = scheme;
      if (oauth2 === undefined) return [name, scheme];
      return [name, { oauth2SecurityScheme: { ...oauth2, flows: flowsTo03(oauth2.flows) } }];
    }),
  );
}

function flowsTo03(flows: OAuthFlows): JsonObject {
  const kept = FLOWS.find((name) => flows[name] !== undefined);
  if (kept === undefined) return {};
  const { pkceRequired: _, ...flow } = flows[kept] as Record<string, string>;
  return { [kept]: { scopes: {}, ...flow } };
}

/** Requirements in the layout of 0.3. */
export function requirementsTo03(requirements: readonly SecurityRequirement[]): SecurityRequirement03[] {
  return requirements.map(({ schemes }) =>
    Object.fromEntries(Object.entries(schemes).map(([name, { list }]) => [name, [...list]])),
  );
}

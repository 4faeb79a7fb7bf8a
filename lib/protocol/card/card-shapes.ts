/**
 * Which fields of a message stand in its canonical form (§5.7, §8.4.1). The tables of the codec cannot say so: what
 * this library fills in, or holds absent, is not what the proto marks.
 */
export interface Shape {
  /** Marked REQUIRED, or with the keyword `optional`: kept whatever their value is. */
  readonly kept?: readonly string[];
  /** The others that are no messages: left out where they have their default. */
  readonly plain?: readonly string[];
  /** Fields that are a message, a list of messages or, by `each`, a map of them. */
  readonly messages?: Readonly<Record<string, Shape | { readonly each: Shape }>>;
}

const STRING_LIST: Shape = { plain: ['list'] };
const REQUIREMENT: Shape = { plain: ['schemes'], messages: { schemes: { each: STRING_LIST } } };

const TOKEN_FLOW: Shape = {
  kept: ['authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'scopes'],
  plain: ['refreshUrl', 'pkceRequired'],
};
const DEPRECATED_FLOW: Shape = { plain: ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'scopes'] };

const SCHEME: Shape = {
  messages: {
    apiKeySecurityScheme: { kept: ['location', 'name'], plain: ['description'] },
    httpAuthSecurityScheme: { kept: ['scheme'], plain: ['description', 'bearerFormat'] },
    oauth2SecurityScheme: {
      kept: ['flows'],
      plain: ['description', 'oauth2MetadataUrl'],
      messages: {
        flows: {
          messages: {
            authorizationCode: TOKEN_FLOW,
            clientCredentials: TOKEN_FLOW,
            deviceCode: TOKEN_FLOW,
            implicit: DEPRECATED_FLOW,
            password: DEPRECATED_FLOW,
          },
        },
      },
    },
    openIdConnectSecurityScheme: { kept: ['openIdConnectUrl'], plain: ['description'] },
    mtlsSecurityScheme: { plain: ['description'] },
  },
};

/** An agent card. */
export const CARD_SHAPE: Shape = {
  kept: [
    'name',
    'description',
    'supportedInterfaces',
    'version',
    'documentationUrl',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
    'iconUrl',
  ],
  plain: ['securitySchemes', 'securityRequirements'],
  messages: {
    supportedInterfaces: { kept: ['url', 'protocolBinding', 'protocolVersion'], plain: ['tenant'] },
    provider: { kept: ['url', 'organization'] },
    capabilities: {
      kept: ['streaming', 'pushNotifications', 'extendedAgentCard'],
      plain: ['extensions'],
      messages: { extensions: { plain: ['uri', 'description', 'required'] } },
    },
    securitySchemes: { each: SCHEME },
    securityRequirements: REQUIREMENT,
    skills: {
      kept: ['id', 'name', 'description', 'tags'],
      plain: ['examples', 'inputModes', 'outputModes', 'securityRequirements'],
      messages: { securityRequirements: REQUIREMENT },
    },
  },
};

import type {
  APIKeySecurityScheme,
  HTTPAuthSecurityScheme,
  MutualTlsSecurityScheme,
  OAuth2SecurityScheme,
  OpenIdConnectSecurityScheme,
  SecurityRequirement,
  SecurityScheme,
  StringList,
} from '../../types/index.js';
import { defaulted, list, map, message, required, string, text } from '../fields.js';
import { defineSchema } from '../schema.js';
import { OAuthFlowsSchema } from './oauth.schema.js';

export const StringListSchema = defineSchema<StringList>('StringList', { list: defaulted(list(text())) });

export const SecurityRequirementSchema = defineSchema<SecurityRequirement>('SecurityRequirement', {
  schemes: defaulted(map(message(StringListSchema))),
});

export const APIKeySecuritySchemeSchema = defineSchema<APIKeySecurityScheme>('APIKeySecurityScheme', {
  description: string(),
  location: required(string()),
  name: required(string()),
});

export const HTTPAuthSecuritySchemeSchema = defineSchema<HTTPAuthSecurityScheme>('HTTPAuthSecurityScheme', {
  description: string(),
  scheme: required(string()),
  bearerFormat: string(),
});

export const OAuth2SecuritySchemeSchema = defineSchema<OAuth2SecurityScheme>('OAuth2SecurityScheme', {
  description: string(),
  flows: required(message(OAuthFlowsSchema)),
  oauth2MetadataUrl: string(),
});

export const OpenIdConnectSecuritySchemeSchema = defineSchema<OpenIdConnectSecurityScheme>(
  'OpenIdConnectSecurityScheme',
  { description: string(), openIdConnectUrl: required(string()) },
);

export const MutualTlsSecuritySchemeSchema = defineSchema<MutualTlsSecurityScheme>(
  'MutualTlsSecurityScheme',
  {
    description: string(),
  },
);

export const SecuritySchemeSchema = defineSchema<SecurityScheme>(
  'SecurityScheme',
  {
    apiKeySecurityScheme: message(APIKeySecuritySchemeSchema),
    httpAuthSecurityScheme: message(HTTPAuthSecuritySchemeSchema),
    oauth2SecurityScheme: message(OAuth2SecuritySchemeSchema),
    openIdConnectSecurityScheme: message(OpenIdConnectSecuritySchemeSchema),
    mtlsSecurityScheme: message(MutualTlsSecuritySchemeSchema),
  },
  {
    noun: 'a security scheme',
    members: [
      'apiKeySecurityScheme',
      'httpAuthSecurityScheme',
      'oauth2SecurityScheme',
      'openIdConnectSecurityScheme',
      'mtlsSecurityScheme',
    ],
    open: true,
  },
);

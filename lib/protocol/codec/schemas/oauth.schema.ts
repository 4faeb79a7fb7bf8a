import type {
  AuthorizationCodeOAuthFlow,
  ClientCredentialsOAuthFlow,
  DeviceCodeOAuthFlow,
  ImplicitOAuthFlow,
  OAuthFlows,
  PasswordOAuthFlow,
} from '../../types/index.js';
import { bool, defaulted, map, message, required, string, text } from '../fields.js';
import { defineSchema } from '../schema.js';

export const AuthorizationCodeOAuthFlowSchema = defineSchema<AuthorizationCodeOAuthFlow>(
  'AuthorizationCodeOAuthFlow',
  {
    authorizationUrl: required(string()),
    tokenUrl: required(string()),
    refreshUrl: string(),
    scopes: defaulted(map(text())),
    pkceRequired: bool(),
  },
);

export const ClientCredentialsOAuthFlowSchema = defineSchema<ClientCredentialsOAuthFlow>(
  'ClientCredentialsOAuthFlow',
  { tokenUrl: required(string()), refreshUrl: string(), scopes: defaulted(map(text())) },
);

export const ImplicitOAuthFlowSchema = defineSchema<ImplicitOAuthFlow>('ImplicitOAuthFlow', {
  authorizationUrl: string(),
  refreshUrl: string(),
  scopes: map(text()),
});

export const PasswordOAuthFlowSchema = defineSchema<PasswordOAuthFlow>('PasswordOAuthFlow', {
  tokenUrl: string(),
  refreshUrl: string(),
  scopes: map(text()),
});

export const DeviceCodeOAuthFlowSchema = defineSchema<DeviceCodeOAuthFlow>('DeviceCodeOAuthFlow', {
  deviceAuthorizationUrl: required(string()),
  tokenUrl: required(string()),
  refreshUrl: string(),
  scopes: defaulted(map(text())),
});

export const OAuthFlowsSchema = defineSchema<OAuthFlows>(
  'OAuthFlows',
  {
    authorizationCode: message(AuthorizationCodeOAuthFlowSchema),
    clientCredentials: message(ClientCredentialsOAuthFlowSchema),
    implicit: message(ImplicitOAuthFlowSchema),
    password: message(PasswordOAuthFlowSchema),
    deviceCode: message(DeviceCodeOAuthFlowSchema),
  },
  {
    noun: 'the OAuth flow of a scheme',
    members: ['authorizationCode', 'clientCredentials', 'implicit', 'password', 'deviceCode'],
    open: true,
  },
);

/** One alternative of authentication: every scheme in it is needed, with these scopes (§4.4.8). */
export interface SecurityRequirement {
  schemes: Record<string, StringList>;
}

/** A list of strings where the protocol cannot hold a bare one. */
export interface StringList {
  list: string[];
}

/** How callers authenticate: exactly one of the five (§4.5.1). */
export interface SecurityScheme {
  apiKeySecurityScheme?: APIKeySecurityScheme;
  httpAuthSecurityScheme?: HTTPAuthSecurityScheme;
  oauth2SecurityScheme?: OAuth2SecurityScheme;
  openIdConnectSecurityScheme?: OpenIdConnectSecurityScheme;
  mtlsSecurityScheme?: MutualTlsSecurityScheme;
}

export interface APIKeySecurityScheme {
  description?: string;
  /** `query`, `header` or `cookie`. */
  location: string;
  name: string;
}

export interface HTTPAuthSecurityScheme {
  description?: string;
  /** An IANA authentication scheme such as `Bearer`. */
  scheme: string;
  bearerFormat?: string;
}

export interface OAuth2SecurityScheme {
  description?: string;
  flows: OAuthFlows;
  oauth2MetadataUrl?: string;
}

export interface OpenIdConnectSecurityScheme {
  description?: string;
  openIdConnectUrl: string;
}

export interface MutualTlsSecurityScheme {
  description?: string;
}

/** Exactly one flow. */
export interface OAuthFlows {
  authorizationCode?: AuthorizationCodeOAuthFlow;
  clientCredentials?: ClientCredentialsOAuthFlow;
  /** Deprecated by the protocol. */
  implicit?: ImplicitOAuthFlow;
  /** Deprecated by the protocol. */
  password?: PasswordOAuthFlow;
  deviceCode?: DeviceCodeOAuthFlow;
}

export interface AuthorizationCodeOAuthFlow {
  authorizationUrl: string;
  tokenUrl: string;
  refreshUrl?: string;
  /** Scope name to its description. */
  scopes: Record<string, string>;
  pkceRequired?: boolean;
}

export interface ClientCredentialsOAuthFlow {
  tokenUrl: string;
  refreshUrl?: string;
  scopes: Record<string, string>;
}

export interface ImplicitOAuthFlow {
  authorizationUrl?: string;
  refreshUrl?: string;
  scopes?: Record<string, string>;
}

export interface PasswordOAuthFlow {
  tokenUrl?: string;
  refreshUrl?: string;
  scopes?: Record<string, string>;
}

export interface DeviceCodeOAuthFlow {
  deviceAuthorizationUrl: string;
  tokenUrl: string;
  refreshUrl?: string;
  scopes: Record<string, string>;
}

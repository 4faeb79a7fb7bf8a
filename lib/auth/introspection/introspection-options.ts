/**
 * Bearer tokens that the issuer is asked about (RFC 7662), opaque ones or any.
 *
 * The issuer is asked once for a token within `cacheMaxAge`; only answers that accept a token are kept. While it does
 * not answer as it should, the answer to callers is 503.
 *
 * @publicApi
 */
export interface IntrospectionOptions {
  /** The introspection endpoint: https, or http in a network that is trusted. */
  url: string;
  /** Who asks, by HTTP Basic authentication (RFC 6749, section 2.3.1). */
  clientId: string;
  clientSecret: string;
  /** What `iss` must be where an answer has it. Default: anything. */
  issuer?: string;
  /** What `aud` of an answer must name, one of them if it is a list. Default: anything, also nothing. */
  audience?: string | readonly string[];
  /** Seconds that an answer may be reused, never beyond its `exp`; 0 asks each time. Default 60. */
  cacheMaxAge?: number;
}

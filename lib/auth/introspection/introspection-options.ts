/**
 * Bearer tokens that the issuer is asked about (RFC 7662).
 *
 * @publicApi
 */
export interface IntrospectionOptions {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Seconds that an answer may be reused, never beyond its `exp`; 0 asks each time. Default 60. */
  cacheMaxAge?: number;
}

/**
 * Bearer tokens that are JWTs (RFC 7519). Exactly one of `jwksUrl`, `jwks`, `publicKey` and `secret` says who signs.
 *
 * @publicApi
 */
export interface JwtOptions {
  /** What `iss` must be. Required with `secret` and in-memory keys, since nothing else names the issuer. */
  issuer?: string;
  /** What `aud` must name, one of them if it is a list. */
  audience: string | readonly string[];
  /** Where the issuer publishes its keys (RFC 7517). */
  jwksUrl?: string;
  /** The issuer's keys. */
  jwks?: { readonly keys: readonly object[] };
  /** The issuer's public key in PEM (SPKI) or as a JWK. */
  publicKey?: string | object;
  /** The shared secret of the HS algorithms, 32 bytes at least. */
  secret?: string | Uint8Array;
  /** Algorithms that are accepted. Default: the asymmetric ones, or the HS ones with `secret`. */
  algorithms?: readonly string[];
  /** Seconds that clocks may differ. Default 5. */
  clockTolerance?: number;
  /** Fetches the keys at start, and fails if that fails. Default `false`. */
  preload?: boolean;
}

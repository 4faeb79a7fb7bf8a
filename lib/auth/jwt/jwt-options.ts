/**
 * Bearer tokens that are JWTs (RFC 7519). Exactly one of `jwksUrl`, `jwks`, `publicKey` and `secret` says who signs.
 *
 * A token is accepted if one of the keys signed it with one of the algorithms, its times and audience fit, it names
 * someone (`sub`, else `username`) and it is no ID, refresh or sender-constrained token. One without `exp` does not
 * expire. Its scopes are those of `scope` and `scp`.
 *
 * @publicApi
 */
export interface JwtOptions {
  /** What `iss` must be. Required with `secret` and in-memory keys, since nothing else names the issuer. */
  issuer?: string;
  /** What `aud` must name, one of them if it is a list. */
  audience: string | readonly string[];
  /** Where the issuer publishes its keys (RFC 7517): https, or http in a network that is trusted. */
  jwksUrl?: string;
  /** The issuer's public keys. */
  jwks?: { readonly keys: readonly object[] };
  /** The issuer's public key in PEM (SPKI, or a certificate) or as a JWK. A `kid` is not compared. */
  publicKey?: string | object;
  /** The shared secret of the HS algorithms, 32 bytes at least. */
  secret?: string | Uint8Array;
  /**
   * Algorithms that are accepted. Default: the asymmetric ones, or with `secret` the HS ones whose hash is no longer
   * than the secret (RFC 7518, section 3.2).
   */
  algorithms?: readonly string[];
  /** Seconds that clocks may differ. Default 5. */
  clockTolerance?: number;
  /** Fetches the keys of `jwksUrl` at start, and fails if that fails. Default `false`: with the first token. */
  preload?: boolean;
  /**
   * Seconds for which fetched keys are good where the answer's `Cache-Control` does not say. They are fetched anew
   * before that, and go on being used while that fails. Default 600.
   */
  jwksMaxAge?: number;
  /** Seconds between two fetches for the sake of tokens that no known key signed. Default 30. */
  jwksCooldown?: number;
}

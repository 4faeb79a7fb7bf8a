/** A set of public keys (RFC 7517). */
export interface JsonWebKeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/**
 * What is asked of the signatures of cards that are fetched (§8.4.3). Needs the package `jose`.
 *
 * @publicApi
 */
export interface CardSignatureOptions {
  /** `warn` logs a card of which no signature can be verified, `require` refuses it. Default `off`. */
  readonly policy: 'off' | 'warn' | 'require';
  /** Keys that are trusted. */
  readonly jwks?: JsonWebKeySet;
  /** Hosts, such as `keys.example.com`, whose keys are fetched when a signature names them (`jku`); https only. */
  readonly jkuHosts?: readonly string[];
  /**
   * Takes signatures of the official JavaScript and Python SDKs too, which drop every empty value from what they sign,
   * also those that §8.4.1 keeps. Such a signature does not tell an empty value from an absent one. Default `false`.
   */
  readonly allowDroppedEmpties?: boolean;
}

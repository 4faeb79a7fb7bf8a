/** The HS algorithms and the bytes of their hash, which their secret must reach (RFC 7518, section 3.2). */
const HASH_BYTES: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };

/** The HS algorithms that a secret of so many bytes is long enough for. */
export function secretAlgorithms(bytes = Infinity): string[] {
  return Object.keys(HASH_BYTES).filter((algorithm) => (HASH_BYTES[algorithm] ?? Infinity) <= bytes);
}

/** Those that are verified with a public key. */
export const KEY_ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

import type { JsonWebKeyInput } from 'node:crypto';

/**
 * A key as a JWK (RFC 7517). The types of newer Node have no `JsonWebKey` in `node:crypto` itself, so it is named by what takes one.
 */
export type JsonWebKey = JsonWebKeyInput['key'];

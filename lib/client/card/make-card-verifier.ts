import type { HttpTransport } from '../http-transport.js';
import { CardKeys } from './card-keys.js';
import type { CardSignatureOptions } from './card-signature-options.js';
import { CardVerifier } from './card-verifier.js';

/**
 * What checks signatures as options say; `undefined` where they ask for nothing.
 *
 * @param transport for fetching keys, without credentials
 * @param timeout milliseconds that they may take, which is 10 s at most
 */
export function cardVerifier(
  signatures: CardSignatureOptions | undefined,
  transport: HttpTransport,
  timeout?: number,
): CardVerifier | undefined {
  if (signatures === undefined || signatures.policy === 'off') return undefined;
  const { jwks, jkuHosts } = signatures;
  return new CardVerifier(signatures, new CardKeys({ jwks, jkuHosts, transport }), timeout);
}

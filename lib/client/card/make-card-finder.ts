import type { AgentClientOptions } from '../agent-client-options.js';
import type { AgentLink } from '../agent-link.js';
import type { HttpTransport } from '../http-transport.js';
import { CardFinder } from './card-finder.js';
import { CardKeys } from './card-keys.js';
import { CardVerifier } from './card-verifier.js';

type Options = Pick<AgentClientOptions, 'timeout' | 'maxResponseSize' | 'signatures'>;

/** What finds cards with the credentials of a link. */
export function cardFinder(link: AgentLink, options: Options, transport: HttpTransport): CardFinder {
  const verifier = cardVerifier(options, transport);
  return new CardFinder({
    transport: link.cardTransport(),
    headers: link.headers,
    ...(options.timeout !== undefined && { timeout: options.timeout }),
    ...(options.maxResponseSize !== undefined && { maxBodySize: options.maxResponseSize }),
    ...(verifier && { verifier }),
  });
}

/** @param transport for fetching keys, without credentials */
function cardVerifier({ signatures }: Options, transport: HttpTransport): CardVerifier | undefined {
  if (signatures === undefined || signatures.policy === 'off') return undefined;
  const { jwks, jkuHosts } = signatures;
  return new CardVerifier(signatures, new CardKeys({ jwks, jkuHosts, transport }));
}

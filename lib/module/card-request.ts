import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { CardRequest } from '../card/index.js';

/** What of a request a card depends on. */
export function cardRequest({ headers, socket }: IncomingMessage): CardRequest {
  const { localAddress, localPort } = socket;
  return {
    host: headers.host ?? (headers[':authority'] as string | undefined),
    secure: (socket as Partial<TLSSocket>).encrypted === true,
    ...(localAddress !== undefined && { localAddress }),
    ...(localPort !== undefined && { localPort }),
    ifNoneMatch: headers['if-none-match'],
  };
}

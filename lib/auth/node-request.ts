import type { IncomingMessage } from 'node:http';

/** Node's own request, whichever adapter's this is: Fastify has its own around it. */
export function nodeRequestOf(request: object): IncomingMessage {
  return (request as { readonly raw?: IncomingMessage }).raw ?? (request as IncomingMessage);
}

import { InternalError, isA2AError } from '../../protocol/index.js';
import { discardBody } from '../discard-body.js';
import type { HttpRequest, HttpTransport } from '../http-transport.js';
import { authorize, combine, type Authorization, type Authorizer } from './authorization.js';
import { splitHeaders } from './split-headers.js';

/** Whom credentials may go to. */
export type TrustsOrigin = (origin: string) => boolean;

/**
 * A transport that adds credentials to requests to trusted origins, and to no others; headers of a call that look like
 * credentials are taken out there, and `withheld` is told. An answer 401 asks for them once more; only if they then differ
 * is the request sent again, once.
 */
export function authorizedTransport(
  transport: HttpTransport,
  authorizers: readonly Authorizer[],
  trusts: TrustsOrigin,
  withheld: (origin: string) => void = () => undefined,
): HttpTransport {
  return async (request) => {
    const { origin } = new URL(request.url);
    if (!trusts(origin)) {
      const { open: headers, secret } = splitHeaders(request.headers);
      if (Object.keys(secret).length > 0) withheld(origin);
      return await transport({ ...request, headers });
    }
    if (authorizers.length === 0) return await transport(request);
    const sent = await ask(authorizers, origin, undefined, request);
    const response = await transport(authorize(request, sent));
    if (response.status !== 401) return response;
    const renewed = await ask(authorizers, origin, sent, request);
    if (sameAs(sent, renewed)) return response;
    await discardBody(response);
    return await transport(authorize(request, renewed));
  };
}

async function ask(
  authorizers: readonly Authorizer[],
  origin: string,
  rejected: Authorization | undefined,
  { signal }: HttpRequest,
): Promise<Authorization> {
  const given: Authorization[] = [];
  try {
    for (const authorizer of authorizers) given.push(await authorizer({ origin, rejected, signal }));
  } catch (cause) {
    signal?.throwIfAborted();
    if (isA2AError(cause)) throw cause;
    // What a vault says may hold what nobody should read.
    throw new InternalError(`The credentials for ${origin} could not be had`, { cause });
  }
  return combine(given);
}

function sameAs(one: Authorization, other: Authorization): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

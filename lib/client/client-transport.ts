import { GuardedAgents } from '../net/guarded-agent.js';
import { UrlGuard, type UrlGuardOptions } from '../net/url-guard.js';
import { axiosTransport, type AxiosTransportOptions } from './axios.transport.js';
import type { HttpTransport } from './http-transport.js';
import { TransportError } from './transport-error.js';

/** What a client sends its requests with. */
export interface ClientTransportOptions {
  readonly transport?: HttpTransport;
  readonly http?: AxiosTransportOptions;
  readonly guard?: UrlGuardOptions;
}

/**
 * The transport that options describe. With a guard every request is checked by the form of its URL, and connections of
 * the default transport by the address that they go to.
 */
export function clientTransport({ transport, http, guard }: ClientTransportOptions): HttpTransport {
  if (guard === undefined) return transport ?? axiosTransport(http);
  const checked = new UrlGuard(guard);
  const agents = new GuardedAgents(checked, {
    maxFreeSockets: http?.maxIdleConnections ?? 8,
    idleTimeout: http?.idleTimeout ?? 30_000,
  });
  return guarded(transport ?? axiosTransport({ ...http, agents }), checked);
}

function guarded(transport: HttpTransport, guard: UrlGuard): HttpTransport {
  return async (request) => {
    const fault = guard.checkForm(request.url);
    if (fault !== undefined) throw new TransportError(`The URL ${fault}`, { unsent: true });
    return await transport(request);
  };
}

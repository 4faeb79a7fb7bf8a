import type { AgentInterface } from '../protocol/index.js';
import { AgentCardError } from './card/agent-card-error.js';
import { parseUrl } from '../net/parse-url.js';

/**
 * Gives the URL to call for the one that a card advertises, which may not be reachable from here.
 *
 * @publicApi
 */
export type RewriteEndpoint = (url: string, agentInterface: AgentInterface) => string;

/**
 * A {@link RewriteEndpoint} that keeps the path of the advertised URL, and takes scheme, host and port from `onto`: for an
 * agent that builds its card from the address it is bound to.
 *
 * @throws TypeError if `onto` is no URL
 * @publicApi
 */
export function rebaseEndpoint(onto: string): RewriteEndpoint {
  const { protocol, host } = new URL(onto);
  return (url) => {
    const { pathname, search } = new URL(url);
    return new URL(`${protocol}//${host}${pathname}${search}`).href;
  };
}

/** The address that is called for an interface. */
export interface Endpoint {
  readonly url: string;
  readonly origin: string;
  /** The address was chosen on this side, and not by whoever wrote the card. */
  readonly isRewritten: boolean;
}

/** @throws AgentCardError if the address is no http or https URL */
export function endpointOf(agentInterface: AgentInterface, rewrite: RewriteEndpoint | undefined): Endpoint {
  const advertised = originOf(agentInterface.url);
  const url = rewrite === undefined ? agentInterface.url : rewrite(agentInterface.url, agentInterface);
  const origin = originOf(url);
  return { url, origin, isRewritten: origin !== advertised };
}

function originOf(url: string): string {
  const parsed = parseUrl(url);
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new AgentCardError('The interface of the agent has no absolute http or https URL');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new AgentCardError('The URL of the interface must not contain a user');
  }
  return parsed.origin;
}

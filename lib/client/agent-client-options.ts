import type { AgentCard } from '../protocol/index.js';
import type { UrlGuardOptions } from '../net/url-guard.js';
import type { A2AClientOptions } from './a2a-client.js';
import type { RewriteEndpoint } from './agent-endpoint.js';
import type { AxiosTransportOptions } from './axios.transport.js';
import type { CardSignatureOptions } from './card/card-signature-options.js';
import type { ClientBindingName, ClientProtocolVersion, InterfaceFilter } from './choose-interface.js';
import type { CallSettings } from './client-binding-options.js';
import type { ClientAuth } from './credentials/client-auth.js';
import type { CredentialProvider } from './credentials/credential-provider.js';
import type { HttpTransport } from './http-transport.js';

/**
 * How a client reaches its agent and behaves.
 *
 * @publicApi
 */
export interface AgentClientOptions extends CallSettings, InterfaceFilter, A2AClientOptions {
  /** What this side proves with every request to a trusted origin, whatever the card says; the fetch of the card included. */
  readonly auth?: ClientAuth;
  /** Credentials by the names that the card's security schemes have; the card's requirements decide which are sent. */
  readonly credentials?: CredentialProvider;
  /** The skill whose security requirements count, where it has its own (§4.4.5). Default: those of the card. */
  readonly skill?: string;
  /**
   * Origins that credentials may go to beside the one they were configured for: a card names URLs, and must not be able
   * to send credentials elsewhere. Default: none.
   */
  readonly trustedOrigins?: readonly string[];
  /** The tenant to call, in place of the one that the card names. */
  readonly tenant?: string;
  /** Changes the URL that the card advertises into the one to call. */
  readonly rewriteEndpoint?: RewriteEndpoint;
  /** What must be true of the card's signatures. Default: nothing. */
  readonly signatures?: CardSignatureOptions;
  /** Refuses addresses that are not public, for agents that somebody else names. Default: none is refused. */
  readonly guard?: UrlGuardOptions;
  /** Replaces the HTTP stack. Default: axios with kept connections. */
  readonly transport?: HttpTransport;
  /** How the default transport connects: client certificates, proxies, pooling. */
  readonly http?: AxiosTransportOptions;
}

/**
 * An agent that is called without a card.
 *
 * @publicApi
 */
export interface EndpointTarget {
  /** The URL of its interface. */
  readonly url: string;
  /** Default `JSONRPC`. */
  readonly binding?: ClientBindingName;
  /** The version of the protocol that is spoken there. Default: that of the options, else `1.0`. */
  readonly protocolVersion?: ClientProtocolVersion;
  readonly tenant?: string;
}

/** Where an agent is: the address of its card, a card, or the address of an interface. */
export type AgentTarget =
  | { readonly url: string; readonly cardPath?: string }
  | { readonly card: AgentCard }
  | { readonly endpoint: EndpointTarget };

import { Logger } from '@nestjs/common';
import { InvalidParamsError, type AgentCard, type AgentInterface } from '../protocol/index.js';
import type { AgentClientOptions, EndpointTarget } from './agent-client-options.js';
import type { AgentConnection } from './agent-connection.js';
import { CardFinder } from './card/card-finder.js';
import { asSent } from './card/sent-cards.js';
import type { CardVerifier } from './card/card-verifier.js';
import { cardVerifier } from './card/make-card-verifier.js';
import { endpointOf, type Endpoint } from './agent-endpoint.js';
import {
  chooseInterface,
  CLIENT_VERSIONS,
  clientBindingName,
  type ClientBindingName,
} from './choose-interface.js';
import { createClientBinding } from './create-client-binding.js';
import { authAuthorizer } from './credentials/auth-authorizer.js';
import type { Authorizer } from './credentials/authorization.js';
import { authorizedTransport } from './credentials/authorized-transport.js';
import { schemeAuthorizer } from './credentials/scheme-authorizer.js';
import { splitHeaders } from './credentials/split-headers.js';
import type { HttpTransport } from './http-transport.js';

/** Milliseconds for a request to a token endpoint. */
const TOKEN_TIMEOUT = 30_000;

/**
 * What the options of one client make of a transport: requests that carry its credentials, to origins that may have them
 * and to no others.
 */
export class AgentLink {
  /** Headers that go everywhere. */
  readonly headers: Readonly<Record<string, string>>;
  private readonly always: readonly Authorizer[];
  private readonly trusted: ReadonlySet<string>;
  private readonly logger: Logger;
  private current: AgentCard | undefined;
  private readonly verifier: CardVerifier | undefined;
  private readonly distrusted = new Set<string>();

  constructor(
    private readonly name: string,
    private readonly options: AgentClientOptions,
    private readonly transport: HttpTransport,
    /** The origin that the credentials were configured for. */
    home: string | undefined,
  ) {
    const { open, secret } = splitHeaders(options.headers ?? {});
    this.headers = open;
    const { auth } = options;
    this.always = [
      ...(Object.keys(secret).length > 0 ? [() => ({ headers: secret })] : []),
      ...(auth ? [authAuthorizer(auth, { agent: name, transport, timeout: TOKEN_TIMEOUT })] : []),
    ];
    const origins = (options.trustedOrigins ?? []).map((origin) => new URL(origin).origin);
    this.trusted = new Set([...origins, ...(home === undefined ? [] : [home])]);
    this.verifier = cardVerifier(options.signatures, transport, options.timeout);
    this.logger = new Logger(`A2AClient:${name}`);
  }

  /** Fetches the first token, where credentials are fetched at all, so that a wrong secret comes up at once. */
  async prepare(): Promise<void> {
    const { auth } = this.options;
    if (typeof auth !== 'object' || !('oauth2' in auth)) return;
    for (const authorizer of this.always) {
      await authorizer({ origin: '', rejected: undefined, signal: undefined });
    }
  }

  /** What finds cards. What a card requires is not known yet, so that `credentials` are not sent. */
  cardFinder(): CardFinder {
    const { timeout, maxResponseSize } = this.options;
    return new CardFinder({
      transport: authorizedTransport(this.transport, this.always, (origin) => this.trusted.has(origin)),
      headers: this.headers,
      ...(timeout !== undefined && { timeout }),
      ...(maxResponseSize !== undefined && { maxBodySize: maxResponseSize }),
      ...(this.verifier && { verifier: this.verifier }),
    });
  }

  /**
   * The connection to the interface of a card that suits.
   *
   * @throws NoCompatibleInterfaceError, AgentCardError
   */
  toCard(card: AgentCard, isOwnChoice = false): AgentConnection {
    const { agentInterface, binding } = chooseInterface(card, this.options);
    return this.connection(agentInterface, binding, card, isOwnChoice);
  }

  /** The connection to an interface without a card. */
  toEndpoint(endpoint: EndpointTarget): AgentConnection {
    const { url, binding: named = 'JSONRPC', tenant } = endpoint;
    const binding = clientBindingName(named);
    if (binding === undefined) {
      throw new InvalidParamsError([{ field: 'binding', description: 'must be "HTTP+JSON" or "JSONRPC"' }]);
    }
    const protocolVersion = endpoint.protocolVersion ?? this.options.protocolVersion ?? '1.0';
    if (!CLIENT_VERSIONS.includes(protocolVersion)) {
      throw new InvalidParamsError([{ field: 'protocolVersion', description: 'must be "1.0" or "0.3"' }]);
    }
    const agentInterface = { url, protocolBinding: binding, protocolVersion, ...(tenant && { tenant }) };
    return this.connection(agentInterface, binding, undefined, true);
  }

  /**
   * Takes the extended card as the one whose requirements decide which credentials are sent.
   *
   * @throws CardSignatureError if its signatures are not what the options ask for
   */
  async useCard(card: AgentCard): Promise<void> {
    await this.verifier?.verify(asSent(card), `the extended card of "${this.name}"`);
    this.current = card;
  }

  private connection(
    chosen: AgentInterface,
    binding: ClientBindingName,
    card: AgentCard | undefined,
    isOwnChoice: boolean,
  ): AgentConnection {
    const endpoint = endpointOf(chosen, this.options.rewriteEndpoint);
    const tenant = this.options.tenant ?? chosen.tenant;
    const { tenant: _tenant, ...rest } = chosen;
    const agentInterface = { ...rest, url: endpoint.url, ...(tenant && { tenant }) };
    this.current = card;
    const transport = this.callTransport(endpoint, isOwnChoice);
    return {
      card,
      agentInterface,
      binding: createClientBinding(binding, {
        ...this.options,
        headers: this.headers,
        agentInterface,
        transport,
      }),
    };
  }

  private callTransport(endpoint: Endpoint, isOwnChoice: boolean): HttpTransport {
    const { credentials, skill } = this.options;
    const authorizers = [
      ...this.always,
      ...(credentials ? [schemeAuthorizer({ provider: credentials, card: () => this.current, skill })] : []),
    ];
    const isTrusted = isOwnChoice || endpoint.isRewritten || this.trusted.has(endpoint.origin);
    if (!isTrusted && authorizers.length > 0) this.warn(endpoint.origin);
    return authorizedTransport(
      this.transport,
      authorizers,
      (origin) => this.trusted.has(origin) || (isTrusted && origin === endpoint.origin),
      (origin) => this.warn(origin),
    );
  }

  private warn(origin: string): void {
    if (this.distrusted.has(origin)) return;
    this.distrusted.add(origin);
    this.logger.warn(
      `The card of "${this.name}" names ${origin}, which the credentials were not configured for: they are not sent ` +
        `there. If it is right, add it to "trustedOrigins"`,
    );
  }
}

import { Injectable } from '@nestjs/common';
import { withoutAbsent } from '../options/absent.js';
import type { AgentCard } from '../protocol/index.js';
import { A2AClient } from './a2a-client.js';
import type { AgentClientOptions, AgentTarget, EndpointTarget } from './agent-client-options.js';
import type { AgentConnector } from './agent-connection.js';
import { AgentLink } from './agent-link.js';
import { calling } from './call-errors.js';
import { CardConnector } from './card-connector.js';
import { sourceOfCard, type CardFinder } from './card/card-finder.js';
import { cardUrls } from './card/card-urls.js';
import { decodeCard } from './card/decode-card.js';
import { clientTransport } from './client-transport.js';
import type { HttpTransport } from './http-transport.js';
import { LazyConnector } from './lazy-connector.js';
import type { AgentOptions } from './module/a2a-client-module-options.js';
import { checkOwnOptions } from './module/agent-option-faults.js';
import { AGENT_RULES, COMMON_RULES } from './module/client-option-rules.js';
import { parseUrl } from '../net/parse-url.js';

/**
 * Options of all clients that a factory makes. Credentials are not among them: they belong to one agent.
 *
 * @publicApi
 */
export type ClientDefaults = Omit<
  AgentClientOptions,
  'auth' | 'credentials' | 'trustedOrigins' | 'skill' | 'tenant'
>;

/** Where a card is, beside the options of its client. */
export interface ConnectOptions extends AgentClientOptions {
  /** Where the card is below the address, in place of `.well-known/agent-card.json`; or its full URL. */
  readonly cardPath?: string;
}

/**
 * Makes clients for agents that become known at run time. Inject it, or make one: `new A2AClientFactory()`.
 *
 * Each method gives a client that is connected: what is wrong with the options (`InvalidParamsError`), the agent or the
 * credentials is an error of the method, and not of the first call.
 *
 * @publicApi
 */
@Injectable()
export class A2AClientFactory {
  // Private at run time too: headers and keys of TLS may be secret, and objects end up in logs.
  readonly #defaults: ClientDefaults;
  readonly #transport: HttpTransport;
  readonly #shared: CardFinder;

  /** @throws InvalidParamsError naming every option that makes no sense */
  constructor(defaults: ClientDefaults = {}) {
    checkOwnOptions(COMMON_RULES, defaults);
    this.#defaults = defaults;
    this.#transport = clientTransport(defaults);
    this.#shared = new AgentLink('', defaults, this.#transport, undefined).cardFinder();
  }

  /**
   * A client for the agent at an address, which is that of its card, of its host, or above it.
   *
   * @throws AgentCardError, NoCompatibleInterfaceError, AuthenticationError, AuthorizationError, TransportError, or InternalError
   * with the answer of the token endpoint
   */
  connect(url: string, { cardPath, ...options }: ConnectOptions = {}): Promise<A2AClient> {
    return this.connected(nameOf(url), { url, ...(cardPath !== undefined && { cardPath }) }, options);
  }

  /**
   * A client for an agent whose card is known. The card is not fetched again. Credentials go to the origin that the card
   * came from, if a resolver of this package fetched it, else to that of the interface it names.
   *
   * @throws NoCompatibleInterfaceError, AgentCardError, or InternalError with the answer of the token endpoint
   */
  fromCard(card: AgentCard, options: AgentClientOptions = {}): Promise<A2AClient> {
    return this.connected(card.name, { card }, options);
  }

  /** A client for an interface whose URL is known, without a card: nothing is checked against what the agent declares. */
  create(endpoint: EndpointTarget, options: AgentClientOptions = {}): Promise<A2AClient> {
    return this.connected(nameOf(endpoint.url), { endpoint }, options);
  }

  /** @internal A client that connects with its first call, and a way to connect it before. */
  lazily(
    name: string,
    target: AgentTarget,
    options: AgentClientOptions,
  ): { client: A2AClient; connect: () => Promise<void> } {
    const own = withoutAbsent(options);
    const headers = { ...this.#defaults.headers, ...own.headers };
    const merged = { ...this.#defaults, ...own, headers };
    const connector = this.connector(name, target, merged, own);
    return {
      client: new A2AClient(connector, merged),
      connect: async () => {
        await connector.connection();
      },
    };
  }

  private async connected(
    name: string,
    target: AgentTarget,
    options: AgentClientOptions,
  ): Promise<A2AClient> {
    return calling(async () => {
      checkOwnOptions<AgentOptions>(AGENT_RULES, options);
      const { client, connect } = this.lazily(name, target, options);
      await connect();
      return client;
    });
  }

  private connector(
    name: string,
    target: AgentTarget,
    merged: AgentClientOptions,
    own: AgentClientOptions,
  ): AgentConnector {
    const { transport, http, guard } = own;
    const isShared = transport === undefined && http === undefined && guard === undefined;
    const used = isShared ? this.#transport : clientTransport(merged);
    const link = new AgentLink(name, merged, used, homeOf(target));
    if ('url' in target) {
      const finder = isShared && !changesCards(own) ? this.#shared : link.cardFinder();
      return new CardConnector(name, link, (signal) => finder.find(target.url, target.cardPath, signal));
    }
    if ('endpoint' in target) return new LazyConnector(link, () => link.toEndpoint(target.endpoint));
    const source = sourceOfCard(target.card);
    const card = source === undefined ? decodeCard(target.card, 'What was given') : target.card;
    return new LazyConnector(link, () => link.toCard(card, source === undefined));
  }
}

/** Whether options make a difference to how a card is fetched, so that it is not shared with other clients. */
function changesCards({ auth, headers, timeout, maxResponseSize, signatures }: AgentClientOptions): boolean {
  return [auth, headers, timeout, maxResponseSize, signatures].some((option) => option !== undefined);
}

/** The origin that credentials are configured for. */
function homeOf(target: AgentTarget): string | undefined {
  if ('url' in target) return new URL(cardUrls(target.url, target.cardPath)[0] ?? '').origin;
  if ('endpoint' in target) return undefined;
  const source = sourceOfCard(target.card);
  return source === undefined ? undefined : new URL(source).origin;
}

function nameOf(url: string): string {
  return parseUrl(url)?.host ?? 'agent';
}

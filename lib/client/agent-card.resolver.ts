import { Injectable } from '@nestjs/common';
import type { AgentCard } from '../protocol/index.js';
import type { AgentClientOptions } from './agent-client-options.js';
import { AgentLink } from './agent-link.js';
import { calling } from './call-errors.js';
import type { CardFinder } from './card/card-finder.js';
import { cardUrls } from './card/card-urls.js';
import { clientTransport } from './client-transport.js';
import type { HttpTransport } from './http-transport.js';
import { checkOwnOptions } from './module/agent-option-faults.js';
import { RESOLVER_RULES } from './module/client-option-rules.js';

/**
 * How cards are resolved.
 *
 * @publicApi
 */
export type AgentCardResolverOptions = Pick<
  AgentClientOptions,
  'auth' | 'headers' | 'timeout' | 'maxResponseSize' | 'signatures' | 'guard' | 'transport' | 'http'
>;

/** How one card is resolved. */
export interface ResolveOptions {
  /** Where the card is below the address, in place of `.well-known/agent-card.json`; or its full URL. */
  readonly cardPath?: string;
  /** Ends the waiting; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Fetches agent cards without making a client, to look at an agent's skills before calling it. Cards are kept as HTTP
 * allows (`Cache-Control`, `ETag`, §8.6.2), and many callers at once make one request.
 *
 * Inject it, or make one: `new AgentCardResolver().resolve('https://agent.example.com')`.
 *
 * @publicApi
 */
@Injectable()
export class AgentCardResolver {
  // Private at run time too: they hold credentials, and objects end up in logs.
  readonly #options: AgentCardResolverOptions;
  readonly #transport: HttpTransport;
  readonly #finders = new Map<string, CardFinder>();

  /** @throws InvalidParamsError naming every option that makes no sense */
  constructor(options: AgentCardResolverOptions = {}) {
    checkOwnOptions(RESOLVER_RULES, options);
    this.#options = options;
    this.#transport = clientTransport(options);
  }

  /**
   * The card of the agent at an address: of a host, at its well-known path; of a URL with a path, below that path, else at
   * the host; the URL of a card is taken as it is.
   *
   * @throws AgentCardError if there is no card, or it is none; AuthenticationError and AuthorizationError if it is not for
   * everybody; TransportError; InternalError with the token endpoint's answer
   */
  async resolve(address: string, options: ResolveOptions = {}): Promise<AgentCard> {
    const { cardPath, signal } = options;
    return calling(async () => {
      const [url = ''] = cardUrls(address, cardPath);
      const { card } = await this.finder(new URL(url).origin).find(address, cardPath, signal);
      return card;
    }, options);
  }

  /** Credentials are bound to an origin; without any, one finder serves all. */
  private finder(origin: string): CardFinder {
    const { auth, headers } = this.#options;
    const key = auth === undefined && headers === undefined ? '' : origin;
    let finder = this.#finders.get(key);
    if (finder === undefined) {
      finder = new AgentLink(origin, this.#options, this.#transport, origin).cardFinder();
      this.#finders.set(key, finder);
    }
    return finder;
  }
}

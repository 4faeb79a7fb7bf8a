import { Logger } from '@nestjs/common';
import type { AgentCard } from '../protocol/index.js';
import type { AgentConnection, AgentConnector } from './agent-connection.js';
import type { AgentLink } from './agent-link.js';
import type { ResolvedCard } from './card/card-finder.js';
import { SharedAttempt } from './shared-attempt.js';

/** Milliseconds that lie between two looks at the card at least, whatever its server says of caching. */
const LEAST_AGE = 60_000;

/** Finds the card of the agent; keeps to what HTTP says of caching. */
export type FindCard = (signal?: AbortSignal) => Promise<ResolvedCard>;

/**
 * The connector of a client whose card is fetched. Once there, a connection is used at once: when the card has expired,
 * it is looked at again beside the calls, and calls go by what was found from then on.
 */
export class CardConnector implements AgentConnector {
  private current: AgentConnection | undefined;
  private lookAgainAt = 0;
  private isExtended = false;
  private readonly connecting = new SharedAttempt(() => this.connect());
  private readonly looking = new SharedAttempt(() => this.look());
  private readonly logger: Logger;

  constructor(
    name: string,
    private readonly link: AgentLink,
    private readonly find: FindCard,
  ) {
    this.logger = new Logger(`A2AClient:${name}`);
  }

  async connection(signal?: AbortSignal): Promise<AgentConnection> {
    if (this.current === undefined) return await this.connecting.join(signal);
    if (!this.isExtended && Date.now() >= this.lookAgainAt) {
      this.lookAgainAt = Date.now() + LEAST_AGE;
      this.looking.join().catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.logger.warn(`The card could not be looked at again, so the last one stays: ${reason}`);
      });
    }
    return this.current;
  }

  async card(signal?: AbortSignal): Promise<AgentCard> {
    const { card } = await this.connection(signal);
    if (this.isExtended && card !== undefined) return card;
    return await this.looking.join(signal);
  }

  async useCard(card: AgentCard): Promise<void> {
    await this.link.useCard(card);
    this.current = { ...(await this.connection()), card };
    this.isExtended = true;
  }

  private async connect(): Promise<AgentConnection> {
    await this.link.prepare();
    return this.take(await this.find());
  }

  private async look(): Promise<AgentCard> {
    const found = await this.find();
    // The extended card may have come meanwhile.
    if (!this.isExtended && found.card !== this.current?.card) this.take(found);
    else this.schedule(found);
    return this.current?.card ?? found.card;
  }

  private take(found: ResolvedCard): AgentConnection {
    this.current = this.link.toCard(found.card);
    this.schedule(found);
    return this.current;
  }

  private schedule({ freshUntil }: ResolvedCard): void {
    this.lookAgainAt = Math.max(freshUntil, Date.now() + LEAST_AGE);
  }
}

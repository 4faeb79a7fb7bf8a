import { UnsupportedOperationError, type AgentCard, type AgentInterface } from '../protocol/index.js';
import type { ClientBinding } from './client-binding.js';

/** Where the calls of a client go: one interface of one agent. */
export interface AgentConnection {
  /** What the agent says of itself; absent where a client was made without a card. */
  readonly card: AgentCard | undefined;
  /** The interface that was chosen, its URL being the one really called. */
  readonly agentInterface: AgentInterface;
  readonly binding: ClientBinding;
}

/**
 * The way of one client to its agent. A client is made at once, and its card fetched when it is first needed: so each
 * call begins with {@link connection}.
 */
export interface AgentConnector {
  /**
   * The connection, made if there is none. Callers that come meanwhile share the attempt; a failed one is forgotten,
   * so that the next call tries again.
   *
   * @param signal ends the waiting of this caller only
   */
  connection(signal?: AbortSignal): Promise<AgentConnection>;

  /**
   * The card as it is now: fetched again, conditionally, once it has expired (§8.6.2).
   *
   * @throws UnsupportedOperationError if the client was made without a card
   */
  card(signal?: AbortSignal): Promise<AgentCard>;

  /** Goes by another card from now on, for this client only: the extended one. The interface stays. */
  useCard(card: AgentCard): Promise<void>;
}

/** The connector of a client whose interface is known from the start. */
export class FixedConnector implements AgentConnector {
  constructor(private current: AgentConnection) {}

  async connection(): Promise<AgentConnection> {
    return this.current;
  }

  async card(): Promise<AgentCard> {
    if (this.current.card !== undefined) return this.current.card;
    throw new UnsupportedOperationError('This client was made without an agent card');
  }

  async useCard(card: AgentCard): Promise<void> {
    this.current = { ...this.current, card };
  }
}

import { UnsupportedOperationError, type AgentCard } from '../protocol/index.js';
import type { AgentConnection, AgentConnector } from './agent-connection.js';
import type { AgentLink } from './agent-link.js';
import { SharedAttempt } from './shared-attempt.js';

/** The connector of a client whose card, or interface, was given: nothing is fetched but tokens. */
export class LazyConnector implements AgentConnector {
  private current: AgentConnection | undefined;
  private readonly connecting = new SharedAttempt(() => this.connect());

  constructor(
    private readonly link: AgentLink,
    private readonly make: () => AgentConnection,
  ) {}

  async connection(signal?: AbortSignal): Promise<AgentConnection> {
    return this.current ?? (await this.connecting.join(signal));
  }

  async card(signal?: AbortSignal): Promise<AgentCard> {
    const { card } = await this.connection(signal);
    if (card === undefined) throw new UnsupportedOperationError('This client was made without an agent card');
    return card;
  }

  async useCard(card: AgentCard): Promise<void> {
    await this.link.useCard(card);
    this.current = { ...(await this.connection()), card };
  }

  private async connect(): Promise<AgentConnection> {
    await this.link.prepare();
    return (this.current = this.make());
  }
}

import { ExtendedAgentCardNotConfiguredError, type AgentCard } from '../protocol/index.js';
import type { CallContext } from '../server/call-context.js';
import { LateExecutor } from './late-executor.js';
import type { ModuleAgent } from './module-agent.js';

/** What the engine asks for and is known only after the engine was made: handler and executor may need the engine. */
export class LateParts {
  readonly executor = new LateExecutor();
  agent: ModuleAgent | undefined;

  /** Whether the card accepts a media type as input. */
  acceptsMediaType(mediaType: string): boolean | Promise<boolean> {
    return this.agent?.acceptsMediaType(mediaType) ?? true;
  }

  /** The extended card for a caller. */
  async extendedCard(context: CallContext): Promise<AgentCard> {
    if (!this.agent?.extendedCard) throw new ExtendedAgentCardNotConfiguredError();
    return this.agent.extendedCard.of(context);
  }
}

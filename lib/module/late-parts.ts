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
}

import { reportError, type FrameEncoder } from '../../http/index.js';
import type { PublishedEvent } from '../../server/published-event.js';
import type { Dialect } from '../dialect.js';
import type { RequestId } from './envelope.js';
import { failure, successHead } from './json-rpc.answer.js';

/**
 * Events as JSON-RPC streams show them: a response object each (§9.4.2). The JSON of an event is made once for all
 * followers of a task; only the envelope differs.
 */
export class JsonRpcFrames implements FrameEncoder<PublishedEvent> {
  readonly #head: string;

  constructor(
    private readonly id: RequestId,
    private readonly dialect: Dialect,
  ) {
    this.#head = `data: ${successHead(id)}`;
  }

  event(event: PublishedEvent): string {
    const id = event.seq > 0 ? `id: ${event.seq}\n` : '';
    return `${id}${this.#head}${this.dialect.event(event)}}\n\n`;
  }

  error(error: unknown): string {
    return `data: ${failure(this.id, reportError(error), this.dialect.version)}\n\n`;
  }
}

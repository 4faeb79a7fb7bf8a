import { reportError, type FrameEncoder } from '../../http/index.js';
import type { PublishedEvent } from '../../server/published-event.js';
import type { RequestId } from './envelope.js';
import { failure, successHead } from './json-rpc.answer.js';

const END = Buffer.from('}\n\n');

/** The JSON of events, made once for all followers of a task; only the envelope differs. */
const bodies = new WeakMap<PublishedEvent, Buffer>();

/** Events as JSON-RPC streams show them: a response object each (§9.4.2). */
export class JsonRpcFrames implements FrameEncoder<PublishedEvent> {
  readonly #head: string;

  constructor(private readonly id: RequestId) {
    this.#head = `data: ${successHead(id)}`;
  }

  event(event: PublishedEvent): Buffer {
    let body = bodies.get(event);
    if (!body) bodies.set(event, (body = Buffer.from(event.json)));
    const head = event.seq > 0 ? `id: ${event.seq}\n${this.#head}` : this.#head;
    return Buffer.concat([Buffer.from(head), body, END]);
  }

  error(error: unknown): Buffer {
    return Buffer.from(`data: ${failure(this.id, reportError(error))}\n\n`);
  }
}

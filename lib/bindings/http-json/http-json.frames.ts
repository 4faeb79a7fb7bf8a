import { reportError, statusBody, type FrameEncoder } from '../../http/index.js';
import type { PublishedEvent } from '../../server/published-event.js';

/** Events as HTTP+JSON streams show them (§11.7). A frame is made once for all followers of a task. */
class HttpJsonFrames implements FrameEncoder<PublishedEvent> {
  readonly #made = new WeakMap<PublishedEvent, Buffer>();

  event(event: PublishedEvent): Buffer {
    const known = this.#made.get(event);
    if (known) return known;
    const id = event.seq > 0 ? `id: ${event.seq}\n` : '';
    const frame = Buffer.from(`${id}data: ${event.json}\n\n`);
    this.#made.set(event, frame);
    return frame;
  }

  error(error: unknown): Buffer {
    return Buffer.from(`event: error\ndata: ${statusBody(reportError(error))}\n\n`);
  }
}

export const httpJsonFrames = new HttpJsonFrames();

import { reportError, statusBody, type FrameEncoder } from '../../http/index.js';
import type { PublishedEvent } from '../../server/published-event.js';

/** Events as HTTP+JSON streams show them (§11.7). Their JSON is made once for all followers of a task. */
class HttpJsonFrames implements FrameEncoder<PublishedEvent> {
  event(event: PublishedEvent): string {
    const id = event.seq > 0 ? `id: ${event.seq}\n` : '';
    return `${id}data: ${event.json}\n\n`;
  }

  error(error: unknown): string {
    return `event: error\ndata: ${statusBody(reportError(error))}\n\n`;
  }
}

export const httpJsonFrames = new HttpJsonFrames();

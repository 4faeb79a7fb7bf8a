import type { StreamResponse } from '../protocol/index.js';
import type { PublishedEvent } from './published-event.js';
import type { TaskStream } from './task-stream.js';

/** Reads a stream event by event; leaving the iteration closes it. */
export function streamIterator(
  stream: Omit<TaskStream, typeof Symbol.asyncIterator>,
): AsyncIterator<StreamResponse> {
  const buffer: PublishedEvent[] = [];
  let wake = (): void => undefined;
  stream.onReadable(() => {
    wake();
  });
  return {
    next: async () => {
      for (;;) {
        if (buffer.length === 0) buffer.push(...stream.take());
        const event = buffer.shift();
        if (event) return { done: false, value: event.payload };
        if (stream.ended) {
          if (stream.error !== undefined) throw stream.error;
          return { done: true, value: undefined };
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    return: () => {
      stream.close();
      wake();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}

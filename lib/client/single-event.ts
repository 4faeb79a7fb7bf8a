import type { StreamResponse } from '../protocol/index.js';
import type { EventStream, ReceivedEvent } from './client-binding.js';

/** A stream of one event: what a unary answer amounts to. */
export function singleEvent(event: StreamResponse): EventStream {
  return {
    retry: undefined,
    isWhole: true,
    close: () => undefined,
    async *[Symbol.asyncIterator](): AsyncGenerator<ReceivedEvent, void, undefined> {
      yield { event };
    },
  };
}

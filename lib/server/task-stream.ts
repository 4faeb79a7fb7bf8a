import type { StreamResponse } from '../protocol/index.js';
import type { PublishedEvent } from './published-event.js';

/**
 * A stream of events as the default handler gives it: iterable like any other, and readable in batches without
 * waiting, which lets a binding write everything that is there at once and pause while its socket is full.
 */
export interface TaskStream extends AsyncIterable<StreamResponse> {
  /** The events that are there now, oldest first, at most `limit`, and none behind `size` characters; never waits. */
  take(limit?: number, size?: number): PublishedEvent[];
  /** Whether no event will come after those that `take` has yet to give. */
  readonly ended: boolean;
  /** Why the stream broke off, if it did not end by itself; known once `ended`. */
  readonly error: Error | undefined;
  /** Whether the stream counts as open before its first event, which may be long in coming. Default `false`. */
  readonly opensSilently?: boolean;
  /** Calls `listener` (one per stream) whenever there may be something new to take, or the stream has ended. */
  onReadable(listener: () => void): void;
  /** Stops following. The task goes on. */
  close(): void;
}

/** Whether a stream can be read in batches. */
export function isTaskStream(stream: AsyncIterable<StreamResponse>): stream is TaskStream {
  return typeof (stream as Partial<TaskStream>).take === 'function';
}

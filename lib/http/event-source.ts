/** Events that can be read in batches without waiting. */
export interface EventSource<E> {
  /** The events that are there now, oldest first, at most `limit`, and none behind `size` characters. */
  take(limit?: number, size?: number): E[];
  /** Whether no event will come after those that `take` has yet to give. */
  readonly ended: boolean;
  /** Why it broke off, if it did not end by itself; known once `ended`. */
  readonly error: unknown;
  /** Whether its stream is answered before the first event, which may be long in coming. Default `false`. */
  readonly opensSilently?: boolean;
  /** Calls `listener` (the last one given) whenever there may be something new to take, or nothing will come. */
  onReadable(listener: () => void): void;
  /** Nobody reads on. */
  close(): void;
}

/**
 * Spells events as server-sent ones. As text, not bytes: Node writes a chunk of text in one piece, and a chunk of
 * bytes in four, which is twice as dear.
 */
export interface FrameEncoder<E> {
  event(event: E): string;
  /** The last frame of a stream that breaks off. */
  error(error: unknown): string;
}

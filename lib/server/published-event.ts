import type { StreamResponse, TaskEvent } from '../protocol/index.js';

/**
 * An event as followers get it. Its JSON is made once, however many followers and bindings there are.
 *
 * @publicApi
 */
export class PublishedEvent {
  #json: string | undefined;

  constructor(
    /** Number of the event within its task; the `id` of a server-sent event. */
    readonly seq: number,
    readonly payload: StreamResponse,
  ) {}

  /** The JSON of the payload. */
  get json(): string {
    return (this.#json ??= JSON.stringify(this.payload));
  }
}

/** What streams show of the events in a store. */
export function shownOf(events: readonly TaskEvent[]): PublishedEvent[] {
  const shown: PublishedEvent[] = [];
  for (const { seq, ...payload } of events) {
    if (!('message' in payload || 'patch' in payload)) shown.push(new PublishedEvent(seq, payload));
  }
  return shown;
}

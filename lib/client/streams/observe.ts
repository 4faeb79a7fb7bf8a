import { Observable, type Subscriber } from 'rxjs';
import type { StreamResponse } from '../../protocol/index.js';
import type { A2AStream } from './a2a-stream.js';

type AgentEvent = StreamResponse<Uint8Array>;

/** A stream as an observable: subscribing reads it, unsubscribing closes its connection at once. */
export function observe(stream: A2AStream): Observable<AgentEvent> {
  return new Observable((subscriber) => {
    let events: A2AStream;
    try {
      events = stream[Symbol.asyncIterator]();
    } catch (error) {
      // Somebody else reads it, who must not be disturbed.
      subscriber.error(error);
      return;
    }
    deliver(events, subscriber).catch((error: unknown) => subscriber.error(error));
    return () => stream.close();
  });
}

async function deliver(events: A2AStream, subscriber: Subscriber<AgentEvent>): Promise<void> {
  for (;;) {
    const { done, value } = await events.next();
    if (done) break;
    subscriber.next(value);
  }
  subscriber.complete();
}

/**
 * The extension under which a subscription goes on behind the last event that its client has, instead of starting with the
 * task; `docs/event-replay.md` specifies it. An agent declares it when its task store keeps events.
 *
 * @publicApi
 */
export const EVENT_REPLAY_EXTENSION = 'urn:nest-a2a:extension:event-replay:v1';

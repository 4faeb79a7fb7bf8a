import { isDeepStrictEqual } from 'node:util';
import type { StreamResponse, TaskArtifactUpdateEvent } from '../protocol/index.js';
import { newId } from '../server/new-id.js';
import type { TaskNotice } from '../server/push-notifications.js';
import { ChangePayload } from './change-payload.js';
import type { MergeInto } from './delivery-queue.js';
import type { PushConfigRecord } from './push-notification-config-store.js';
import type { PushNotification, RegisteredPushConfig } from './push-notification-sender.js';

/** What a notice says to all webhooks: the task as it was then, or the event itself. */
export function payloadOf({ event, moment }: TaskNotice): ChangePayload {
  return new ChangePayload(moment ? () => ({ task: moment.toTask() }) : () => event.payload);
}

/** One change on its way to one webhook. */
export class ChangeNotification implements PushNotification {
  /** The artifact events that came to be one notification. */
  #pieces: TaskArtifactUpdateEvent[] | undefined;
  #payload: ChangePayload;

  constructor(
    private readonly webhook: PushConfigRecord,
    payload: ChangePayload,
    // Made when it is first read: most of the work of a change must not be done while the task waits.
    private knownId?: string,
  ) {
    this.#payload = payload;
  }

  get id(): string {
    return (this.knownId ??= newId());
  }

  get config(): RegisteredPushConfig {
    return this.webhook.config;
  }

  get version(): string {
    return this.webhook.version;
  }

  get event(): StreamResponse {
    return this.#payload.event;
  }

  get body(): string {
    return this.#payload.bodyIn(this.version);
  }

  /** The same notification for the webhook as it is now; itself where nothing has changed. */
  to(webhook: PushConfigRecord): ChangeNotification {
    if (isDeepStrictEqual(webhook, this.webhook)) return this;
    const other = new ChangeNotification(webhook, this.#payload, this.id);
    other.#pieces = this.#pieces;
    return other;
  }

  /** Takes in a piece that continues the artifact of this event; tells whether it did. */
  append(piece: TaskArtifactUpdateEvent): boolean {
    const pieces = this.#pieces ?? [this.event.artifactUpdate].filter((first) => first !== undefined);
    const [first] = pieces;
    if (first?.artifact.artifactId !== piece.artifact.artifactId || !piece.append) return false;
    pieces.push(piece);
    if (!this.#pieces) {
      this.#pieces = pieces;
      this.#payload = new ChangePayload(() => ({ artifactUpdate: joined(pieces) }));
    }
    return true;
  }
}

/**
 * How a notice may be merged with the one before it where too many wait. Only changes of artifacts are: of a task the newer
 * state is enough, and pieces of an artifact become a larger piece.
 */
export function mergeOf(
  notification: ChangeNotification,
  { event, moment }: TaskNotice,
): MergeInto | undefined {
  const { artifactUpdate } = event.payload;
  if (!artifactUpdate) return undefined;
  if (moment) return () => notification;
  return (waiting) =>
    waiting instanceof ChangeNotification && waiting.append(artifactUpdate) ? waiting : undefined;
}

function joined(pieces: readonly TaskArtifactUpdateEvent[]): TaskArtifactUpdateEvent {
  const all = pieces.map(({ artifact }) => artifact);
  const parts = all.flatMap((artifact) => artifact.parts);
  // As folding does it: what a later piece says of the artifact wins, and so does its `lastChunk`.
  const event = Object.assign({}, ...pieces) as TaskArtifactUpdateEvent;
  const artifact = { ...(Object.assign({}, ...all) as TaskArtifactUpdateEvent['artifact']), parts };
  const { append: _append, ...rest } = event;
  return { ...rest, artifact, ...(pieces[0]?.append && { append: true }) };
}

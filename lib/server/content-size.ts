import type {
  Message,
  Part,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from '../protocol/index.js';

/** What an event counts for besides its content: ids, names and punctuation of its JSON. */
const ENVELOPE = 256;

/** What a `data` part counts for: to know its real size one would have to write it. */
const DATA = 1024;

/** What of an event or change may be large. */
interface Sizeable {
  readonly artifactUpdate?: TaskArtifactUpdateEvent;
  readonly statusUpdate?: TaskStatusUpdateEvent;
  readonly message?: Message;
  // Neither is published often enough to matter.
  readonly task?: unknown;
  readonly patch?: unknown;
}

/** About how many characters the JSON of an event has. */
export function contentSize({ artifactUpdate, statusUpdate, message }: Sizeable): number {
  const parts = (artifactUpdate?.artifact ?? statusUpdate?.status.message ?? message)?.parts ?? [];
  let size = ENVELOPE;
  for (const part of parts) size += partSize(part);
  return size;
}

/** Whether the content of a task is certainly longer than so many characters. */
export function isLonger({ history = [], artifacts = [] }: Task, limit: number): boolean {
  let size = 0;
  for (const { parts } of [...artifacts, ...history]) {
    for (const part of parts) if ((size += partSize(part)) > limit) return true;
  }
  return false;
}

function partSize({ text, raw, url }: Part): number {
  return (text ?? raw ?? url)?.length ?? DATA;
}

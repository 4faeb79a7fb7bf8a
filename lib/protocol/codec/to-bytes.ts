import type { Artifact, Message, Part, StreamResponse, Task, TaskStatus } from '../types/index.js';

/**
 * The message or artifact as an agent gets it, with bytes instead of base64. Parts that hold no bytes are the same
 * objects as before.
 */
export function toBytes(message: Message): Message<Uint8Array>;
export function toBytes(artifact: Artifact): Artifact<Uint8Array>;
export function toBytes<T extends { parts: Part[] }>(
  holder: T,
): Omit<T, 'parts'> & { parts: Part<Uint8Array>[] } {
  return { ...holder, parts: holder.parts.map(partToBytes) };
}

/** {@link toBytes} of the status message, the artifacts and the history of a task. */
export function taskToBytes({ status, artifacts, history, ...task }: Task): Task<Uint8Array> {
  return {
    ...task,
    status: statusToBytes(status),
    ...(artifacts && { artifacts: artifacts.map((artifact) => toBytes(artifact)) }),
    ...(history && { history: history.map((entry) => toBytes(entry)) }),
  };
}

/** {@link toBytes} of whatever an event of a stream holds. An update without bytes is given back as it is. */
export function eventToBytes(event: StreamResponse): StreamResponse<Uint8Array> {
  if (event.artifactUpdate) {
    const { artifact } = event.artifactUpdate;
    if (!holdsBytes(artifact)) return event as StreamResponse<never>;
    return { ...event, artifactUpdate: { ...event.artifactUpdate, artifact: toBytes(artifact) } };
  }
  if (event.statusUpdate) {
    const { status } = event.statusUpdate;
    if (!status.message || !holdsBytes(status.message)) return event as StreamResponse<never>;
    return { ...event, statusUpdate: { ...event.statusUpdate, status: statusToBytes(status) } };
  }
  if (event.message) return { ...event, message: toBytes(event.message) };
  return { ...event, task: taskToBytes(event.task) };
}

function statusToBytes({ message, ...status }: TaskStatus): TaskStatus<Uint8Array> {
  return { ...status, ...(message && { message: toBytes(message) }) };
}

function holdsBytes({ parts }: { parts: readonly Part[] }): boolean {
  return parts.some(({ raw }) => raw !== undefined);
}

function partToBytes(part: Part): Part<Uint8Array> {
  if (part.raw === undefined) return part;
  // Own memory: a slice of Node's shared pool would let an agent see bytes of others.
  const bytes = new Uint8Array(Buffer.byteLength(part.raw, 'base64'));
  Buffer.from(bytes.buffer).write(part.raw, 'base64');
  return { ...part, raw: bytes };
}

import type { Artifact, JsonObject, Message, Part, Task, TaskStatus } from '../types/index.js';

/** The first entries of a list that only grows. */
export interface Prefix<T> {
  readonly entries: readonly T[];
  readonly length: number;
}

/** An artifact at one moment: what it says of itself, and the parts that it had. */
export interface ArtifactMoment {
  readonly artifact: Artifact;
  readonly parts: Prefix<Part>;
}

interface Head {
  readonly id: string;
  readonly contextId: string | undefined;
  readonly status: TaskStatus;
  readonly metadata: JsonObject | undefined;
}

/** A task as it stood once, whatever has become of it since. Many moments of one task share what did not change. */
export class TaskMoment {
  constructor(
    private readonly head: Head,
    private readonly artifacts: readonly ArtifactMoment[],
    private readonly history: Prefix<Message>,
  ) {}

  /** Puts the task together, at a cost that grows with it. What is in it is frozen. */
  toTask(): Task {
    const { id, contextId, status, metadata } = this.head;
    const task = { id } as Task;
    if (contextId !== undefined) task.contextId = contextId;
    task.status = status;
    if (this.artifacts.length > 0) {
      task.artifacts = this.artifacts.map(({ artifact, parts }) => artifactOf(artifact, taken(parts)));
    }
    if (this.history.length > 0) task.history = taken(this.history);
    if (metadata !== undefined) task.metadata = metadata;
    return task;
  }
}

/** An artifact with these parts, keys in a fixed order. */
export function artifactOf(
  { artifactId, name, description, metadata, extensions }: Artifact,
  parts: Part[],
): Artifact {
  const artifact = { artifactId } as Artifact;
  if (name !== undefined) artifact.name = name;
  if (description !== undefined) artifact.description = description;
  artifact.parts = parts;
  if (metadata !== undefined) artifact.metadata = { ...metadata };
  if (extensions !== undefined) artifact.extensions = [...extensions];
  return artifact;
}

function taken<T>({ entries, length }: Prefix<T>): T[] {
  return entries.slice(0, length);
}

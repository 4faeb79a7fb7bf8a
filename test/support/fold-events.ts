import type { Artifact, StreamResponse, Task, TaskStatusUpdateEvent } from '../../lib/protocol/index.js';

/** Folds a stream as a client would (§4.2). Written apart from the library, so that the two can disagree. */
export function foldEvents(events: readonly StreamResponse[]): Task {
  let task: Task | undefined;
  for (const event of structuredClone(events)) {
    if (event.task) {
      task = event.task;
      continue;
    }
    if (!task) throw new Error('The stream does not start with a task');
    if (event.statusUpdate) foldStatus(task, event.statusUpdate);
    if (event.artifactUpdate) foldArtifact(task, event.artifactUpdate.artifact, event.artifactUpdate.append);
  }
  if (!task) throw new Error('The stream has no task');
  return task;
}

function foldStatus(task: Task, { status, metadata }: TaskStatusUpdateEvent): void {
  const { message } = task.status;
  if (message) task.history = [...(task.history ?? []), message];
  task.status = status;
  if (metadata) task.metadata = { ...task.metadata, ...metadata };
}

function foldArtifact(task: Task, artifact: Artifact, append = false): void {
  const artifacts = (task.artifacts ??= []);
  const index = artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  if (index === -1) artifacts.push(artifact);
  else if (append)
    artifacts[index] = {
      ...artifacts[index]!,
      ...artifact,
      parts: [...artifacts[index]!.parts, ...artifact.parts],
    };
  else artifacts[index] = artifact;
}

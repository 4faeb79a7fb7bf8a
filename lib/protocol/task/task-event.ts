import type { Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '../types/index.js';

/**
 * One change of a task. Events are immutable, and folding them in the order of `seq` gives the task.
 *
 * - `task`: the task as it is made, always the first event.
 * - `message`: a message of the user joins the history; a status message before it moves there first. Not streamed.
 * - `patch`: metadata that replaces the task's, and messages that join the history. Not streamed.
 * - `statusUpdate`: as streams show it; the message of the status before it moves to the history, and its metadata joins that of
 *   the task, key by key.
 * - `artifactUpdate`: as streams show it; `append` adds the parts, and other fields win where they are present.
 *
 * A message whose id the history has already does not join it again, unless it is the user's and says something else.
 *
 * @publicApi
 */
export type TaskEvent = { readonly seq: number } & (
  | { readonly task: Task }
  | { readonly message: Message }
  | { readonly patch: Pick<Task, 'history' | 'metadata'> }
  | { readonly statusUpdate: TaskStatusUpdateEvent }
  | { readonly artifactUpdate: TaskArtifactUpdateEvent }
);

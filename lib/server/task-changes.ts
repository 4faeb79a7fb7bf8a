import {
  deepFreeze,
  InvalidAgentResponseError,
  Role,
  StreamResponseSchema,
  type Artifact,
  type Message,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskEvent,
  type TaskState,
  type TaskStatus,
  type TaskStatusUpdateEvent,
} from '../protocol/index.js';
import { checked, type TaskIds } from './agent-content.js';

/** A change of a task that has no number yet. */
export type TaskChange = TaskEvent extends infer E ? (E extends unknown ? Omit<E, 'seq'> : never) : never;

/** The change to `state`, dated now. */
export function statusChange(ids: Required<TaskIds>, state: TaskState, message?: Message): TaskChange {
  const timestamp = new Date().toISOString();
  const status = message ? { state, message, timestamp } : { state, timestamp };
  return deepFreeze({ statusUpdate: { taskId: ids.taskId, contextId: ids.contextId, status } });
}

/** The change that adds an artifact, or parts to one. */
export function artifactChange(
  ids: Required<TaskIds>,
  artifact: Artifact,
  flags: { append?: boolean | undefined; lastChunk?: boolean | undefined },
): TaskChange {
  const artifactUpdate: TaskArtifactUpdateEvent = { taskId: ids.taskId, contextId: ids.contextId, artifact };
  if (flags.append) artifactUpdate.append = true;
  if (flags.lastChunk) artifactUpdate.lastChunk = true;
  return deepFreeze({ artifactUpdate });
}

/** What an event that an agent made itself means: a direct message, or changes of its task. */
export function changesOf(
  event: StreamResponse,
  ids: Required<TaskIds>,
  current: TaskState,
  nesting: number,
): { message: Message } | { changes: TaskChange[] } {
  const known = checked(StreamResponseSchema, completed(event, ids, current), 'event', nesting);
  if (known.message) return { message: known.message };
  for (const { taskId, contextId } of named(known)) {
    if (taskId !== ids.taskId || contextId !== ids.contextId) {
      throw new InvalidAgentResponseError(
        `The agent published an event of task ${taskId} in context ${contextId ?? '(none)'}; its turn is on task ${ids.taskId} in context ${ids.contextId}`,
      );
    }
  }
  if (known.task) return { changes: taskChanges(known.task, ids, event.task?.status !== undefined) };
  return { changes: [known] };
}

function named({
  task,
  statusUpdate,
  artifactUpdate,
}: StreamResponse): { taskId: string; contextId: string | undefined }[] {
  if (task) return [{ taskId: task.id, contextId: task.contextId }];
  const update = statusUpdate ?? artifactUpdate;
  return update ? [{ taskId: update.taskId, contextId: update.contextId }] : [];
}

/** A Task that an agent publishes updates what it names; streams show that as the updates they know. */
function taskChanges(task: Task, ids: Required<TaskIds>, namesStatus: boolean): TaskChange[] {
  const changes = (task.artifacts ?? []).map((artifact) => artifactChange(ids, artifact, {}));
  const { history, metadata } = task;
  if (history || metadata) {
    changes.push(deepFreeze({ patch: { ...(history && { history }), ...(metadata && { metadata }) } }));
  }
  if (namesStatus)
    changes.push(
      deepFreeze({ statusUpdate: { taskId: ids.taskId, contextId: ids.contextId, status: task.status } }),
    );
  return changes;
}

/** Events come from code that may not be typed: anything in them may be missing or of another type. */
type Draft<T> = { [K in keyof T]?: T[K] | undefined };
interface EventDraft {
  task?: Draft<Task> | undefined;
  message?: Draft<Message> | undefined;
  statusUpdate?: Draft<TaskStatusUpdateEvent> | undefined;
  artifactUpdate?: Draft<TaskArtifactUpdateEvent> | undefined;
}

/** Fills in what the library knows better than the agent: ids, dates, the role of a message. */
function completed(
  event: EventDraft | null | undefined,
  ids: Required<TaskIds>,
  current: TaskState,
): unknown {
  if (event === null || event === undefined) return event;
  const { task, statusUpdate, artifactUpdate, message } = event;
  if (message) return { ...event, message: said(message, { contextId: ids.contextId }) };
  if (task) return { ...event, task: completedTask(task, ids, current) };
  if (statusUpdate) {
    return { ...event, statusUpdate: { ...ids, ...statusUpdate, status: dated(statusUpdate.status, ids) } };
  }
  if (artifactUpdate) return { ...event, artifactUpdate: { ...ids, ...artifactUpdate } };
  return event;
}

function completedTask(task: Draft<Task>, ids: Required<TaskIds>, current: TaskState): unknown {
  return {
    ...task,
    id: task.id ?? ids.taskId,
    contextId: task.contextId ?? ids.contextId,
    status: dated(task.status ?? { state: current }, ids),
    ...(Array.isArray(task.history) && { history: task.history.map((message) => said(message, ids)) }),
  };
}

function dated(status: Draft<TaskStatus> | undefined, ids: Required<TaskIds>): unknown {
  if (typeof status !== 'object' || (status as unknown) === null) return status;
  const { message, timestamp } = status;
  return { ...status, ...(message && { message: said(message, ids) }), timestamp: timestamp ?? new Date() };
}

function said(message: Draft<Message>, ids: TaskIds): unknown {
  return typeof message === 'object' ? { ...message, role: message.role ?? Role.Agent, ...ids } : message;
}

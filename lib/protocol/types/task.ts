import type { JsonObject } from './json.js';
import type { Message, Part } from './message.js';
import type { TaskState } from '../task-state.js';

/** The state of a task and when it was reached (§4.1.2). */
export interface TaskStatus<Raw = string> {
  state: TaskState;
  /** What the agent says about this state, for example the question behind `TASK_STATE_INPUT_REQUIRED`. */
  message?: Message<Raw>;
  /** UTC with milliseconds, `YYYY-MM-DDTHH:mm:ss.sssZ` (§5.6.1). */
  timestamp?: string;
}

/** Something that the agent produced (§4.1.7). */
export interface Artifact<Raw = string> {
  /** Unique within its task. */
  artifactId: string;
  name?: string;
  description?: string;
  /** At least one. */
  parts: Part<Raw>[];
  metadata?: JsonObject;
  extensions?: string[];
}

/** A unit of work with a life cycle (§4.1.1). */
export interface Task<Raw = string> {
  /** Made by the agent. */
  id: string;
  contextId?: string;
  status: TaskStatus<Raw>;
  artifacts?: Artifact<Raw>[];
  /** The messages exchanged so far, oldest first. The current status message is not part of it yet. */
  history?: Message<Raw>[];
  metadata?: JsonObject;
}

/** The status of a task changed (§4.2.1). */
export interface TaskStatusUpdateEvent<Raw = string> {
  taskId: string;
  contextId: string;
  status: TaskStatus<Raw>;
  metadata?: JsonObject;
}

/** An artifact was added, extended or replaced (§4.2.2). */
export interface TaskArtifactUpdateEvent<Raw = string> {
  taskId: string;
  contextId: string;
  artifact: Artifact<Raw>;
  /** `true` adds the parts to the artifact with the same id; otherwise the artifact is replaced. */
  append?: boolean;
  /** `true` on the last piece of the artifact. */
  lastChunk?: boolean;
  metadata?: JsonObject;
}

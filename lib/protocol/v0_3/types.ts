import type { JsonObject } from '../types/index.js';

/**
 * The messages of protocol 0.3 as its JSON-RPC binding has them: with `kind`, and with words in lower case. Sections are those
 * of the specification of 0.3.0.
 */

/** Who a message comes from (0.3 §6.4). */
export type Role03 = 'user' | 'agent';

/** The states of a task (0.3 §6.3). */
export type TaskState03 =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'completed'
  | 'canceled'
  | 'failed'
  | 'rejected'
  | 'auth-required'
  | 'unknown';

export interface TextPart03 {
  kind: 'text';
  text: string;
  metadata?: JsonObject;
}

/** A file by its content or by its address: one of `bytes` and `uri`. */
export interface File03 {
  /** Base64. */
  bytes?: string;
  uri?: string;
  name?: string;
  mimeType?: string;
}

export interface FilePart03 {
  kind: 'file';
  file: File03;
  metadata?: JsonObject;
}

/** Objects alone: other values travel inside of one (see {@link DATA_PART_COMPAT}). */
export interface DataPart03 {
  kind: 'data';
  data: JsonObject;
  metadata?: JsonObject;
}

/** One piece of content (0.3 §6.5). */
export type Part03 = TextPart03 | FilePart03 | DataPart03;

/** One message of a conversation (0.3 §6.4). */
export interface Message03 {
  kind: 'message';
  messageId: string;
  contextId?: string;
  taskId?: string;
  role: Role03;
  parts: Part03[];
  metadata?: JsonObject;
  extensions?: string[];
  referenceTaskIds?: string[];
}

/** The state of a task (0.3 §6.2). */
export interface TaskStatus03 {
  state: TaskState03;
  message?: Message03;
  timestamp?: string;
}

/** Something that the agent produced (0.3 §6.7). */
export interface Artifact03 {
  artifactId: string;
  name?: string;
  description?: string;
  parts: Part03[];
  metadata?: JsonObject;
  extensions?: string[];
}

/** A unit of work (0.3 §6.1). */
export interface Task03 {
  kind: 'task';
  id: string;
  contextId: string;
  status: TaskStatus03;
  artifacts?: Artifact03[];
  history?: Message03[];
  metadata?: JsonObject;
}

/** The status of a task changed (0.3 §7.2.2). */
export interface TaskStatusUpdateEvent03 {
  kind: 'status-update';
  taskId: string;
  contextId: string;
  status: TaskStatus03;
  /** Whether the stream ends with this event. */
  final: boolean;
  metadata?: JsonObject;
}

/** An artifact was added, extended or replaced (0.3 §7.2.3). */
export interface TaskArtifactUpdateEvent03 {
  kind: 'artifact-update';
  taskId: string;
  contextId: string;
  artifact: Artifact03;
  append?: boolean;
  lastChunk?: boolean;
  metadata?: JsonObject;
}

/** What a message is answered with, and one item of a stream: told by its `kind`. */
export type Event03 = Task03 | Message03 | TaskStatusUpdateEvent03 | TaskArtifactUpdateEvent03;

/** How a webhook wants to be authenticated to (0.3 §6.9). */
export interface PushAuthentication03 {
  schemes: string[];
  credentials?: string;
}

/** A webhook (0.3 §6.8). */
export interface PushConfig03 {
  id?: string;
  url: string;
  token?: string;
  authentication?: PushAuthentication03;
}

/** A webhook and the task that it is for (0.3 §6.10). */
export interface TaskPushConfig03 {
  taskId: string;
  pushNotificationConfig: PushConfig03;
}

/** How a send is to be carried out (0.3 §7.1.1). */
export interface SendConfiguration03 {
  acceptedOutputModes?: string[];
  historyLength?: number;
  pushNotificationConfig?: PushConfig03;
  /** Whether the answer waits until the task is done. Agents of 0.3 take an absent one for `true`. */
  blocking?: boolean;
}

/** Parameters of `message/send` and `message/stream` (0.3 §7.1.1). */
export interface SendParams03 {
  message: Message03;
  configuration?: SendConfiguration03;
  metadata?: JsonObject;
}

/** Parameters of `tasks/cancel`, `tasks/resubscribe` and `tasks/pushNotificationConfig/list` (0.3 §7.4.1). */
export interface TaskIdParams03 {
  id: string;
  metadata?: JsonObject;
}

/** Parameters of `tasks/get` (0.3 §7.3.1). */
export interface TaskQueryParams03 extends TaskIdParams03 {
  historyLength?: number;
}

/** Parameters of `tasks/pushNotificationConfig/get`, where the id may be missing, and of `…/delete` (0.3 §7.6.1, §7.8.1). */
export interface PushConfigIdParams03 extends TaskIdParams03 {
  pushNotificationConfigId?: string;
}

/** An error of the JSON-RPC binding, and the body of one over HTTP+JSON (0.3 §6.12). */
export interface Error03 {
  code: number;
  message: string;
  data?: unknown;
}

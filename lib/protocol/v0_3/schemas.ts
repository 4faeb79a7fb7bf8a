import { bool, essential, list, message, required, string, struct, text } from '../codec/fields.js';
import { defineSchema } from '../codec/schema.js';
import { flag, kind, looseTimestamp, mapped, oneKindOf, word, type Form03 } from './fields.js';
import { partField } from './parts.js';
import type {
  Artifact03,
  Event03,
  Message03,
  Part03,
  Task03,
  TaskArtifactUpdateEvent03,
  TaskStatus03,
  TaskStatusUpdateEvent03,
} from './types.js';
import { roleOfName, stateOfName, ROLES_03, STATES_03 } from './words.js';

interface Wrapped {
  task: Task03;
  message: Message03;
  statusUpdate: TaskStatusUpdateEvent03;
  artifactUpdate: TaskArtifactUpdateEvent03;
}

type ContentMessage = Omit<Message03, 'parts'> & { content: Part03[] };

/** The tables of one form of 0.3. */
function tablesOf(form: Form03) {
  const part = partField(form);
  const role = word(form, ROLES_03, roleOfName);
  const state = word(form, STATES_03, stateOfName);

  const messageFields = {
    kind: kind('message'),
    messageId: required(string()),
    contextId: string(),
    taskId: string(),
    role: required(role),
    metadata: struct(),
    extensions: list(text()),
    referenceTaskIds: list(text()),
  };
  const parts = required(list(part, { min: 1 }));
  const byParts = message(defineSchema<Message03>('Message', { ...messageFields, parts }));
  // What the proto of 0.3 calls them.
  const byContent = mapped(
    message(defineSchema<ContentMessage>('Message', { ...messageFields, content: parts })),
    ({ content, ...same }): Message03 => ({ ...same, parts: content }),
  );
  const messageField =
    form === 'json'
      ? byParts
      : oneKindOf<Message03>('a message', ({ content }) => (isGiven(content) ? byContent : byParts));

  const StatusSchema = defineSchema<TaskStatus03>('TaskStatus', {
    state: essential(state),
    message: messageField,
    timestamp: looseTimestamp(),
  });

  const ArtifactSchema = defineSchema<Artifact03>('Artifact', {
    artifactId: required(string()),
    name: string(),
    description: string(),
    parts,
    metadata: struct(),
    extensions: list(text()),
  });

  const TaskSchema = defineSchema<Task03>('Task', {
    kind: kind('task'),
    id: essential(string()),
    contextId: required(string()),
    status: essential(message(StatusSchema)),
    artifacts: list(message(ArtifactSchema)),
    history: list(messageField),
    metadata: struct(),
  });

  const StatusUpdateSchema = defineSchema<TaskStatusUpdateEvent03>('TaskStatusUpdateEvent', {
    kind: kind('status-update'),
    taskId: essential(string()),
    contextId: required(string()),
    status: essential(message(StatusSchema)),
    final: flag(),
    metadata: struct(),
  });

  const ArtifactUpdateSchema = defineSchema<TaskArtifactUpdateEvent03>('TaskArtifactUpdateEvent', {
    kind: kind('artifact-update'),
    taskId: essential(string()),
    contextId: required(string()),
    artifact: essential(message(ArtifactSchema)),
    append: bool(),
    lastChunk: bool(),
    metadata: struct(),
  });

  const events = {
    task: message(TaskSchema),
    message: messageField,
    'status-update': message(StatusUpdateSchema),
    'artifact-update': message(ArtifactUpdateSchema),
  };

  /** Told by `kind`, or by what it has. */
  const bare = oneKindOf<Event03>('an event', (value, decoder) => {
    const given = value.kind ?? inferredKind(value);
    if (typeof given === 'string' && Object.hasOwn(events, given))
      return events[given as keyof typeof events];
    if (given === undefined) return decoder.fault('is no task, message or update of protocol version 0.3');
    return decoder.fault(`must be one of ${Object.keys(events).join(', ')}`, ['kind']);
  });

  // As the proto of 0.3 has it.
  const wrapped = mapped(
    message(
      defineSchema<Partial<Wrapped>>(
        'StreamResponse',
        {
          task: events.task,
          message: events.message,
          statusUpdate: events['status-update'],
          artifactUpdate: events['artifact-update'],
        },
        { noun: 'an event', members: ['task', 'message', 'statusUpdate', 'artifactUpdate'] },
      ),
    ),
    ({ task, message: direct, statusUpdate, artifactUpdate }): Event03 =>
      task ?? direct ?? statusUpdate ?? (artifactUpdate as Event03),
  );

  return {
    message: messageField,
    task: events.task,
    /** What a message is answered with, or an item of a stream. */
    event:
      form === 'json' ? bare : oneKindOf<Event03>('an event', (value) => (isWrapped(value) ? wrapped : bare)),
  };
}

const WRAPPERS = ['task', 'message', 'statusUpdate', 'status_update', 'artifactUpdate', 'artifact_update'];

function isWrapped(value: Record<string, unknown>): boolean {
  return !isGiven(value.kind) && WRAPPERS.some((name) => isGiven(value[name]));
}

function inferredKind(value: Record<string, unknown>): string | undefined {
  if (isGiven(value.messageId)) return 'message';
  if (isGiven(value.artifact)) return 'artifact-update';
  if (!isGiven(value.status)) return undefined;
  return isGiven(value.id) ? 'task' : 'status-update';
}

/** A null counts as absent. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export const TABLES_03 = { json: tablesOf('json'), rest: tablesOf('rest') };

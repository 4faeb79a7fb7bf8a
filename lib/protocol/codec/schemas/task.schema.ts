import type {
  Artifact,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatus,
  TaskStatusUpdateEvent,
} from '../../types/index.js';
import { TASK_STATES } from '../enums.js';
import { bool, enumeration, list, message, required, string, struct, text, timestamp } from '../fields.js';
import { defineSchema } from '../schema.js';
import { MessageSchema, PartSchema } from './message.schema.js';

export const TaskStatusSchema = defineSchema<TaskStatus>('TaskStatus', {
  state: required(enumeration(TASK_STATES)),
  message: message(MessageSchema),
  timestamp: timestamp(),
});

export const ArtifactSchema = defineSchema<Artifact>('Artifact', {
  artifactId: required(string()),
  name: string(),
  description: string(),
  parts: required(list(message(PartSchema), { min: 1 })),
  metadata: struct(),
  extensions: list(text()),
});

export const TaskSchema = defineSchema<Task>('Task', {
  id: required(string()),
  contextId: string(),
  status: required(message(TaskStatusSchema)),
  artifacts: list(message(ArtifactSchema)),
  history: list(message(MessageSchema)),
  metadata: struct(),
});

export const TaskStatusUpdateEventSchema = defineSchema<TaskStatusUpdateEvent>('TaskStatusUpdateEvent', {
  taskId: required(string()),
  contextId: required(string()),
  status: required(message(TaskStatusSchema)),
  metadata: struct(),
});

export const TaskArtifactUpdateEventSchema = defineSchema<TaskArtifactUpdateEvent>(
  'TaskArtifactUpdateEvent',
  {
    taskId: required(string()),
    contextId: required(string()),
    artifact: required(message(ArtifactSchema)),
    append: bool(),
    lastChunk: bool(),
    metadata: struct(),
  },
);

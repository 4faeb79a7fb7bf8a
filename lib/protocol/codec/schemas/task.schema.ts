import type {
  Artifact,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatus,
  TaskStatusUpdateEvent,
} from '../../types/index.js';
import { TASK_STATES } from '../enums.js';
import {
  bool,
  enumeration,
  essential,
  list,
  message,
  required,
  string,
  struct,
  text,
  timestamp,
} from '../fields.js';
import { defineSchema } from '../schema.js';
import { MessageSchema, PartSchema } from './message.schema.js';

export const TaskStatusSchema = defineSchema<TaskStatus>('TaskStatus', {
  state: essential(enumeration(TASK_STATES)),
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
  id: essential(string()),
  contextId: string(),
  status: essential(message(TaskStatusSchema)),
  artifacts: list(message(ArtifactSchema)),
  history: list(message(MessageSchema)),
  metadata: struct(),
});

export const TaskStatusUpdateEventSchema = defineSchema<TaskStatusUpdateEvent>('TaskStatusUpdateEvent', {
  taskId: essential(string()),
  contextId: required(string()),
  status: essential(message(TaskStatusSchema)),
  metadata: struct(),
});

export const TaskArtifactUpdateEventSchema = defineSchema<TaskArtifactUpdateEvent>(
  'TaskArtifactUpdateEvent',
  {
    taskId: essential(string()),
    contextId: required(string()),
    artifact: essential(message(ArtifactSchema)),
    append: bool(),
    lastChunk: bool(),
    metadata: struct(),
  },
);

import type { ListTasksResponse, SendMessageResponse, StreamResponse } from '../../types/index.js';
import { defaulted, int32, list, message, text } from '../fields.js';
import { defineSchema } from '../schema.js';
import { MessageSchema } from './message.schema.js';
import { TaskArtifactUpdateEventSchema, TaskSchema, TaskStatusUpdateEventSchema } from './task.schema.js';

export const SendMessageResponseSchema = defineSchema<SendMessageResponse>(
  'SendMessageResponse',
  { task: message(TaskSchema), message: message(MessageSchema) },
  { noun: 'an answer', members: ['task', 'message'] },
);

export const StreamResponseSchema = defineSchema<StreamResponse>(
  'StreamResponse',
  {
    task: message(TaskSchema),
    message: message(MessageSchema),
    statusUpdate: message(TaskStatusUpdateEventSchema),
    artifactUpdate: message(TaskArtifactUpdateEventSchema),
  },
  { noun: 'an event', members: ['task', 'message', 'statusUpdate', 'artifactUpdate'] },
);

export const ListTasksResponseSchema = defineSchema<ListTasksResponse>('ListTasksResponse', {
  tasks: defaulted(list(message(TaskSchema))),
  nextPageToken: defaulted(text()),
  pageSize: defaulted(int32()),
  totalSize: defaulted(int32()),
});

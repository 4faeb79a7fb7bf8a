import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from '../../types/index.js';
import { defaulted, int32, list, message, required, string, text } from '../fields.js';
import { defineSchema } from '../schema.js';
import { CreateTaskPushNotificationConfigSchema, TaskPushNotificationConfigSchema } from './push.schema.js';

export const GetTaskPushNotificationConfigRequestSchema = defineSchema<GetTaskPushNotificationConfigRequest>(
  'GetTaskPushNotificationConfigRequest',
  { tenant: string(), taskId: required(string()), id: required(string()) },
);

export const DeleteTaskPushNotificationConfigRequestSchema =
  defineSchema<DeleteTaskPushNotificationConfigRequest>('DeleteTaskPushNotificationConfigRequest', {
    tenant: string(),
    taskId: required(string()),
    id: required(string()),
  });

export const ListTaskPushNotificationConfigsRequestSchema =
  defineSchema<ListTaskPushNotificationConfigsRequest>('ListTaskPushNotificationConfigsRequest', {
    tenant: string(),
    taskId: required(string()),
    pageSize: int32({ min: 0 }),
    pageToken: string(),
  });

export const ListTaskPushNotificationConfigsResponseSchema =
  defineSchema<ListTaskPushNotificationConfigsResponse>('ListTaskPushNotificationConfigsResponse', {
    configs: defaulted(list(message(TaskPushNotificationConfigSchema))),
    nextPageToken: defaulted(text()),
  });

/** The same answer as a client takes it: each config says which task it is for. */
export const TaskPushNotificationConfigListSchema = defineSchema<{
  configs: (TaskPushNotificationConfig & { taskId: string })[];
  nextPageToken: string;
}>('ListTaskPushNotificationConfigsResponse', {
  ...ListTaskPushNotificationConfigsResponseSchema.fields,
  configs: defaulted(list(message(CreateTaskPushNotificationConfigSchema))),
});

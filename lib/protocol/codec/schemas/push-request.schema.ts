import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
} from '../../types/index.js';
import { defaulted, int32, list, message, required, string, text } from '../fields.js';
import { defineSchema } from '../schema.js';
import { TaskPushNotificationConfigSchema } from './push.schema.js';

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

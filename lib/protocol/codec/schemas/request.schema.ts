import type {
  CancelTaskRequest,
  GetExtendedAgentCardRequest,
  GetTaskRequest,
  ListTasksRequest,
  SendMessageConfiguration,
  SendMessageRequest,
  SubscribeToTaskRequest,
} from '../../types/index.js';
import { TASK_STATES } from '../enums.js';
import {
  bool,
  enumeration,
  int32,
  list,
  message,
  required,
  string,
  struct,
  text,
  timestamp,
} from '../fields.js';
import { defineSchema } from '../schema.js';
import { MessageSchema } from './message.schema.js';
import { TaskPushNotificationConfigSchema } from './push.schema.js';

export const SendMessageConfigurationSchema = defineSchema<SendMessageConfiguration>(
  'SendMessageConfiguration',
  {
    acceptedOutputModes: list(text()),
    taskPushNotificationConfig: message(TaskPushNotificationConfigSchema),
    historyLength: int32({ min: 0 }),
    returnImmediately: bool(),
  },
);

export const SendMessageRequestSchema = defineSchema<SendMessageRequest>('SendMessageRequest', {
  tenant: string(),
  message: required(message(MessageSchema)),
  configuration: message(SendMessageConfigurationSchema),
  metadata: struct(),
});

export const GetTaskRequestSchema = defineSchema<GetTaskRequest>('GetTaskRequest', {
  tenant: string(),
  id: required(string()),
  historyLength: int32({ min: 0 }),
});

export const ListTasksRequestSchema = defineSchema<ListTasksRequest>('ListTasksRequest', {
  tenant: string(),
  contextId: string(),
  status: enumeration(TASK_STATES),
  pageSize: int32({ min: 1, max: 100 }),
  pageToken: string(),
  historyLength: int32({ min: 0 }),
  statusTimestampAfter: timestamp(),
  includeArtifacts: bool(),
});

export const CancelTaskRequestSchema = defineSchema<CancelTaskRequest>('CancelTaskRequest', {
  tenant: string(),
  id: required(string()),
  metadata: struct(),
});

export const SubscribeToTaskRequestSchema = defineSchema<SubscribeToTaskRequest>('SubscribeToTaskRequest', {
  tenant: string(),
  id: required(string()),
});

export const GetExtendedAgentCardRequestSchema = defineSchema<GetExtendedAgentCardRequest>(
  'GetExtendedAgentCardRequest',
  { tenant: string() },
);

import type { AuthenticationInfo, TaskPushNotificationConfig } from '../../types/index.js';
import { essential, message, required, string } from '../fields.js';
import { defineSchema } from '../schema.js';

export const AuthenticationInfoSchema = defineSchema<AuthenticationInfo>('AuthenticationInfo', {
  scheme: required(string()),
  credentials: string(),
});

export const TaskPushNotificationConfigSchema = defineSchema<TaskPushNotificationConfig>(
  'TaskPushNotificationConfig',
  {
    tenant: string(),
    id: string(),
    taskId: string(),
    url: essential(string()),
    token: string(),
    authentication: message(AuthenticationInfoSchema),
  },
);

/** A config as CreateTaskPushNotificationConfig takes it: there it must say which task it is for (§3.1.7). */
export const CreateTaskPushNotificationConfigSchema = defineSchema<
  TaskPushNotificationConfig & { taskId: string }
>('TaskPushNotificationConfig', {
  ...TaskPushNotificationConfigSchema.fields,
  taskId: essential(string()),
});

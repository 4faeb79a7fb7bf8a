import { decode, decodeField } from '../codec/decode.js';
import type { DecodeOptions } from '../codec/decoder.js';
import { list, message } from '../codec/fields.js';
import { defineSchema, type Schema } from '../codec/schema.js';
import { InvalidParamsError, TaskNotFoundError } from '../errors/index.js';
import type { TaskPushNotificationConfig } from '../types/index.js';
import type { Form03 } from './fields.js';
import { either, operation, type Operation03 } from './operation.js';
import {
  PushConfigIdParamsSchema,
  RestPushConfigSchema,
  TaskIdParamsSchema,
  TaskPushConfigSchema,
  type RestPushConfig03,
} from './params.js';
import { restPushConfigFrom03, taskPushConfigFrom03, taskPushConfigTo03 } from './push.js';
import { pushConfigToRest } from './rest-form.js';
import type { PushConfigIdParams03, TaskIdParams03, TaskPushConfig03 } from './types.js';

interface PushConfigList {
  configs: TaskPushNotificationConfig[];
  nextPageToken: string;
}

type PushConfig = TaskPushNotificationConfig & { taskId: string };

const pushConfigTo = (config: TaskPushNotificationConfig, form: Form03): object => {
  const written = taskPushConfigTo03(config);
  return form === 'json' ? written : pushConfigToRest(written);
};

const PUSH_CONFIG = {
  answerTo03: pushConfigTo,
  answerFrom03: (answer: unknown, form: Form03, options?: DecodeOptions): PushConfig =>
    taskPushConfigFrom03(
      form === 'json'
        ? decode(TaskPushConfigSchema, answer, options)
        : restPushConfigFrom03(decode(RestPushConfigSchema, answer, options)),
    ),
};

const PushConfigListField = list(message(TaskPushConfigSchema));
const RestPushConfigListSchema = defineSchema<{ configs?: RestPushConfig03[] }>(
  'ListTaskPushNotificationConfigResponse',
  { configs: list(message(RestPushConfigSchema)) },
);

/** 0.3 knows no pages: all webhooks of a task are one answer. */
const WHOLE_LIST = 1_000;

const PUSH_CONFIGS = {
  params: either(TaskIdParamsSchema),
  requestFrom03: ({ id }: TaskIdParams03) => ({ taskId: id, pageSize: WHOLE_LIST }),
  paramsTo03: ({ taskId }: { taskId: string }) => ({ id: taskId }),
  answerTo03: ({ configs }: PushConfigList, form: Form03): object => {
    const list = configs.map((config) => pushConfigTo(config, form));
    return form === 'json' ? list : { configs: list };
  },
  answerFrom03: (answer: unknown, form: Form03, options?: DecodeOptions): PushConfigList => {
    const list =
      form === 'json'
        ? decodeField(PushConfigListField, answer, options)
        : (decode(RestPushConfigListSchema, answer, options).configs ?? []).map(restPushConfigFrom03);
    return { configs: list.map(taskPushConfigFrom03), nextPageToken: '' };
  },
};

const PUSH_CONFIG_ID = {
  params: either(PushConfigIdParamsSchema),
  requestFrom03: ({ id, pushNotificationConfigId }: PushConfigIdParams03) => {
    if (pushNotificationConfigId !== undefined) return { taskId: id, id: pushNotificationConfigId };
    const description = 'is required and must be a string';
    throw new InvalidParamsError([{ field: 'pushNotificationConfigId', description }]);
  },
  paramsTo03: ({ taskId, id }: { taskId: string; id: string }) => ({
    id: taskId,
    pushNotificationConfigId: id,
  }),
};

const SET_PARAMS: Record<Form03, Schema<object>> = { json: TaskPushConfigSchema, rest: RestPushConfigSchema };

/** The operations on webhooks. */
export const PUSH_OPERATIONS_03: readonly Operation03[] = [
  operation('createTaskPushNotificationConfig', {
    params: SET_PARAMS,
    requestFrom03: (params: object, form): TaskPushNotificationConfig =>
      taskPushConfigFrom03(form === 'json' ? (params as TaskPushConfig03) : restPushConfigFrom03(params)),
    paramsTo03: pushConfigTo,
    ...PUSH_CONFIG,
  }),
  operation('getTaskPushNotificationConfig', { ...PUSH_CONFIG_ID, ...PUSH_CONFIG }),
  operation('listTaskPushNotificationConfigs', PUSH_CONFIGS),
  operation('deleteTaskPushNotificationConfig', {
    ...PUSH_CONFIG_ID,
    answerTo03: (_answer: object, form) => (form === 'json' ? null : {}),
    answerFrom03: () => ({}),
  }),
];

/** Getting a webhook without saying which one: the first of the task, since 1.0 needs an id. */
export function firstPushConfig(taskId: unknown): Operation03 {
  return operation('listTaskPushNotificationConfigs', {
    ...PUSH_CONFIGS,
    answerTo03: ({ configs: [first] }: PushConfigList, form) => {
      if (!first) throw new TaskNotFoundError(String(taskId));
      return pushConfigTo(first, form);
    },
  });
}

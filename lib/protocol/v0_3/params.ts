import {
  bool,
  defaulted,
  essential,
  int32,
  list,
  message,
  required,
  string,
  struct,
  text,
} from '../codec/fields.js';
import { defineSchema, type Schema } from '../codec/schema.js';
import { mapped, type Form03 } from './fields.js';
import { TABLES_03 } from './schemas.js';
import type {
  PushAuthentication03,
  PushConfig03,
  PushConfigIdParams03,
  SendConfiguration03,
  SendParams03,
  TaskIdParams03,
  TaskPushConfig03,
  TaskQueryParams03,
} from './types.js';

const PushAuthenticationSchema = defineSchema<PushAuthentication03>('PushNotificationAuthenticationInfo', {
  schemes: defaulted(list(text())),
  credentials: string(),
});

const authentication = mapped(message(PushAuthenticationSchema), (read, decoder) =>
  read.schemes.length === 0 && read.credentials !== undefined
    ? decoder.fault('must name the scheme of the credentials', ['schemes'])
    : read,
);

const PushConfigSchema = defineSchema<PushConfig03>('PushNotificationConfig', {
  id: string(),
  url: essential(string()),
  token: string(),
  authentication,
});

export const TaskIdParamsSchema = defineSchema<TaskIdParams03>('TaskIdParams', {
  id: required(string()),
  metadata: struct(),
});

export const TaskQueryParamsSchema = defineSchema<TaskQueryParams03>('TaskQueryParams', {
  ...TaskIdParamsSchema.fields,
  historyLength: int32({ min: 0 }),
});

export const PushConfigIdParamsSchema = defineSchema<PushConfigIdParams03>(
  'GetTaskPushNotificationConfigParams',
  {
    ...TaskIdParamsSchema.fields,
    pushNotificationConfigId: string(),
  },
);

export const TaskPushConfigSchema = defineSchema<TaskPushConfig03>('TaskPushNotificationConfig', {
  taskId: essential(string()),
  pushNotificationConfig: essential(message(PushConfigSchema)),
});

/** A webhook as the proto of 0.3 has it: the task and the id are in a name, and all of it is in `config` of a request. */
export interface NamedPushConfig03 {
  name?: string;
  pushNotificationConfig?: PushConfig03;
}

const NamedPushConfigSchema = defineSchema<NamedPushConfig03>('TaskPushNotificationConfig', {
  name: string(),
  pushNotificationConfig: message(PushConfigSchema),
});

/** A webhook over HTTP+JSON, in the layout of the proto or not, as a request or as it is. */
export interface RestPushConfig03 extends NamedPushConfig03 {
  taskId?: string;
  configId?: string;
  config?: NamedPushConfig03;
}

export const RestPushConfigSchema = defineSchema<RestPushConfig03>('TaskPushNotificationConfig', {
  ...NamedPushConfigSchema.fields,
  taskId: string(),
  configId: string(),
  config: message(NamedPushConfigSchema),
});

/** The parameters of a send in one form. */
function sendParamsOf(form: Form03): Schema<SendParams03> {
  const SendConfigurationSchema = defineSchema<SendConfiguration03 & { pushNotification?: PushConfig03 }>(
    'MessageSendConfiguration',
    {
      acceptedOutputModes: list(text()),
      historyLength: int32({ min: 0 }),
      pushNotificationConfig: message(PushConfigSchema),
      // As the proto of 0.3 calls it.
      pushNotification: message(PushConfigSchema),
      blocking: bool(),
    },
  );
  const configuration = mapped(
    message(SendConfigurationSchema),
    ({ pushNotification, ...rest }): SendConfiguration03 => ({
      ...rest,
      ...(pushNotification && form === 'rest' && { pushNotificationConfig: pushNotification }),
      // A field of the proto that is not there is false.
      ...(form === 'rest' && rest.blocking === undefined && { blocking: false }),
    }),
  );

  return defineSchema<SendParams03>('MessageSendParams', {
    message: required(TABLES_03[form].message),
    configuration,
    metadata: struct(),
  });
}

export const SEND_PARAMS_03 = { json: sendParamsOf('json'), rest: sendParamsOf('rest') };

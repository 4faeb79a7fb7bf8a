import { decode, decodeField } from '../codec/decode.js';
import { isFields } from '../codec/decode-message.js';
import type { DecodeOptions } from '../codec/decoder.js';
import { AgentCardSchema } from '../codec/schemas/index.js';
import { defineSchema } from '../codec/schema.js';
import { InvalidParamsError } from '../errors/index.js';
import { JSON_RPC_METHODS_0_3 } from '../operations/json-rpc-methods.js';
import type { OperationName } from '../operations/operations.js';
import type { AgentCard, SendMessageRequest, StreamResponse, Task } from '../types/index.js';
import { cardFrom03, cardOfBoth, protoCardTo03 } from './card.js';
import type { Form03 } from './fields.js';
import { either, operation, type Operation03 } from './operation.js';
import { SEND_PARAMS_03, TaskIdParamsSchema, TaskQueryParamsSchema } from './params.js';
import { firstPushConfig, PUSH_OPERATIONS_03 } from './push-operations.js';
import { queryFrom03, sendFrom03, sendTo03 } from './requests.js';
import { eventToRest, sendParamsToRest, taskToRest } from './rest-form.js';
import { TABLES_03 } from './schemas.js';
import { eventFrom03, eventTo03, taskFrom03, taskTo03 } from './translate.js';
import type { PushConfigIdParams03 } from './types.js';

const NoParamsSchema = defineSchema<object>('NoParams', {});

const EVENT = {
  answerTo03: (answer: StreamResponse, form: Form03) => {
    const event = eventTo03(answer);
    return form === 'json' ? event : eventToRest(event);
  },
  answerFrom03: (answer: unknown, form: Form03, options?: DecodeOptions) =>
    eventFrom03(decodeField(TABLES_03[form].event, answer, options)),
};

/** What a message is answered with: no update, though it would be an event. */
const ANSWER = {
  ...EVENT,
  answerFrom03: (answer: unknown, form: Form03, options?: DecodeOptions) => {
    const event = EVENT.answerFrom03(answer, form, options);
    if (event.task ?? event.message) return event;
    throw new InvalidParamsError([{ field: '', description: 'must be a task or a message, not an update' }]);
  },
};

const SEND = {
  params: SEND_PARAMS_03,
  requestFrom03: sendFrom03,
  paramsTo03: (request: SendMessageRequest, form: Form03) => {
    const params = sendTo03(request);
    return form === 'json' ? params : sendParamsToRest(params);
  },
};

const TASK = {
  answerTo03: (answer: Task, form: Form03) => {
    const task = taskTo03(answer);
    return form === 'json' ? task : taskToRest(task);
  },
  answerFrom03: (answer: unknown, form: Form03, options?: DecodeOptions) =>
    taskFrom03(decodeField(TABLES_03[form].task, answer, options)),
};

const OPERATIONS_03: readonly Operation03[] = [
  operation('sendMessage', { ...SEND, ...ANSWER }),
  operation('sendStreamingMessage', { ...SEND, ...EVENT }),
  operation('getTask', {
    params: either(TaskQueryParamsSchema),
    requestFrom03: queryFrom03,
    paramsTo03: queryFrom03,
    ...TASK,
  }),
  operation('cancelTask', {
    params: either(TaskIdParamsSchema),
    requestFrom03: (params) => params,
    paramsTo03: ({ id, metadata }) => ({ id, ...(metadata && { metadata }) }),
    ...TASK,
  }),
  operation('subscribeToTask', {
    params: either(TaskIdParamsSchema),
    requestFrom03: ({ id }) => ({ id }),
    paramsTo03: ({ id }) => ({ id }),
    ...EVENT,
  }),
  ...PUSH_OPERATIONS_03,
  operation('getExtendedAgentCard', {
    params: either(NoParamsSchema),
    requestFrom03: () => ({}),
    paramsTo03: () => ({}),
    answerTo03: (card: AgentCard, form) => (form === 'json' ? cardOfBoth(card) : protoCardTo03(card)),
    answerFrom03: (card, _form, options) =>
      decode(AgentCardSchema, isFields(card) ? cardFrom03(card) : card, options),
  }),
];

const BY_NAME = new Map(OPERATIONS_03.map((each) => [each.name, each]));

/** An operation as 0.3 has it; `undefined` for what it does not have, which is the listing of tasks. */
export function operation03(name: OperationName): Operation03 | undefined {
  return BY_NAME.get(name);
}

/** The operation that a method of 0.3 means with these parameters. */
export function operationOfMethod03(method: string, params: object): Operation03 | undefined {
  const name = JSON_RPC_METHODS_0_3.get(method);
  const { id, pushNotificationConfigId } = params as Partial<PushConfigIdParams03>;
  if (name === 'getTaskPushNotificationConfig' && (pushNotificationConfigId ?? '') === '')
    return firstPushConfig(id);
  return name && BY_NAME.get(name);
}

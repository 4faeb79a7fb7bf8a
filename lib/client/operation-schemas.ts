import {
  CreateTaskPushNotificationConfigSchema,
  decode,
  InvalidAgentResponseError,
  isA2AError,
  OPERATIONS,
  TaskPushNotificationConfigListSchema,
  type OperationName,
  type Schema,
} from '../protocol/index.js';
import type { ClientProtocolVersion } from './choose-interface.js';

/** Where a client holds more to be required than the tables: a config names its task, asked for and answered (O-17). */
const REQUESTS: Partial<Record<OperationName, Schema<object>>> = {
  createTaskPushNotificationConfig: CreateTaskPushNotificationConfigSchema,
};
const RESPONSES: Partial<Record<OperationName, Schema<object>>> = {
  createTaskPushNotificationConfig: CreateTaskPushNotificationConfigSchema,
  getTaskPushNotificationConfig: CreateTaskPushNotificationConfigSchema,
  listTaskPushNotificationConfigs: TaskPushNotificationConfigListSchema,
};

/**
 * The request as it goes over the wire: a checked copy in JSON form, so that the caller's objects stay as they are.
 *
 * @throws InvalidParamsError naming every fault
 */
export function encodeRequest(operation: OperationName, request: object): object {
  const schema = REQUESTS[operation] ?? OPERATIONS[operation].request;
  return decode(schema, request, { from: 'agent', keepUnknown: true });
}

/**
 * What an agent answered, checked. Fields that this version does not know are kept.
 *
 * @throws InvalidAgentResponseError with the JSON path of every fault
 */
export function decodeAnswer(operation: OperationName, value: unknown): object {
  const schema = RESPONSES[operation] ?? OPERATIONS[operation].response;
  // Nothing is expected of an answer that says nothing.
  if (schema === undefined) return {};
  return readAnswer('1.0', () => decode(schema, value, { lenient: true, keepUnknown: true }));
}

/**
 * What `read` makes of an answer.
 *
 * @param version the version of the protocol that it is read as
 * @throws InvalidAgentResponseError with the JSON path of every fault
 */
export function readAnswer(version: ClientProtocolVersion, read: () => object): object {
  try {
    return read();
  } catch (error) {
    if (!isA2AError(error)) throw error;
    const as = version === '1.0' ? '' : ` for protocol ${version}`;
    throw new InvalidAgentResponseError(`The agent gave an invalid response${as}: ${error.message}`, {
      cause: error,
    });
  }
}

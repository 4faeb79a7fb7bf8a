import type { GetTaskRequest, SendMessageConfiguration, SendMessageRequest } from '../types/index.js';
import { pushConfigFrom03, pushConfigTo03 } from './push.js';
import { messageFrom03, messageTo03 } from './translate.js';
import type { SendConfiguration03, SendParams03, TaskQueryParams03 } from './types.js';

export function sendFrom03({ message, configuration, metadata }: SendParams03): SendMessageRequest {
  return {
    message: messageFrom03(message),
    ...(configuration && { configuration: configurationFrom03(configuration) }),
    ...(metadata && { metadata }),
  };
}

/** The parameters say in any case whether the answer is to wait: not all agents of 0.3 agree on what none means. */
export function sendTo03({ message, configuration = {}, metadata }: SendMessageRequest): SendParams03 {
  return {
    message: messageTo03(message),
    configuration: configurationTo03(configuration),
    ...(metadata && { metadata }),
  };
}

function configurationFrom03({
  pushNotificationConfig: webhook,
  blocking,
  ...same
}: SendConfiguration03): SendMessageConfiguration {
  return {
    ...same,
    ...(webhook && { taskPushNotificationConfig: pushConfigFrom03(webhook) }),
    ...(blocking === false && { returnImmediately: true }),
  };
}

function configurationTo03({
  taskPushNotificationConfig: webhook,
  returnImmediately,
  ...same
}: SendMessageConfiguration): SendConfiguration03 {
  return {
    ...same,
    ...(webhook && { pushNotificationConfig: pushConfigTo03(webhook) }),
    blocking: returnImmediately !== true,
  };
}

export function queryFrom03({ id, historyLength }: TaskQueryParams03): GetTaskRequest {
  return { id, ...(historyLength !== undefined && { historyLength }) };
}

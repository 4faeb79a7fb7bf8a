import { InvalidParamsError } from '../errors/index.js';
import type { StreamResponse, TaskPushNotificationConfig } from '../types/index.js';
import { eventTo03 } from './translate.js';
import type { RestPushConfig03 } from './params.js';
import type { PushConfig03, TaskPushConfig03 } from './types.js';

/** A webhook of 1.0 in 0.3, which names the task beside it. */
export function pushConfigTo03({ id, url, token, authentication }: TaskPushNotificationConfig): PushConfig03 {
  return {
    ...(id !== undefined && { id }),
    url,
    ...(token !== undefined && { token }),
    ...(authentication && {
      authentication: {
        schemes: [authentication.scheme],
        ...(authentication.credentials !== undefined && { credentials: authentication.credentials }),
      },
    }),
  };
}

/** A webhook of 0.3 in 1.0, which has one scheme: the first. */
export function pushConfigFrom03({ authentication, ...same }: PushConfig03): TaskPushNotificationConfig {
  const [scheme] = authentication?.schemes ?? [];
  if (!authentication || scheme === undefined) return same;
  const { credentials } = authentication;
  return { ...same, authentication: { scheme, ...(credentials !== undefined && { credentials }) } };
}

export function taskPushConfigTo03(config: TaskPushNotificationConfig): TaskPushConfig03 {
  return { taskId: config.taskId ?? '', pushNotificationConfig: pushConfigTo03(config) };
}

/** `tasks/{task}/pushNotificationConfigs/{id}`, and what it begins with. */
const PUSH_CONFIG_NAME = /^tasks\/(.+?)(?:\/pushNotificationConfigs(?:\/(.*))?)?$/s;

/**
 * A webhook as the HTTP+JSON binding has it, as that of JSON-RPC does.
 *
 * @throws InvalidParamsError if there is none in it, or its task is not that of the path
 */
export function restPushConfigFrom03({
  config,
  configId,
  taskId,
  ...outer
}: RestPushConfig03): TaskPushConfig03 {
  const { name = outer.name, pushNotificationConfig: webhook = outer.pushNotificationConfig } = config ?? {};
  if (!webhook) throw refusal('pushNotificationConfig', 'is required and must be an object');
  const [, nameTask, nameId] = PUSH_CONFIG_NAME.exec(name ?? '') ?? [];
  const task = taskId ?? nameTask;
  if (task === undefined) throw refusal('taskId', 'is required and must be a string');
  if (nameTask !== undefined && nameTask !== task) throw refusal('name', 'is of another task than the path');
  const id = webhook.id ?? configId ?? (nameId === '' ? undefined : nameId);
  return { taskId: task, pushNotificationConfig: { ...webhook, ...(id !== undefined && { id }) } };
}

/** The webhook for which 1.0 has one message. */
export function taskPushConfigFrom03({
  taskId,
  pushNotificationConfig,
}: TaskPushConfig03): TaskPushNotificationConfig & { taskId: string } {
  return { ...pushConfigFrom03(pushNotificationConfig), taskId };
}

function refusal(field: string, description: string): InvalidParamsError {
  return new InvalidParamsError([{ field, description }]);
}

/** What a webhook is told, in the version of its config: in 0.3 the task or the event itself, with its `kind`. */
export function pushPayload(event: StreamResponse, version: string): object {
  return version === '0.3' ? eventTo03(event) : event;
}

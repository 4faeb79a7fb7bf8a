import type { HttpJsonRoute } from '../operations/index.js';

/**
 * The routes of the HTTP+JSON binding of 0.3 (§3.5.6 there), below the base path. Parameters have the names of the parameters of
 * JSON-RPC. There is no route for listing tasks, and no tenant.
 */
export const HTTP_JSON_ROUTES_03 = [
  { operation: 'sendMessage', name: 'sendMessage', method: 'POST', path: '/v1/message:send', body: true },
  {
    operation: 'sendStreamingMessage',
    name: 'sendStreamingMessage',
    method: 'POST',
    path: '/v1/message:stream',
    body: true,
    stream: true,
  },
  { operation: 'cancelTask', name: 'cancelTask', method: 'POST', path: '/v1/tasks/{id}:cancel', body: true },
  // The proto says GET, §3.5.6 says POST.
  {
    operation: 'subscribeToTask',
    name: 'subscribeToTask',
    method: 'GET',
    path: '/v1/tasks/{id}:subscribe',
    stream: true,
  },
  {
    operation: 'subscribeToTask',
    name: 'subscribeToTaskByPost',
    method: 'POST',
    path: '/v1/tasks/{id}:subscribe',
    body: true,
    stream: true,
  },
  {
    operation: 'getTaskPushNotificationConfig',
    name: 'getTaskPushNotificationConfig',
    method: 'GET',
    path: '/v1/tasks/{id}/pushNotificationConfigs/{pushNotificationConfigId}',
  },
  {
    operation: 'deleteTaskPushNotificationConfig',
    name: 'deleteTaskPushNotificationConfig',
    method: 'DELETE',
    path: '/v1/tasks/{id}/pushNotificationConfigs/{pushNotificationConfigId}',
  },
  {
    operation: 'createTaskPushNotificationConfig',
    name: 'createTaskPushNotificationConfig',
    method: 'POST',
    path: '/v1/tasks/{taskId}/pushNotificationConfigs',
    body: true,
  },
  {
    operation: 'listTaskPushNotificationConfigs',
    name: 'listTaskPushNotificationConfigs',
    method: 'GET',
    path: '/v1/tasks/{id}/pushNotificationConfigs',
  },
  { operation: 'getTask', name: 'getTask', method: 'GET', path: '/v1/tasks/{id}' },
  { operation: 'getExtendedAgentCard', name: 'getExtendedAgentCard', method: 'GET', path: '/v1/card' },
] as const satisfies readonly HttpJsonRoute[];

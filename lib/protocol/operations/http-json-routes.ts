import type { OperationName } from './operations.js';

/** One route of the HTTP+JSON binding. */
export interface HttpJsonRoute {
  readonly operation: OperationName;
  /** Unique in the tables of both versions. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** In the proto's notation, below the base path: `/tasks/{id}:cancel`. */
  readonly path: string;
  /** The request message comes in the body; otherwise in the query string. */
  readonly body?: boolean;
  /** Answers with an event stream. */
  readonly stream?: boolean;
}

/**
 * The routes of the HTTP+JSON binding (§11.3). Parameters have the names of the request's fields.
 *
 * The order counts: Express takes the first route that matches, and with a tenant in front of each path some match
 * twice (`/tasks/tasks` is a task, and the list of a tenant). Longer paths come first, so that the path without
 * tenant wins.
 */
export const HTTP_JSON_ROUTES = [
  { operation: 'sendMessage', name: 'sendMessage', method: 'POST', path: '/message:send', body: true },
  {
    operation: 'sendStreamingMessage',
    name: 'sendStreamingMessage',
    method: 'POST',
    path: '/message:stream',
    body: true,
    stream: true,
  },
  { operation: 'cancelTask', name: 'cancelTask', method: 'POST', path: '/tasks/{id}:cancel', body: true },
  // The proto says GET, §5.3 says POST.
  {
    operation: 'subscribeToTask',
    name: 'subscribeToTask',
    method: 'GET',
    path: '/tasks/{id}:subscribe',
    stream: true,
  },
  {
    operation: 'subscribeToTask',
    name: 'subscribeToTaskByPost',
    method: 'POST',
    path: '/tasks/{id}:subscribe',
    body: true,
    stream: true,
  },
  {
    operation: 'getTaskPushNotificationConfig',
    name: 'getTaskPushNotificationConfig',
    method: 'GET',
    path: '/tasks/{taskId}/pushNotificationConfigs/{id}',
  },
  {
    operation: 'deleteTaskPushNotificationConfig',
    name: 'deleteTaskPushNotificationConfig',
    method: 'DELETE',
    path: '/tasks/{taskId}/pushNotificationConfigs/{id}',
  },
  {
    operation: 'createTaskPushNotificationConfig',
    name: 'createTaskPushNotificationConfig',
    method: 'POST',
    path: '/tasks/{taskId}/pushNotificationConfigs',
    body: true,
  },
  {
    operation: 'listTaskPushNotificationConfigs',
    name: 'listTaskPushNotificationConfigs',
    method: 'GET',
    path: '/tasks/{taskId}/pushNotificationConfigs',
  },
  { operation: 'getTask', name: 'getTask', method: 'GET', path: '/tasks/{id}' },
  { operation: 'listTasks', name: 'listTasks', method: 'GET', path: '/tasks' },
  {
    operation: 'getExtendedAgentCard',
    name: 'getExtendedAgentCard',
    method: 'GET',
    path: '/extendedAgentCard',
  },
] as const satisfies readonly HttpJsonRoute[];

/**
 * The routes of the HTTP+JSON binding of 0.3 (0.3 §3.5.6): those of 1.0 below `/v1`, but for the card, and without a list of
 * tasks, which 0.3 has no messages for.
 */
export const HTTP_JSON_ROUTES_0_3: readonly HttpJsonRoute[] = HTTP_JSON_ROUTES.filter(
  ({ operation }) => operation !== 'listTasks',
).map((route) => ({
  ...route,
  name: `${route.name}03`,
  path: `/v1${route.operation === 'getExtendedAgentCard' ? '/card' : route.path}`,
}));

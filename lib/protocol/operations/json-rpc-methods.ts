import type { OperationName } from './operations.js';

/** The methods of the JSON-RPC binding (§9.4). */
export const JSON_RPC_METHODS: ReadonlyMap<string, OperationName> = new Map<string, OperationName>([
  ['SendMessage', 'sendMessage'],
  ['SendStreamingMessage', 'sendStreamingMessage'],
  ['GetTask', 'getTask'],
  ['ListTasks', 'listTasks'],
  ['CancelTask', 'cancelTask'],
  ['SubscribeToTask', 'subscribeToTask'],
  ['CreateTaskPushNotificationConfig', 'createTaskPushNotificationConfig'],
  ['GetTaskPushNotificationConfig', 'getTaskPushNotificationConfig'],
  ['ListTaskPushNotificationConfigs', 'listTaskPushNotificationConfigs'],
  ['DeleteTaskPushNotificationConfig', 'deleteTaskPushNotificationConfig'],
  ['GetExtendedAgentCard', 'getExtendedAgentCard'],
]);

/** What protocol 0.3 called its methods; a client that uses them deserves to be told so. */
export const JSON_RPC_METHODS_0_3: ReadonlySet<string> = new Set([
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
]);

import type { A2ARequestHandler } from './a2a-request-handler.js';

/** The name of an operation: that of its method on {@link A2ARequestHandler}. */
export type OperationName = keyof A2ARequestHandler;

/** What an agent can do beyond the plain operations. */
export interface ServedCapabilities {
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedAgentCard: boolean;
}

/** The operations that belong to a capability; those of a group come together or not at all. */
export const CAPABILITY_OPERATIONS = {
  streaming: ['sendStreamingMessage', 'subscribeToTask'],
  pushNotifications: [
    'createTaskPushNotificationConfig',
    'getTaskPushNotificationConfig',
    'listTaskPushNotificationConfigs',
    'deleteTaskPushNotificationConfig',
  ],
  extendedAgentCard: ['getExtendedAgentCard'],
} as const satisfies Record<keyof ServedCapabilities, readonly OperationName[]>;

import type { CapabilityName, OperationName } from '../protocol/index.js';

/** What an agent can do beyond the plain operations. */
export type ServedCapabilities = Readonly<Record<CapabilityName, boolean>>;

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

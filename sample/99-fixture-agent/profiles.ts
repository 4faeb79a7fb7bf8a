import type { A2AModuleOptions, AgentCardInput } from 'nest-a2a';

/** What one profile changes of the module's options. */
export type Profile = Partial<Omit<A2AModuleOptions, 'card' | 'executor'>> & {
  card?: Partial<AgentCardInput>;
};

const ANY_TENANT: Profile = { tenants: true };

/** The extension that the profile `extension` requires. */
const REQUIRED_EXTENSION = { uri: 'urn:a2a:tck:required-extension', required: true };

export const PROFILES = {
  default: ANY_TENANT,
  minimal: { ...ANY_TENANT, capabilities: { streaming: false, pushNotifications: false } },
  extension: { ...ANY_TENANT, card: { capabilities: { extensions: [REQUIRED_EXTENSION] } } },
  single: {},
  strict: {
    ...ANY_TENANT,
    validateInputModes: true,
    card: { defaultInputModes: ['text/plain', 'application/json'] },
  },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof PROFILES;

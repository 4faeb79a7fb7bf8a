import type { A2AModuleOptions, AgentCardInput } from 'nest-a2a';

/** What one profile changes of the module's options. */
export type Profile = Partial<Omit<A2AModuleOptions, 'card' | 'executor'>> & {
  card?: Partial<AgentCardInput>;
};

/** Webhooks of test kits listen on the machine itself. */
const LOCAL_WEBHOOKS: Profile = {
  pushNotifications: { allow: ['127.0.0.0/8', '::1', 'localhost'], drainTimeout: 1_000 },
};
const ANY_TENANT: Profile = { tenants: true, ...LOCAL_WEBHOOKS };

/** The extension that the profile `extension` requires. */
const REQUIRED_EXTENSION = { uri: 'urn:a2a:tck:required-extension', required: true };

export const PROFILES = {
  default: ANY_TENANT,
  minimal: { ...ANY_TENANT, capabilities: { streaming: false, pushNotifications: false } },
  extension: { ...ANY_TENANT, card: { capabilities: { extensions: [REQUIRED_EXTENSION] } } },
  single: LOCAL_WEBHOOKS,
  strict: {
    ...ANY_TENANT,
    validateInputModes: true,
    card: { defaultInputModes: ['text/plain', 'application/json'] },
  },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof PROFILES;

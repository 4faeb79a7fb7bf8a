import type { A2AModuleExtras, A2AModuleOptions, AgentCardInput, AuthEntry } from 'nest-a2a';

/** What one profile changes of the module's options. */
export type Profile = Partial<Omit<A2AModuleOptions, 'card' | 'extendedCard' | 'executor'>> &
  Pick<A2AModuleExtras, 'compat'> & {
    /** What the public card has else. */
    card?: Partial<AgentCardInput>;
    /** What the extended card has else; `null` declares one and has none. */
    extendedCard?: Partial<AgentCardInput> | null;
  };

/** Webhooks of test kits listen on the machine itself. */
const LOCAL_WEBHOOKS: Profile = {
  pushNotifications: { allow: ['127.0.0.0/8', '::1', 'localhost'], drainTimeout: 1_000 },
};
const ANY_TENANT: Profile = { tenants: true, ...LOCAL_WEBHOOKS };

/** The extension that the profile `extension` requires. */
const REQUIRED_EXTENSION = { uri: 'urn:a2a:tck:required-extension', required: true };

const EXTENDED_CARD: Partial<AgentCardInput> = {
  description: 'Does what a message asks for; this is the card that not everybody gets',
};

/** Test kits ask for the extended card without authenticating. */
const OPEN_EXTENDED_CARD: Profile = { extendedCard: EXTENDED_CARD, unsafeExtendedCardWithoutAuth: true };

const AUTH: AuthEntry[] = [
  {
    jwt: {
      issuer: 'https://idp.example.com',
      audience: 'fixture',
      secret: 'fixture-secret-of-at-least-32-bytes!',
      algorithms: ['HS256'],
    },
    scopes: ['a2a:invoke'],
  },
  {
    basic: {
      allowPlainText: true,
      users: { 'user-a': 'plain:pass-a', 'user-b': 'plain:pass-b', 'user-c': 'plain:pa:ss:c' },
    },
  },
];

export const PROFILES = {
  default: { ...ANY_TENANT, ...OPEN_EXTENDED_CARD },
  compat: { ...ANY_TENANT, ...OPEN_EXTENDED_CARD, compat: { v0_3: true } },
  minimal: { ...ANY_TENANT, capabilities: { streaming: false, pushNotifications: false } },
  extension: {
    ...ANY_TENANT,
    ...OPEN_EXTENDED_CARD,
    card: { capabilities: { extensions: [REQUIRED_EXTENSION] } },
  },
  'no-extended-card': { ...ANY_TENANT, extendedCard: null, unsafeExtendedCardWithoutAuth: true },
  // Which webhooks may be called is as it is by default.
  auth: { tenants: true, auth: AUTH, extendedCard: EXTENDED_CARD },
  single: { ...LOCAL_WEBHOOKS, ...OPEN_EXTENDED_CARD },
  strict: {
    ...ANY_TENANT,
    ...OPEN_EXTENDED_CARD,
    validateInputModes: true,
    card: { defaultInputModes: ['text/plain', 'application/json'] },
  },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof PROFILES;

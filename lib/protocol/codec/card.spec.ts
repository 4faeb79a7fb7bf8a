import { describe, expect, it } from 'vitest';
import { violationsOf } from '../../../test/support/violations.js';
import {
  AgentCardSchema,
  decode,
  SecuritySchemeSchema,
  SendMessageRequestSchema,
  TaskPushNotificationConfigSchema,
} from './index.js';

const CARD = {
  name: 'Weather',
  description: '',
  version: '1.0.0',
  supportedInterfaces: [
    { url: 'https://x.example/a2a', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: false, extensions: [{ uri: 'https://x.example/ext', params: { a: null } }] },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: [],
  skills: [{ id: 's', name: 'S', description: '', tags: [] }],
  securitySchemes: {
    oauth: {
      oauth2SecurityScheme: {
        flows: { clientCredentials: { tokenUrl: 'https://x.example/token', scopes: { read: '' } } },
      },
    },
  },
  securityRequirements: [{ schemes: { oauth: { list: ['read'] } } }],
};

describe('AgentCard', () => {
  it('O-CARD-02: required lists may be empty, and are there when they are', () => {
    expect(decode(AgentCardSchema, CARD)).toEqual(CARD);
    const bare = { name: 'a', description: '', version: '1', capabilities: {} };
    expect(decode(AgentCardSchema, { ...bare, skills: null })).toEqual({
      ...bare,
      supportedInterfaces: [],
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
    });
  });

  it("reads the proto's own names down to the scopes of a flow", () => {
    const read = decode(AgentCardSchema, {
      ...CARD,
      securitySchemes: {
        oauth_1: {
          oauth2_security_scheme: {
            oauth2_metadata_url: 'u',
            flows: { device_code: { device_authorization_url: 'd', token_url: 't', scopes: { a_b: 'c' } } },
          },
        },
        mtls: { mtls_security_scheme: null, api_key_security_scheme: { location: 'header', name: 'x' } },
      },
    });
    expect(read.securitySchemes).toEqual({
      oauth_1: {
        oauth2SecurityScheme: {
          oauth2MetadataUrl: 'u',
          flows: { deviceCode: { deviceAuthorizationUrl: 'd', tokenUrl: 't', scopes: { a_b: 'c' } } },
        },
      },
      mtls: { apiKeySecurityScheme: { location: 'header', name: 'x' } },
    });
  });

  it('tells where the fault is', () => {
    const faulty = {
      ...CARD,
      name: '',
      skills: [{ id: 's', name: 'S', tags: 'a' }],
      securitySchemes: { 'my key': { apiKeySecurityScheme: { name: 'x' } } },
      securityRequirements: [{ schemes: { oauth: ['read'] } }],
    };
    expect(violationsOf(() => decode(AgentCardSchema, faulty)).map(({ field }) => field)).toEqual([
      'name',
      'securitySchemes["my key"].apiKeySecurityScheme.location',
      'securityRequirements[0].schemes.oauth',
      'skills[0].description',
      'skills[0].tags',
    ]);
  });

  it('S-12: a kind of security scheme that is not known yet does not spoil the card of another agent', () => {
    const scheme = { quantumSecurityScheme: {} };
    expect(violationsOf(() => decode(SecuritySchemeSchema, scheme))).toHaveLength(1);
    expect(decode(SecuritySchemeSchema, scheme, { lenient: true, keepUnknown: true })).toEqual(scheme);
  });
});

describe('the card of another agent', () => {
  const leniently = (card: unknown) => decode(AgentCardSchema, card, { lenient: true });

  it.each([{}, { capabilities: null }, { capabilities: {} }, { capabilities: { streaming: null } }])(
    'O-CSTR-18: %j supports nothing',
    (fields) => {
      expect(leniently({ name: 'x', ...fields }).capabilities).toEqual({});
    },
  );

  it('O-17, O-DISC-02: has a name, and interfaces have a URL', () => {
    const faultsOf = (card: unknown) => violationsOf(() => leniently(card)).map(({ field }) => field);
    expect(faultsOf({})).toEqual(['name']);
    expect(faultsOf({ name: 'x', supportedInterfaces: [{ protocolBinding: 'JSONRPC' }] })).toEqual([
      'supportedInterfaces[0].url',
    ]);
  });
});

describe('TaskPushNotificationConfig', () => {
  const inline = (taskPushNotificationConfig: unknown) =>
    decode(SendMessageRequestSchema, {
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: '' }] },
      configuration: { taskPushNotificationConfig },
    }).configuration;

  it('O-PUSH-11: null is none, and an empty one lacks its url', () => {
    expect(inline(null)).toEqual({});
    expect(violationsOf(() => inline({}))).toEqual([
      {
        field: 'configuration.taskPushNotificationConfig.url',
        description: 'is required and must be a string',
      },
    ]);
  });

  it('O-PUSH-04: an empty taskId is none', () => {
    expect(inline({ taskId: '', url: 'https://x.example' })).toEqual({
      taskPushNotificationConfig: { url: 'https://x.example' },
    });
  });

  it('needs the scheme of an authentication', () => {
    const config = { url: 'https://x.example', authentication: { credentials: 'abc' } };
    expect(
      violationsOf(() => decode(TaskPushNotificationConfigSchema, config)).map(({ field }) => field),
    ).toEqual(['authentication.scheme']);
  });
});

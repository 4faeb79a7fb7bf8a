import { describe, expect, it } from 'vitest';
import { canonicalCard } from './canonical-card.js';

const parsed = (card: unknown): unknown => JSON.parse(canonicalCard(card));

describe('canonicalCard', () => {
  it('O-CARD-06: follows the example of §8.4.1', () => {
    const fragment = {
      name: 'Example Agent',
      description: '',
      capabilities: { streaming: false, pushNotifications: false, extensions: [] },
      skills: [],
    };
    expect(canonicalCard(fragment)).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
    );
  });

  it('O-CARD-06: keeps what is required or explicitly optional, and drops other defaults', () => {
    const kept = {
      name: '',
      supportedInterfaces: [{ url: 'https://x', protocolBinding: 'JSONRPC', protocolVersion: '' }],
      provider: { url: '', organization: '' },
      documentationUrl: '',
      iconUrl: '',
      capabilities: { extendedAgentCard: false, extensions: [{ params: { a: null, b: [], c: false } }] },
      securitySchemes: {
        a: { apiKeySecurityScheme: { location: 'header', name: '' } },
        b: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: '', scopes: {} } } } },
        c: { mtlsSecurityScheme: {} },
      },
      securityRequirements: [{ schemes: { a: {} } }, {}],
      defaultInputModes: [],
      skills: [{ id: 's', name: '', description: '', tags: [] }],
    };
    const withDefaults = structuredClone(kept) as Record<string, unknown> & typeof kept;
    Object.assign(withDefaults.supportedInterfaces[0]!, { tenant: '' });
    Object.assign(withDefaults.capabilities, { streaming: null });
    Object.assign(withDefaults.capabilities.extensions[0]!, { uri: '', description: '', required: false });
    Object.assign(withDefaults.securitySchemes.a.apiKeySecurityScheme, { description: '' });
    Object.assign(withDefaults.securitySchemes.b.oauth2SecurityScheme.flows.clientCredentials, {
      refreshUrl: '',
    });
    Object.assign(withDefaults.securityRequirements[0]!.schemes!.a, { list: [] });
    Object.assign(withDefaults.securityRequirements[1]!, { schemes: {} });
    Object.assign(withDefaults.skills[0]!, { examples: [], inputModes: [], securityRequirements: [] });
    Object.assign(withDefaults, { signatures: [{ protected: 'x', signature: 'y' }], version: null });
    expect(parsed(withDefaults)).toEqual(kept);
    expect(canonicalCard(withDefaults)).toBe(canonicalCard(kept));
  });

  it('S-9: covers fields that this version does not know', () => {
    const card = { name: 'x', later: { b: [], a: '' }, capabilities: { later: false } };
    expect(canonicalCard(card)).toBe('{"capabilities":{"later":false},"later":{"a":"","b":[]},"name":"x"}');
  });

  it('O-CARD-06: covers names of unicode, and keys that are names of object methods', () => {
    const card: unknown = JSON.parse(
      '{"name":"天气 🌦","securitySchemes":{"__proto__":{"mtlsSecurityScheme":{}},"constructor":{}}}',
    );
    expect(canonicalCard(card)).toBe(
      '{"name":"天气 🌦","securitySchemes":{"__proto__":{"mtlsSecurityScheme":{}},"constructor":{}}}',
    );
  });

  it.each([null, [], 'card', 1, undefined])('refuses %o', (value) => {
    expect(() => canonicalCard(value)).toThrow(TypeError);
  });
});

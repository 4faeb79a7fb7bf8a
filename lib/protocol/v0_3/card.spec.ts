import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as arbitrary from '../../../test/support/arbitraries.js';
import { AgentCardSchema, decode } from '../codec/index.js';
import type { AgentCard, AgentInterface, SecurityScheme } from '../types/index.js';
import { cardFrom03, cardOfBoth, cardTo03, isCard03, protoCardTo03 } from './card.js';

const OLD = {
  protocolVersion: '0.3.0',
  name: 'Old',
  description: 'An agent of 0.3',
  version: '2.0',
  url: 'https://a.example/rpc',
  preferredTransport: 'JSONRPC',
  additionalInterfaces: [
    { url: 'https://a.example/rpc', transport: 'JSONRPC' },
    { url: 'https://a.example/rest', transport: 'HTTP+JSON' },
  ],
  capabilities: { streaming: true, stateTransitionHistory: true },
  supportsAuthenticatedExtendedCard: true,
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 'd', tags: ['t'], security: [{ o: ['s'] }] }],
};

const read = (body: object): AgentCard =>
  decode(AgentCardSchema, cardFrom03(body as Record<string, unknown>), { lenient: true, keepUnknown: true });
const interfacesOf = (body: object) =>
  read(body).supportedInterfaces.map(
    ({ url, protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion} ${url}`,
  );

/** What 0.3 has no words for. */
function within03(card: AgentCard, interfaces: AgentInterface[]): AgentCard {
  const schemes = Object.entries(card.securitySchemes ?? {}).map(
    ([name, scheme]): [string, SecurityScheme] => {
      const { oauth2SecurityScheme: oauth2 } = scheme;
      if (oauth2 === undefined) return [name, scheme];
      const { deviceCode: _, authorizationCode: code, ...flows } = oauth2.flows;
      const { pkceRequired: __, ...kept } = code ?? {};
      return [
        name,
        {
          oauth2SecurityScheme: {
            ...oauth2,
            flows: { ...flows, ...(code && { authorizationCode: kept }) } as object,
          },
        },
      ];
    },
  );
  return {
    ...card,
    supportedInterfaces: interfaces,
    ...(card.securitySchemes && { securitySchemes: Object.fromEntries(schemes) }),
  };
}

const throughJson = (value: object) => JSON.parse(JSON.stringify(value)) as object;

const INTERFACES = [
  { url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  { url: 'https://a.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
];
const anyCard = fc
  .tuple(arbitrary.agentCard, fc.constantFrom(INTERFACES, INTERFACES.slice(0, 1)))
  .map(([card, interfaces]) => within03(card, interfaces));

describe('an agent card of protocol 0.3', () => {
  it('O-5, O-V03-02: lists its addresses, the main one first and none of them twice', () => {
    expect(interfacesOf(OLD)).toEqual([
      'JSONRPC 0.3 https://a.example/rpc',
      'HTTP+JSON 0.3 https://a.example/rest',
    ]);
    const { preferredTransport: _, additionalInterfaces: __, protocolVersion: ___, ...bare } = OLD;
    expect(interfacesOf(bare)).toEqual(['JSONRPC 0.3 https://a.example/rpc']);
    expect(interfacesOf({ ...OLD, preferredTransport: 'GRPC', protocolVersion: '0.2.6' })[0]).toBe(
      'GRPC 0.2 https://a.example/rpc',
    );
  });

  it('O-5, O-34: says in the words of 1.0 what it says, and keeps what is in neither', () => {
    const { capabilities, skills, ...card } = read(OLD);
    expect(capabilities).toEqual({ streaming: true, stateTransitionHistory: true, extendedAgentCard: true });
    expect(skills[0]).toEqual({
      ...{ id: 's', name: 'S', description: 'd', tags: ['t'] },
      securityRequirements: [{ schemes: { o: { list: ['s'] } } }],
    });
    expect(card).not.toHaveProperty('url');
    expect(card).not.toHaveProperty('supportsAuthenticatedExtendedCard');
  });

  it('O-V03-09: declares each security scheme and each requirement as the same card of 1.0 does', () => {
    const scopes = { s: 'all' };
    const { securitySchemes, securityRequirements } = read({
      ...OLD,
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'd' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        o: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://t.example', scopes } } },
        oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://i.example' },
        mtls: { type: 'mutualTLS' },
        new: { httpAuthSecurityScheme: { scheme: 'Basic' } },
      },
      security: [{ o: ['s'] }, { key: [], mtls: [] }],
    });
    expect(securitySchemes).toEqual({
      key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key', description: 'd' } },
      bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
      o: {
        oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://t.example', scopes } } },
      },
      oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://i.example' } },
      mtls: { mtlsSecurityScheme: {} },
      new: { httpAuthSecurityScheme: { scheme: 'Basic' } },
    });
    expect(securityRequirements).toEqual([
      { schemes: { o: { list: ['s'] } } },
      { schemes: { key: { list: [] }, mtls: { list: [] } } },
    ]);
  });

  it.each([
    [['password', 'implicit', 'clientCredentials', 'authorizationCode'], 'authorizationCode'],
    [['password', 'implicit', 'clientCredentials'], 'clientCredentials'],
    [['password', 'implicit'], 'implicit'],
    [['password'], 'password'],
  ])('O-71: of the OAuth flows %j the one that is kept is %s', (names, kept) => {
    const flow = { tokenUrl: 'https://t.example', authorizationUrl: 'https://u.example', scopes: {} };
    const flows = Object.fromEntries(names.map((name) => [name, flow]));
    const { securitySchemes } = read({ ...OLD, securitySchemes: { o: { type: 'oauth2', flows } } });
    expect(Object.keys(securitySchemes?.o?.oauth2SecurityScheme?.flows ?? {})).toEqual([kept]);
  });

  it('O-5: is told from one of 1.0 by its addresses', () => {
    expect(isCard03(OLD)).toBe(true);
    expect(isCard03({ name: 'a', url: 'https://a.example' })).toBe(true);
    expect(isCard03({ name: 'a', protocolVersion: '0.3.0' })).toBe(true);
    expect(isCard03({ ...OLD, supportedInterfaces: INTERFACES })).toBe(false);
    expect(isCard03({ ...OLD, supported_interfaces: INTERFACES })).toBe(false);
    expect(isCard03({ name: 'a' })).toBe(false);
    for (const body of [null, 'a', [OLD]]) expect(isCard03(body)).toBe(false);
  });

  it('O-V03-02: is there and back again the same card, but for what 0.3 cannot say', () => {
    fc.assert(
      fc.property(anyCard, (card) => {
        const old = cardTo03(card);
        expect(isCard03(old)).toBe(true);
        expect(read(throughJson(old))).toEqual(card);
        expect(read(throughJson(protoCardTo03(card)))).toEqual(card);
      }),
    );
  });

  it('O-V03-02: needs an interface of 0.3', () => {
    const card = read({ ...OLD, protocolVersion: '1.0' });
    expect(() => cardTo03(card)).toThrow('no interface of protocol 0.3');
  });
});

describe('a card in both layouts', () => {
  const V1 = [{ url: 'https://a.example/v1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];

  it('O-5, O-V03-02, O-V03-09: says to either side what the card in its own layout says', () => {
    fc.assert(
      fc.property(arbitrary.agentCard, (card) => {
        const both = { ...card, supportedInterfaces: [...V1, ...INTERFACES] };
        const served = throughJson(cardOfBoth(both));
        expect(read(served)).toEqual(both);
        expect(decode(AgentCardSchema, served)).toEqual(both);
        expect(served).toMatchObject(throughJson(cardTo03(both)));
      }),
    );
  });

  it('O-5: what is null or empty in the layout of 0.3 says nothing', () => {
    for (const none of [null, '']) {
      const bare = { ...OLD, preferredTransport: none, protocolVersion: none, additionalInterfaces: null };
      expect(interfacesOf(bare)).toEqual(['JSONRPC 0.3 https://a.example/rpc']);
      expect(read({ ...OLD, url: none, additionalInterfaces: null, supportedInterfaces: V1 })).toMatchObject({
        supportedInterfaces: V1,
      });
    }
    const nulls = { extendedAgentCard: null };
    const flag = { supportsAuthenticatedExtendedCard: true };
    expect(read({ ...OLD, ...flag, capabilities: nulls }).capabilities.extendedAgentCard).toBe(true);
    const security = [{ o: ['s'] }];
    const requirements = [{ schemes: { o: { list: ['s'] } } }];
    const skills = [{ ...OLD.skills[0], security, securityRequirements: null }];
    expect(read({ ...OLD, skills, security, securityRequirements: null })).toMatchObject({
      securityRequirements: requirements,
      skills: [{ securityRequirements: requirements }],
    });
    const scheme = { type: 'http', scheme: 'bearer', httpAuthSecurityScheme: null };
    expect(read({ ...OLD, securitySchemes: { b: scheme } }).securitySchemes).toEqual({
      b: { httpAuthSecurityScheme: { scheme: 'bearer' } },
    });
  });

  it('O-5: of two statements of the same thing the one of 1.0 counts', () => {
    const card = read({
      ...OLD,
      supportedInterfaces: V1,
      capabilities: { extendedAgentCard: false },
      security: [{ old: [] }],
      securityRequirements: [{ schemes: { new: { list: [] } } }],
    });
    expect(card.supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual([
      '1.0',
      '0.3',
      '0.3',
    ]);
    expect(card.capabilities.extendedAgentCard).toBe(false);
    expect(card.securityRequirements).toEqual([{ schemes: { new: { list: [] } } }]);
  });
});

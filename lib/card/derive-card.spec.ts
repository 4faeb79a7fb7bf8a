import { describe, expect, it } from 'vitest';
import { type InvalidParamsError } from '../protocol/index.js';
import type { AgentCardInput } from './agent-card-input.js';
import { deriveCard } from './derive-card.js';

const SERVED = { capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false } };
const CARD: AgentCardInput = { name: 'Weather', description: 'Tells the weather', version: '1.0.0' };

function faultsOf(card: unknown): [string, string][] {
  try {
    deriveCard(card as AgentCardInput, SERVED);
  } catch (error) {
    return (error as InvalidParamsError).violations.map(({ field, description }) => [field, description]);
  }
  return [];
}

describe('deriveCard', () => {
  it('O-CARD-02: writes required arrays and capabilities also when they are empty', () => {
    const card = deriveCard({ ...CARD, skills: [{ id: 's', name: 'S', description: 'd' }] }, SERVED);
    expect(card.skills).toEqual([{ id: 's', name: 'S', description: 'd', tags: [] }]);
    expect(deriveCard(CARD, SERVED)).toEqual({
      ...CARD,
      supportedInterfaces: [],
      ...SERVED,
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    });
    expect(deriveCard({ ...CARD, defaultInputModes: [], skills: [] }, SERVED).defaultInputModes).toEqual([
      'text/plain',
    ]);
  });

  it('S-58: takes capabilities and interfaces for placeholders, but keeps extensions', () => {
    const extensions = [{ uri: 'urn:x', required: true }];
    const card = deriveCard(
      {
        ...CARD,
        capabilities: { streaming: false, pushNotifications: true, extendedAgentCard: true, extensions },
        supportedInterfaces: [
          { url: 'https://placeholder', protocolBinding: 'GRPC', protocolVersion: '9.9' },
        ],
      },
      SERVED,
    );
    expect(card.capabilities).toEqual({ ...SERVED.capabilities, extensions });
    expect(card.supportedInterfaces).toEqual([]);
  });

  it('O-CARD-07: takes security schemes in the shapes of v1.0 only', () => {
    const security = {
      securitySchemes: {
        bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
        oauth: {
          oauth2SecurityScheme: {
            flows: { clientCredentials: { tokenUrl: 'https://idp.example.com/token', scopes: { a: 'A' } } },
          },
        },
      },
      securityRequirements: [{ schemes: { oauth: { list: ['a'] } } }],
    };
    expect(deriveCard({ ...CARD, ...security }, SERVED)).toMatchObject(security);
    expect(
      faultsOf({ ...CARD, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }),
    ).toHaveLength(1);
    expect(faultsOf({ ...CARD, securityRequirements: [{ oauth: ['a'] }] })).toEqual([
      ['card.securityRequirements[0]', 'must have "schemes"'],
    ]);
  });

  it('drops the names of 0.3', () => {
    const old = { ...CARD, url: 'https://x', protocolVersion: '0.3.0', preferredTransport: 'JSONRPC' };
    expect(deriveCard(old, SERVED)).toEqual(deriveCard(CARD, SERVED));
  });

  it('names every fault by its path', () => {
    expect(faultsOf({ description: 1, version: '1', skills: [{ id: 's' }] }).map(([field]) => field)).toEqual(
      ['card.name', 'card.description', 'card.skills[0].name', 'card.skills[0].description'],
    );
    expect(faultsOf(null).map(([field]) => field)).toEqual(['card']);
    expect(faultsOf({ ...CARD, capabilities: { extensions: 'x' } }).map(([field]) => field)).toEqual([
      'card.capabilities.extensions',
    ]);
  });
});

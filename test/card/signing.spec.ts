import { AgentCard as PeerCard, generateAgentCardSignature, verifyAgentCardSignature } from '@a2a-js/sdk';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { exportJWK, type JWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  A2AClientFactory,
  AgentCardResolver,
  axiosTransport,
  type AgentCard,
  type CardSignatureOptions,
  type CardSigningAlgorithm,
  type JsonWebKeySet,
} from 'nest-a2a';
import { CardSigner, publicKeySet, signingKeys } from '../../lib/card/index.js';
import { CardKeys } from '../../lib/client/card/card-keys.js';
import { CardVerifier } from '../../lib/client/card/card-verifier.js';
import type { HttpTransport } from '../../lib/client/http-transport.js';
import { cardOf, startServer } from '../client/card-server.js';
import { ADAPTERS, startAgent, type AdapterName, type TestAgent } from '../support/index.js';

const PUBLIC_URL = 'https://agent.example.com';
const KEY_SET = '/a2a/.well-known/jwks.json';
const ec = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve });
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** A card with defaults, an empty list, unicode and an explicit `false`. */
const CARD = {
  name: 'Wetter 天气 🌦',
  description: '',
  version: '1.0.0',
  documentationUrl: 'https://docs.example.com',
  capabilities: { extensions: [{ uri: 'urn:x', required: false, params: { b: [1, null], a: '' } }] },
  provider: { organization: 'Org', url: 'https://org.example.com' },
  skills: [
    { id: 's', name: 'S', description: 'd', tags: [], examples: ['x'] },
    { id: 't', name: 'T', description: 'd', tags: ['a'], examples: [] },
  ],
};

/** An agent that signs its cards by a key. */
async function signing(
  adapter: AdapterName = 'express',
  { key = ec().privateKey, kid = 'k-1', ...more }: { key?: KeyObject; kid?: string; jku?: string } = {},
  options: Partial<Parameters<typeof startAgent>[0]> = {},
): Promise<TestAgent> {
  return startAgent({
    adapter,
    binding: 'http-json',
    card: CARD,
    publicUrl: PUBLIC_URL,
    signing: { key, kid, alg: 'ES256', ...more },
    execute: async (_context, task) => task.complete(),
    ...options,
  });
}

async function keySetOf(agent: TestAgent): Promise<JsonWebKeySet> {
  const { status, json } = await agent.request('GET', KEY_SET);
  expect(status).toBe(200);
  return json as JsonWebKeySet;
}

/** Whether a card as it was sent passes. */
async function passes(card: unknown, options: Partial<CardSignatureOptions>): Promise<boolean> {
  const noTransport: HttpTransport = () => Promise.reject(new Error('nothing is fetched here'));
  const verifier = new CardVerifier(
    { policy: 'require', ...options },
    new CardKeys({ jwks: options.jwks, jkuHosts: options.jkuHosts, transport: noTransport }),
  );
  return verifier.verify(card, 'test').then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ name: 'CardSignatureError' });
      return false;
    },
  );
}

const copy = <T>(value: T): T => structuredClone(value);

describe.each(Object.keys(ADAPTERS) as AdapterName[])('a signed card on %s', (adapter) => {
  it('O-CARD-06: verifies with the keys that the agent serves, and names them', async () => {
    const agent = await signing(adapter);
    const card = await agent.card();
    expect(card.signatures).toHaveLength(1);
    const header = JSON.parse(Buffer.from(card.signatures![0]!.protected, 'base64url').toString()) as unknown;
    expect(header).toEqual({ alg: 'ES256', typ: 'JOSE', kid: 'k-1', jku: `${PUBLIC_URL}${KEY_SET}` });
    const { headers } = await agent.request('GET', KEY_SET);
    expect(headers['content-type']).toContain('application/jwk-set+json');
    const jwks = await keySetOf(agent);
    expect(jwks).toEqual({
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: expect.any(String),
          y: expect.any(String),
          kid: 'k-1',
          alg: 'ES256',
          use: 'sig',
        },
      ],
    });
    expect(await passes(card, { jwks })).toBe(true);
  });

  it('O-CARD-04: is equal from one fetch to the next, signature and ETag included', async () => {
    const agent = await signing(adapter);
    const path = '/.well-known/agent-card.json';
    const one = await agent.request('GET', path);
    const two = await agent.request('GET', path);
    expect(two.body).toBe(one.body);
    expect(two.headers.etag).toBe(one.headers.etag);
    const again = await agent.request('GET', path, {
      headers: { 'If-None-Match': String(one.headers.etag) },
    });
    expect(again.status).toBe(304);
  });

  it('signs the card of each tenant, and serves no keys unless it signs', async () => {
    const agent = await signing(adapter, {}, { tenants: ['acme'] });
    const { json } = await agent.request('GET', '/a2a/acme/.well-known/agent-card.json');
    expect(json).toMatchObject({ supportedInterfaces: [{ tenant: 'acme' }, { tenant: 'acme' }] });
    expect(await passes(json, { jwks: await keySetOf(agent) })).toBe(true);
    expect((await agent.request('GET', '/a2a/acme/.well-known/jwks.json')).status).toBe(404);
    const unsigned = await signing(adapter, {}, { signing: undefined });
    expect((await unsigned.request('GET', KEY_SET)).status).toBe(404);
    expect(await unsigned.card()).not.toHaveProperty('signatures');
  });

  it.each(['http-json', 'json-rpc'] as const)(
    'O-CARD-06: the extended card is signed too, over %s',
    async (binding) => {
      const agent = await signing(
        adapter,
        {},
        { binding, extendedCard: { ...CARD, name: 'For you' }, unsafeExtendedCardWithoutAuth: true },
      );
      const jwks = await keySetOf(agent);
      const extended = await agent.call<AgentCard>('getExtendedAgentCard', {}).result();
      expect(extended).toMatchObject({ name: 'For you' });
      expect(await passes(extended, { jwks })).toBe(true);
    },
  );
});

describe('signing', () => {
  it.each<[CardSigningAlgorithm, () => { privateKey: KeyObject; publicKey: KeyObject }]>([
    ['ES384', () => ec('P-384')],
    ['ES512', () => ec('P-521')],
    ['EdDSA', () => generateKeyPairSync('ed25519')],
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['PS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ])('takes %s, as PEM and as JWK', async (alg, pair) => {
    const { privateKey } = pair();
    const agent = await signing(
      'express',
      {},
      {
        signing: [
          { key: pem(privateKey), kid: 'pem', alg },
          { key: privateKey.export({ format: 'jwk' }), kid: 'jwk', alg },
        ],
      },
    );
    const card = await agent.card();
    expect(card.signatures).toHaveLength(2);
    const { keys } = await keySetOf(agent);
    for (const key of keys) expect(await passes(card, { jwks: { keys: [key] } })).toBe(true);
    expect(JSON.stringify(keys)).not.toMatch(/"(d|p|q|dp|dq|qi)":/);
  });

  it.each<[unknown, string]>([
    [{ publicUrl: undefined }, 'publicUrl is missing: "signing" needs it'],
    [{ signing: { kid: 'k', alg: 'ES256', key: 'secret' } }, 'signing.key must be a private key'],
    [{ signing: { kid: 'k', alg: 'ES256', key: ec().publicKey } }, 'signing.key must be a private key'],
    [{ signing: { kid: 'k', alg: 'RS256', key: ec().privateKey } }, 'signing.key must be a key for RS256'],
    [
      { signing: { kid: 'k', alg: 'ES256', key: ec('P-384').privateKey } },
      'signing.key must be a key for ES256',
    ],
    [{ signing: { kid: 'k', alg: 'HS256', key: 'secret' } }, 'signing.alg must be one of ES256'],
    [{ signing: { alg: 'ES256', key: ec().privateKey } }, 'signing.kid must be a text'],
    [{ signing: { kid: 'k', alg: 'ES256', key: ec().privateKey, jku: 'x' } }, 'signing.jku must be'],
    [{ signing: [] }, 'signing must have at least one key'],
    [
      { signing: ['k', 'k'].map((kid) => ({ kid, alg: 'ES256', key: ec().privateKey })) },
      'signing must give each key a "kid" of its own',
    ],
    [
      {
        signing: {
          kid: 'k',
          alg: 'RS256',
          key: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
        },
      },
      'at least 2048 bits',
    ],
  ])('is refused at start where it cannot be: %#', async (options, said) => {
    const error = await signing('express', {}, options as object).then(
      () => new Error('it started'),
      (reason: unknown) => reason as Error,
    );
    expect(error).toMatchObject({ name: 'A2AOptionsError' });
    expect(error.message).toContain(said);
    expect(error.message).not.toContain('secret');
  });

  it('takes the place of signatures that the author wrote', async () => {
    const signatures = [{ protected: 'e30', signature: 'AA' }];
    const agent = await signing('express', {}, { card: { ...CARD, signatures } });
    expect((await agent.card()).signatures).not.toContainEqual(signatures[0]);
  });
});

describe('verifying', () => {
  const keys = signingKeys({ key: ec().privateKey, kid: 'k-1', alg: 'ES256' });
  const jwks: JsonWebKeySet = publicKeySet(keys);
  let card: AgentCard;

  beforeAll(async () => {
    const signer = await CardSigner.create(keys, () => `${PUBLIC_URL}${KEY_SET}`);
    const capabilities = { ...CARD.capabilities, streaming: true, pushNotifications: false };
    card = await signer.sign({ ...cardOf(`${PUBLIC_URL}/a2a`), ...CARD, capabilities });
  });

  it('O-CARD-06: any change of what is kept is found', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom('change', 'remove', 'add'), async (choice, kind) => {
        const tampered = copy(card) as unknown as Record<string, unknown>;
        delete tampered.signatures;
        const before = JSON.stringify(tampered);
        tamper(tampered, choice, kind);
        fc.pre(JSON.stringify(tampered) !== before);
        return !(await passes({ ...tampered, signatures: card.signatures }, { jwks }));
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, (card: Record<string, any>) => void, boolean]>([
    ['a default that is dropped', (it) => (it.securityRequirements = []), true],
    ['an empty list that is dropped', (it) => (it.skills[0].inputModes = []), true],
    ['null for what is unset', (it) => (it.iconUrl = null), true],
    [
      'another order of keys',
      (it) => Object.assign(it, Object.fromEntries(Object.entries(copy(it)).reverse())),
      true,
    ],
    ['an explicit false that goes', (it) => delete it.capabilities.pushNotifications, false],
    ['an empty text that comes and is kept', (it) => (it.iconUrl = ''), false],
    ['a required empty text that goes', (it) => delete it.description, false],
    ['a required empty list that goes', (it) => delete it.skills[0].tags, false],
    ['a field that nobody knows', (it) => (it.later = true), false],
    ['another letter of the same look', (it) => (it.name = `${it.name}\u0301`), false],
    ['other data of an extension', (it) => (it.capabilities.extensions[0].params.a = null), false],
  ])('O-CARD-06, S-9: %s', async (_name, change, holds) => {
    const changed = copy(card);
    change(changed);
    expect(await passes(changed, { jwks })).toBe(holds);
  });

  it('O-CARD-06: one signature that holds is enough, whatever stands beside it', async () => {
    const [good] = card.signatures!;
    const bad = [
      { protected: 'e30', signature: 'AA' },
      null,
      'x',
      { protected: good!.protected, signature: 'AAAA' },
    ];
    expect(await passes({ ...card, signatures: [...bad, good] }, { jwks })).toBe(true);
    expect(await passes({ ...card, signatures: bad }, { jwks })).toBe(false);
    for (const signatures of [undefined, [], 'x', {}]) {
      expect(await passes({ ...card, signatures }, { jwks })).toBe(false);
    }
  });

  it('O-CARD-06: another key of the same id, an expired one, a shared secret and no algorithm do not count', async () => {
    const [key] = jwks.keys as JWK[];
    const other = await exportJWK(ec().publicKey);
    expect(await passes(card, { jwks: { keys: [{ ...other, kid: 'k-1', alg: 'ES256' }] } })).toBe(false);
    expect(await passes(card, { jwks: { keys: [{ ...key, kid: 'k-2' }] } })).toBe(false);
    expect(await passes(card, { jwks: { keys: [{ ...key, exp: 1 }] } })).toBe(false);
    const none = {
      protected: Buffer.from('{"alg":"none","kid":"k-1"}').toString('base64url'),
      signature: '',
    };
    expect(await passes({ ...card, signatures: [none] }, { jwks })).toBe(false);
    const hs256 = {
      protected: Buffer.from('{"alg":"HS256","kid":"k-1"}').toString('base64url'),
      signature: 'AA',
    };
    const secret = { kty: 'oct', k: 'c2VjcmV0', kid: 'k-1' };
    expect(await passes({ ...card, signatures: [hs256] }, { jwks: { keys: [secret] } })).toBe(false);
  });

  it('takes a signature over the card just as it was sent', async () => {
    const { privateKey, publicKey } = ec();
    const { FlattenedSign } = await import('jose');
    const { canonicalJson } = await import('../../lib/protocol/index.js');
    const sent = { ...cardOf('https://x'), securityRequirements: [], later: { a: '' } };
    const jws = await new FlattenedSign(new TextEncoder().encode(canonicalJson(sent)))
      .setProtectedHeader({ alg: 'ES256', kid: 'raw' })
      .sign(privateKey);
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'raw' }];
    expect(await passes({ ...sent, signatures: [jws] }, { jwks: { keys } })).toBe(true);
    expect(await passes({ ...sent, later: {}, signatures: [jws] }, { jwks: { keys } })).toBe(false);
  });
});

describe('the policy of a client', () => {
  const resolve = (origin: string, signatures: CardSignatureOptions, transport?: HttpTransport) =>
    new AgentCardResolver({ signatures, ...(transport && { transport }) }).resolve(origin);

  it('O-CARD-06: "require" refuses, "warn" and "off" do not, and nothing refused is kept', async () => {
    const agent = await signing();
    const url = await agent.app.getUrl();
    const jwks = await keySetOf(agent);
    const wrong = { keys: [{ ...jwks.keys[0], kid: 'other' }] };
    await expect(resolve(url, { policy: 'require', jwks })).resolves.toMatchObject({ name: CARD.name });
    await expect(resolve(url, { policy: 'require', jwks: wrong })).rejects.toMatchObject({
      name: 'CardSignatureError',
      message: expect.stringContaining('the key "k-1" is not trusted') as string,
    });
    await expect(resolve(url, { policy: 'warn', jwks: wrong })).resolves.toMatchObject({ name: CARD.name });
    await expect(resolve(url, { policy: 'off' })).resolves.toMatchObject({ name: CARD.name });
  });

  it('O-CARD-06: holds for the extended card too', async () => {
    const extendedCard = { ...CARD, name: 'For you' };
    const agent = await signing('express', {}, { extendedCard, unsafeExtendedCardWithoutAuth: true });
    const options = { signatures: { policy: 'require' as const, jwks: await keySetOf(agent) } };
    const url = await agent.app.getUrl();
    const rebased = { rewriteEndpoint: (advertised: string) => url + new URL(advertised).pathname };
    const client = await new A2AClientFactory().connect(url, { ...options, ...rebased });
    await expect(client.getExtendedAgentCard()).resolves.toMatchObject({ name: 'For you' });
    // A gateway that changes it on the way.
    const forged = await startServer(() => ({ body: { ...(cardOf(url) as object), name: 'Forged' } }));
    const through = { rewriteEndpoint: () => forged.origin };
    const fooled = await new A2AClientFactory().connect(url, { ...options, ...through });
    await expect(fooled.getExtendedAgentCard()).rejects.toMatchObject({ name: 'CardSignatureError' });
    expect(await fooled.card()).toMatchObject({ name: CARD.name });
  });

  it('O-CARD-06: keys are fetched from trusted hosts over https, and again when one is unknown', async () => {
    const fetched: string[] = [];
    let jwks: JsonWebKeySet = { keys: [] };
    const agent = await signing('express', { jku: 'https://keys.example.com/jwks.json' });
    const url = await agent.app.getUrl();
    const body = JSON.stringify(await agent.card());
    const transport: HttpTransport = async (request) => {
      fetched.push(request.url);
      expect(request.headers.authorization).toBeUndefined();
      const text = request.url.startsWith('https://keys.') ? JSON.stringify(jwks) : body;
      return {
        status: 200,
        headers: {},
        body: (async function* () {
          yield Buffer.from(text);
        })(),
      };
    };
    const resolver = new AgentCardResolver({
      signatures: { policy: 'require', jkuHosts: ['keys.example.com'] },
      transport,
    });
    await expect(resolver.resolve(url)).rejects.toMatchObject({ name: 'CardSignatureError' });
    jwks = await keySetOf(agent);
    // Not again at once: nobody can make this side fetch keys all the time.
    await expect(resolver.resolve(url)).rejects.toMatchObject({ name: 'CardSignatureError' });
    expect(fetched.filter((each) => each.startsWith('https://keys.'))).toHaveLength(1);
    const later = new AgentCardResolver({
      signatures: { policy: 'require', jkuHosts: ['keys.example.com'] },
      transport,
    });
    await expect(later.resolve(url)).resolves.toMatchObject({ name: CARD.name });
    const strict = { policy: 'require', jkuHosts: ['other.example.com'] } as const;
    await expect(resolve(url, strict, transport)).rejects.toThrow('at an address that is not trusted');
  });
});

it('O-CARD-06, O-56: signatures whose keys do not come cost no more than the time of one fetch', async () => {
  const asked: string[] = [];
  const paths = Array.from({ length: 20 }, (_, index) => `https://keys.example.com/${index}`);
  const signatures = paths.map((jku) => {
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'k', jku }));
    return { protected: header.toString('base64url'), signature: 'AA' };
  });
  const { origin } = await startServer(() => ({ body: { ...cardOf('http://x'), signatures } }));
  const direct = axiosTransport();
  const transport: HttpTransport = (request) => {
    if (request.url.startsWith(origin)) return direct(request);
    asked.push(request.url);
    return new Promise(() => undefined);
  };
  const resolver = new AgentCardResolver({
    signatures: { policy: 'require', jkuHosts: ['keys.example.com'] },
    timeout: 500,
    transport,
  });
  await expect(resolver.resolve(origin)).rejects.toMatchObject({ name: 'CardSignatureError' });
  expect(asked).toEqual(paths.slice(0, 1));
});

describe('with the official JavaScript SDK', () => {
  // It drops every empty value from what is signed, so that only cards without any look the same to both.
  const full = { ...CARD, description: 'd', skills: [{ ...CARD.skills[1]!, examples: ['x'] }] };
  const plain = { ...full, capabilities: {} };

  it('O-CARD-06: it verifies our signature', async () => {
    const { privateKey, publicKey } = ec();
    const agent = await signing('express', { key: privateKey }, { card: plain });
    const verify = verifyAgentCardSignature(async (kid, jku) => {
      expect([kid, jku]).toEqual(['k-1', `${PUBLIC_URL}${KEY_SET}`]);
      return publicKey;
    });
    const card = PeerCard.fromJSON(await agent.card());
    await expect(verify(card)).resolves.toBeUndefined();
    await expect(verify({ ...card, name: 'x' })).rejects.toThrow();
  });

  it('O-CARD-06: we verify its signature, and that of a card with empty values where told to', async () => {
    const { privateKey, publicKey } = ec();
    const sign = generateAgentCardSignature(privateKey, { alg: 'ES256', kid: 'peer', typ: 'JOSE' });
    const signed = async (card: object) => PeerCard.toJSON(await sign(PeerCard.fromJSON(card)));
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'peer' }] };
    const one = await signed(cardOf('https://x', plain));
    expect(await passes(one, { jwks, allowDroppedEmpties: false })).toBe(false);
    expect(await passes(one, { jwks, allowDroppedEmpties: true })).toBe(true);
    expect(await passes({ ...(one as object), name: 'x' }, { jwks, allowDroppedEmpties: true })).toBe(false);
  });
});

/** Changes, removes or adds something at a place that `choice` names. */
function tamper(card: Record<string, unknown>, choice: number, kind: 'change' | 'remove' | 'add'): void {
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const walk = (holder: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(holder)) {
      places.push({ holder, key });
      if (typeof value === 'object' && value !== null) walk(value as Record<string, unknown>);
    }
  };
  walk(card);
  const { holder, key } = places[choice % places.length]!;
  const value = holder[key];
  if (kind === 'add') {
    if (Array.isArray(holder)) holder.push('added');
    else holder[`${key}X`] = 'added';
  } else if (kind === 'remove') {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    // What has its default and is dropped anyway may go.
    else if (key !== 'required' && !(Array.isArray(value) && value.length === 0 && key === 'examples'))
      Reflect.deleteProperty(holder, key);
  } else {
    holder[key] = typeof value === 'string' ? `${value}x` : typeof value === 'boolean' ? !value : 'changed';
  }
}

import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { exportSPKI, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { AUDIENCE, claimsWith, ISSUER, TokenMaker, unsigned } from '../../../test/support/token-maker.js';
import { CredentialRejectedError } from '../credential-verifier.js';
import type { JwtOptions } from './jwt-options.js';
import { JwtVerifier } from './jwt-verifier.js';

const SECRET = 'a secret of at least 32 bytes, for tests';
const now = () => Math.floor(Date.now() / 1_000);

let rsa: TokenMaker;
let ec: TokenMaker;

beforeAll(async () => {
  rsa = await TokenMaker.make('rsa-1', 'RS256');
  ec = await TokenMaker.make('ec-1', 'ES256');
});

function verifier(options: Partial<JwtOptions> = {}): JwtVerifier {
  const source = options.secret ?? options.publicKey ?? options.jwks;
  const keys = source === undefined ? { jwks: { keys: [rsa.jwk, ec.jwk] } } : {};
  return new JwtVerifier({ issuer: ISSUER, audience: AUDIENCE, ...keys, ...options });
}

function withSecret(claims: Record<string, unknown> = {}, alg = 'HS256', secret = SECRET): Promise<string> {
  return new SignJWT(claimsWith(claims)).setProtectedHeader({ alg }).sign(Buffer.from(secret));
}

async function rejected(token: string, options?: Partial<JwtOptions>): Promise<void> {
  await expect(verifier(options).verify(token)).rejects.toThrow(CredentialRejectedError);
}

describe('JwtVerifier', () => {
  it.each(['RS256', 'RS512', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'takes a token signed with %s',
    async (alg) => {
      const maker = await TokenMaker.make('key', alg);
      const principal = { identity: 'user-a', authority: ISSUER, scopes: [] };
      expect(await verifier({ jwks: { keys: [maker.jwk] } }).verify(await maker.sign())).toEqual(principal);
      expect(await verifier({ publicKey: maker.jwk }).verify(await maker.sign())).toEqual(principal);
      const pem = createPublicKey({ key: maker.jwk as JsonWebKey, format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      });
      expect(await verifier({ publicKey: String(pem) }).verify(await maker.sign())).toEqual(principal);
    },
  );

  it.each(['HS256', 'HS384', 'HS512'])('takes a token signed with %s and the secret', async (alg) => {
    const secret = 'x'.repeat(64);
    const principal = await verifier({ secret }).verify(await withSecret({}, alg, secret));
    expect(principal.identity).toBe('user-a');
    const bytes = await verifier({ secret: Buffer.from(secret) }).verify(await withSecret({}, alg, secret));
    expect(bytes).toEqual(principal);
  });

  it('S-134: names `sub`, or else `username`', async () => {
    expect(await verifier().verify(await ec.sign({ username: 'other' }))).toMatchObject({
      identity: 'user-a',
    });
    const named = await ec.sign({ sub: undefined, username: 'user-b' });
    expect(await verifier().verify(named)).toMatchObject({ identity: 'user-b' });
  });

  it.each([undefined, null, '', '  ', 42, ['user-a'], { name: 'user-a' }])(
    'S-137: refuses a token whose sub is %j',
    async (sub) => rejected(await ec.sign({ sub })),
  );

  it('S-131: reads scopes from `scope` and `scp`, each a text or a list', async () => {
    const scopes = async (claims: Record<string, unknown>) =>
      (await verifier().verify(await ec.sign(claims))).scopes;
    expect(await scopes({ scope: 'a b  c' })).toEqual(['a', 'b', 'c']);
    expect(await scopes({ scope: 'a', scp: ['b', 'a'] })).toEqual(['a', 'b']);
    expect(await scopes({ scp: 'a b', scope: ['c'] })).toEqual(['c', 'a', 'b']);
    expect(await scopes({ scope: { a: true }, scp: [1, null, 'd'] })).toEqual(['d']);
  });

  it.each<[string, Record<string, unknown>]>([
    ['another issuer', { iss: 'https://other.example' }],
    ['the issuer as a list', { iss: [ISSUER] }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'other' }],
    ['other audiences', { aud: ['other', `${AUDIENCE}2`] }],
    ['no audience', { aud: undefined }],
    ['an expiry in the past', { exp: now() - 60 }],
    ['an expiry that is no number', { exp: 'tomorrow' }],
    ['a start in the future', { nbf: now() + 60 }],
    ['a start that is no number', { nbf: '0' }],
    ['the kind of an ID token (Keycloak)', { typ: 'ID' }],
    ['the kind of a refresh token (Keycloak)', { typ: 'Refresh' }],
    ['the kind of an ID token (Cognito)', { token_use: 'id' }],
    ['the kind of a refresh token (others)', { token_type: 'refresh' }],
    ['the hash of an access token', { at_hash: 'x' }],
    ['a nonce and nothing of an access token', { nonce: 'n-1' }],
    ['a key that it is bound to', { cnf: { jkt: 'x' } }],
  ])('O-AUTH-08: refuses a token with %s', async (_, claims) => rejected(await ec.sign(claims)));

  it('O-AUTH-08: takes access tokens that are marked as such, also with a nonce', async () => {
    await expect(verifier().verify(await ec.sign({ nonce: 'n', scope: 'a' }))).resolves.toBeDefined();
    await expect(verifier().verify(await ec.sign({ nonce: 'n', typ: 'Bearer' }))).resolves.toBeDefined();
    await expect(verifier().verify(await ec.sign({ nonce: 'n' }, { typ: 'at+jwt' }))).resolves.toBeDefined();
    for (const typ of ['JWT', 'jwt', 'AT+JWT', 'application/at+jwt'])
      await expect(verifier().verify(await ec.sign({}, { typ }))).resolves.toBeDefined();
  });

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt'])(
    'O-AUTH-08: refuses a token of the type %s',
    async (typ) => rejected(await ec.sign({}, { typ })),
  );

  it('lets clocks differ by five seconds, or as much as the option says', async () => {
    await expect(verifier().verify(await ec.sign({ exp: now() - 2 }))).resolves.toBeDefined();
    await rejected(await ec.sign({ exp: now() - 10 }));
    const tolerant = verifier({ clockTolerance: 60 });
    await expect(tolerant.verify(await ec.sign({ nbf: now() + 30 }))).resolves.toBeDefined();
    await rejected(await ec.sign({ exp: now() - 2 }), { clockTolerance: 0 });
  });

  it('takes one of several audiences on either side', async () => {
    const token = await ec.sign({ aud: ['x', AUDIENCE] });
    await expect(verifier({ audience: ['y', AUDIENCE] }).verify(token)).resolves.toBeDefined();
  });

  describe('O-AUTH-11: the algorithm is not the choice of the token', () => {
    it('refuses alg none in any spelling, with and without a signature', async () => {
      for (const alg of ['none', 'None', 'NONE', '']) {
        await rejected(unsigned({ alg }, claimsWith({})));
        await rejected(unsigned({ alg }, claimsWith({}), 'eA'));
        await rejected(unsigned({ alg }, claimsWith({})), { secret: SECRET });
      }
      await rejected(unsigned({}, claimsWith({})));
      await rejected(unsigned({ alg: ['none'] }, claimsWith({})));
    });

    it('refuses HS256 with the public key as the secret, as PEM and as JSON', async () => {
      const spki = await exportSPKI((await importJWK(rsa.jwk, 'RS256')) as never);
      for (const secret of [spki, spki.trim(), JSON.stringify(rsa.jwk)]) {
        await rejected(await withSecret({}, 'HS256', secret), { publicKey: spki });
        await rejected(await withSecret({}, 'HS256', secret));
      }
    });

    it('refuses a key for another algorithm than its own', async () => {
      const [header, payload] = (await rsa.sign()).split('.');
      const es256 = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'rsa-1' })).toString('base64url');
      await rejected(`${es256}.${payload}.${'A'.repeat(86)}`);
      await rejected(`${header}.${payload}.${(await ec.sign()).split('.')[2]}`);
      const limited: JWK = { ...rsa.jwk, alg: 'RS512' };
      await rejected(await rsa.sign(), { jwks: { keys: [limited] } });
    });

    it('refuses algorithms that the option leaves out', async () => {
      await rejected(await rsa.sign(), { algorithms: ['ES256'] });
      await rejected(await withSecret({}, 'HS256', 'x'.repeat(64)), {
        secret: 'x'.repeat(64),
        algorithms: ['HS512'],
      });
      // 40 bytes are too few for the hash of HS512.
      await rejected(await withSecret({}, 'HS512'), { secret: SECRET });
    });

    it('refuses what must be understood and is not', async () => {
      const header = { alg: 'HS256', crit: ['urn:unknown'], 'urn:unknown': true };
      const body = unsigned(header, claimsWith({})).slice(0, -1);
      const signature = createHmac('sha256', SECRET).update(body).digest('base64url');
      await rejected(`${body}.${signature}`, { secret: SECRET });
    });

    it('takes keys from its own source only', async () => {
      const stranger = await TokenMaker.make('ec-1');
      const embedded = { jwk: stranger.jwk, jku: 'https://evil.example/jwks', x5u: 'https://evil.example' };
      await rejected(await stranger.sign({}, embedded));
      await rejected(await stranger.sign({}, { ...embedded, kid: undefined }));
      await expect(verifier().verify(await ec.sign({}, embedded))).resolves.toBeDefined();
    });
  });

  it('refuses a key that is not there', async () => {
    for (const kid of ['../../etc/passwd', 'ec-2', '', '__proto__', 'constructor', 'a\u0000b', '/', 42]) {
      await rejected(await ec.sign({}, { kid }));
    }
  });

  it('tries each key that fits where the token names none', async () => {
    const other = await TokenMaker.make('ec-2');
    const jwks = { keys: [other.jwk, ec.jwk] };
    await expect(verifier({ jwks }).verify(await ec.sign({}, { kid: undefined }))).resolves.toBeDefined();
    await rejected(await ec.sign({ aud: 'other' }, { kid: undefined }), { jwks });
    const stranger = await TokenMaker.make('x');
    await rejected(await stranger.sign({}, { kid: undefined }), { jwks });
  });

  it('refuses weak RSA keys', async () => {
    const { publicKey } = await generateKeyPair('RS256', { modulusLength: 2048 });
    expect(publicKey).toBeDefined();
    const weak = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(64, 0xab).toString('base64url'), kid: 'rsa-1' };
    await rejected(await rsa.sign(), { jwks: { keys: [weak] } });
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['a blank', ' '],
    ['a word', 'token'],
    ['two parts', 'a.b'],
    ['four parts', 'a.b.c.d'],
    ['five parts, as of an encrypted one', 'e30.e30.e30.e30.e30'],
    ['dots', '..'],
    ['no base64url', '%%%.&&&.!!!'],
    ['a header that is no object', unsigned('[]', {}, 'eA')],
    ['a header that is no JSON', unsigned('{', {}, 'eA')],
    ['a payload that is no object', unsigned({ alg: 'ES256' }, '"x"', 'eA')],
    ['bytes that are no UTF-8', `${Buffer.from([0xff, 0xfe]).toString('base64url')}.e30.eA`],
    ['characters outside of ASCII', 'ä.ö.ü'],
    ['100 kB', `${'a'.repeat(50_000)}.${'b'.repeat(50_000)}.c`],
  ])('refuses %s, as any other malformed token', async (_, token) => {
    await rejected(token);
    await rejected(token, { secret: SECRET });
  });

  it('refuses a well-signed token of 100 kB before it is parsed', async () => {
    await rejected(await ec.sign({ filler: 'x'.repeat(100_000) }));
  });

  it('refuses signed payloads that are no object of claims', async () => {
    for (const payload of ['"x"', '[]', '42', 'null', 'text']) {
      const body = unsigned({ alg: 'HS256' }, payload).slice(0, -1);
      const signature = createHmac('sha256', SECRET).update(body).digest('base64url');
      await rejected(`${body}.${signature}`, { secret: SECRET });
    }
  });
});

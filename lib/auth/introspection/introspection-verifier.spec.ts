import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CollectedLog } from '../../../test/support/collected-log.js';
import { json, ProviderServer } from '../../../test/support/provider-server.js';
import { UnavailableError } from '../../protocol/index.js';
import { CredentialRejectedError } from '../credential-verifier.js';
import type { IntrospectionOptions } from './introspection-options.js';
import { IntrospectionVerifier } from './introspection-verifier.js';

const seconds = () => Math.floor(Date.now() / 1_000);
const ACTIVE = { active: true, sub: 'user-a', scope: 'a b', iss: 'https://issuer.example' };

let provider: ProviderServer;
let log: CollectedLog;

beforeEach(async () => {
  provider = await ProviderServer.start(json(ACTIVE));
  log = new CollectedLog();
  Logger.overrideLogger(log);
});

afterEach(async () => {
  vi.useRealTimers();
  await provider.stop();
  Logger.overrideLogger(['error', 'warn', 'log']);
});

function verifier(options: Partial<IntrospectionOptions> = {}): IntrospectionVerifier {
  const client = { clientId: 'agent', clientSecret: 's3cret' };
  return new IntrospectionVerifier({ url: provider.url, ...client, ...options }, 'auth[0].introspection');
}

describe('IntrospectionVerifier', () => {
  it('asks as RFC 7662 says, with a client whose name and secret may hold anything', async () => {
    await verifier({ clientId: 'a:b c', clientSecret: 'ü%+&/:' }).verify('tok-1');
    const { request, body } = provider.requests[0]!;
    expect(request.method).toBe('POST');
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      token: 'tok-1',
      token_type_hint: 'access_token',
    });
    const basic = Buffer.from(request.headers.authorization!.slice(6), 'base64').toString();
    expect(basic).toBe('a%3Ab+c:%C3%BC%25%2B%26%2F%3A');
  });

  it('S-134, S-135: names the caller, its scopes, and the endpoint with the issuer as its authority', async () => {
    const authority = `${provider.url} https://issuer.example`;
    expect(await verifier().verify('t')).toEqual({ identity: 'user-a', authority, scopes: ['a', 'b'] });
    provider.answer = json({ active: true, username: 'user-b' });
    expect(await verifier().verify('t')).toEqual({
      identity: 'user-b',
      authority: provider.url,
      scopes: [],
    });
  });

  it('asks once for a token within the time that answers are kept, also for many at once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const checked = verifier();
    await Promise.all(Array.from({ length: 50 }, () => checked.verify('t')));
    await checked.verify('t');
    expect(provider.requests).toHaveLength(1);
    await checked.verify('another');
    expect(provider.requests).toHaveLength(2);
    vi.setSystemTime(Date.now() + 60_000);
    await checked.verify('t');
    expect(provider.requests).toHaveLength(3);
  });

  it('asks about 64 tokens at once, lets 1,000 wait, and refuses more for now', async () => {
    const answers: (() => void)[] = [];
    provider.answer = (response) => answers.push(() => response.end(JSON.stringify(ACTIVE)));
    const checked = verifier();
    const outcomes = Array.from({ length: 1_100 }, (_, index) => {
      return checked.verify(`t-${index}`).catch((error: unknown) => error);
    });
    const refused = await Promise.all(outcomes.slice(1_064));
    expect(refused.every((outcome) => outcome instanceof UnavailableError)).toBe(true);
    await expect.poll(() => answers).toHaveLength(64);
    provider.answer = json(ACTIVE);
    for (const answer of answers) answer();
    for (const outcome of await Promise.all(outcomes.slice(0, 1_064))) {
      expect(outcome).toMatchObject({ identity: 'user-a' });
    }
  });

  it('O-AUTH-09: keeps no answer beyond the expiry of its token', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    const checked = verifier();
    provider.answer = json({ ...ACTIVE, exp: seconds() + 2 });
    await checked.verify('t');
    vi.setSystemTime(Date.now() + 1_000);
    await checked.verify('t');
    expect(provider.requests).toHaveLength(1);
    vi.setSystemTime(Date.now() + 2_000);
    // Whatever the issuer says of it by then.
    await expect(checked.verify('t')).rejects.toThrow(CredentialRejectedError);
    expect(provider.requests).toHaveLength(2);
  });

  it('keeps no answer that refuses, and none at all with a maximum age of 0', async () => {
    const checked = verifier();
    provider.answer = json({ active: false });
    await expect(checked.verify('t')).rejects.toThrow(CredentialRejectedError);
    provider.answer = json(ACTIVE);
    await checked.verify('t');
    const fresh = verifier({ cacheMaxAge: 0 });
    await fresh.verify('t');
    await fresh.verify('t');
    expect(provider.requests).toHaveLength(4);
  });

  it.each<[string, object, Partial<IntrospectionOptions>?]>([
    ['inactive', { active: false, sub: 'user-a' }],
    ['without a name', { active: true }],
    ['with an empty name', { active: true, sub: '' }],
    ['with a name that is no text', { active: true, sub: 7 }],
    ['expired', { ...ACTIVE, exp: 1 }],
    ['with an expiry that is no number', { ...ACTIVE, exp: 'never' }],
    ['not valid yet', { ...ACTIVE, nbf: seconds() + 60 }],
    ['with an issuer that is no text', { ...ACTIVE, iss: {} }],
    ['of another issuer', ACTIVE, { issuer: 'https://other.example' }],
    ['for another audience', { ...ACTIVE, aud: 'other' }, { audience: 'agent' }],
    ['for no audience', ACTIVE, { audience: ['agent'] }],
    ['which is a refresh token', { ...ACTIVE, token_type: 'refresh_token' }],
    ['which is bound to a key', { ...ACTIVE, cnf: { jkt: 'x' } }],
  ])('O-AUTH-08: refuses a token %s', async (_, answer, options) => {
    provider.answer = json(answer);
    await expect(verifier(options).verify('t')).rejects.toThrow(CredentialRejectedError);
  });

  it('takes a token of its issuer for its audience', async () => {
    provider.answer = json({ ...ACTIVE, aud: ['x', 'agent'] });
    const checked = verifier({ issuer: 'https://issuer.example', audience: 'agent' });
    await expect(checked.verify('t')).resolves.toBeDefined();
    provider.answer = json({ active: true, sub: 'user-a' });
    const pinned = await verifier({ issuer: 'https://issuer.example' }).verify('t');
    expect(pinned.authority).toBe(`${provider.url} https://issuer.example`);
  });

  it.each<[string, ProviderServer['answer']]>([
    ['without active', json({ sub: 'user-a' })],
    ['with an active that is no boolean', json({ active: 'true', sub: 'user-a' })],
    ['that is null', json(null)],
    ['that is a list', json([])],
    ['that is no JSON', (response) => response.end('active=true')],
    ['that is empty', (response) => response.end()],
    ['of 10 MB', (response) => response.end(`{"active":true,"sub":"${'x'.repeat(10_000_000)}"}`)],
    ['with the status 401', (response) => response.writeHead(401).end('{"active":true,"sub":"a"}')],
    ['with the status 500', (response) => response.writeHead(500).end()],
    ['that redirects', (response) => response.writeHead(307, { location: provider.url }).end()],
    ['that breaks off', (response) => response.writeHead(200).write('{') && response.destroy()],
  ])('an answer %s says nothing of the token', async (_, answer) => {
    provider.answer = answer;
    await expect(verifier().verify('t')).rejects.toThrow(UnavailableError);
  });

  it('says that it cannot tell while the issuer is down, logs so once, and goes on after that', async () => {
    await provider.stop();
    const checked = verifier();
    for (let time = 0; time < 3; time++) {
      await expect(checked.verify('tok-secret')).rejects.toMatchObject({ httpStatus: 503, retryAfter: 1 });
    }
    expect(log.of('error')).toHaveLength(1);
    expect(log.lines.join('\n')).toContain('ECONNREFUSED');
    expect(log.lines.join('\n')).not.toMatch(/s3cret|tok-secret/);
    await provider.listen();
    await expect(checked.verify('tok-secret')).resolves.toBeDefined();
    expect(log.lines.at(-1)).toContain('answers again');
  });

  it.each(['', ' ', 'a b', 'ä', 'a\r\nb', 'a\u0000', 'x'.repeat(20_000)])(
    'refuses the malformed token number %# without asking',
    async (token) => {
      await expect(verifier().verify(token)).rejects.toThrow(CredentialRejectedError);
      expect(provider.requests).toHaveLength(0);
    },
  );
});

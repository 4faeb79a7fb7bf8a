import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IntrospectionVerifier } from '../../../lib/auth/introspection/introspection-verifier.js';
import type { JwtOptions } from '../../../lib/auth/jwt/jwt-options.js';
import { JwtVerifier } from '../../../lib/auth/jwt/jwt-verifier.js';
import { CollectedLog } from '../../support/collected-log.js';
import { CLIENT, IdentityProvider, newKey, RESOURCE } from './oidc-provider.js';

let provider: IdentityProvider;
let verifiers: JwtVerifier[];

beforeEach(async () => {
  Logger.overrideLogger(new CollectedLog());
  provider = await IdentityProvider.start();
  verifiers = [];
});

afterEach(async () => {
  for (const verifier of verifiers) await verifier.close();
  await provider.stop();
  Logger.overrideLogger(['error', 'warn', 'log']);
});

function jwtVerifier(options: Partial<JwtOptions> = {}): JwtVerifier {
  const { issuer } = provider;
  const verifier = new JwtVerifier(
    { issuer, audience: RESOURCE, jwksUrl: `${issuer}/jwks`, ...options },
    'auth[0].jwt',
  );
  verifiers.push(verifier);
  return verifier;
}

const keyFetches = () => provider.requests.filter((path) => path === '/jwks').length;

describe('access tokens of a real provider', () => {
  it('S-134, S-135: are verified by its keys, which are fetched once', async () => {
    const verifier = jwtVerifier({ preload: true });
    await verifier.open();
    const token = await provider.clientToken('a2a:invoke other');
    for (let time = 0; time < 3; time++) {
      expect(await verifier.verify(token)).toEqual({
        identity: CLIENT.client_id,
        authority: provider.issuer,
        scopes: ['a2a:invoke', 'other'],
      });
    }
    expect(keyFetches()).toBe(1);
    await expect(jwtVerifier({ audience: 'other' }).verify(token)).rejects.toThrow('audience');
  });

  it('S-142: are verified by keys that were rotated in meanwhile', async () => {
    const verifier = jwtVerifier();
    const old = await provider.clientToken('a2a:invoke');
    await verifier.verify(old);
    await provider.stop();
    await provider.run(await newKey('key-2'));
    const token = await provider.clientToken('a2a:invoke');
    await verifier.verify(token);
    await expect(verifier.verify(old)).rejects.toMatchObject({ name: 'CredentialRejectedError' });
    expect(keyFetches()).toBe(2);
  });

  it('S-142: are verified while the provider is down, and cannot be only if it was never up', async () => {
    const verifier = jwtVerifier();
    const token = await provider.clientToken('a2a:invoke');
    await verifier.verify(token);
    await provider.stop();
    await verifier.verify(token);
    const unavailable = { name: 'UnavailableError', httpStatus: 503, retryAfter: expect.any(Number) };
    await expect(jwtVerifier().verify(token)).rejects.toMatchObject(unavailable);
    await expect(jwtVerifier({ preload: true }).open()).rejects.toThrow(
      /^auth\[0\]\.jwt\.jwksUrl: no keys from/,
    );
  });

  it('O-AUTH-09: are introspected, and no longer good once they are revoked', async () => {
    const { client_id: clientId, client_secret: clientSecret } = CLIENT;
    const url = `${provider.issuer}/token/introspection`;
    const { value, revoke } = await provider.userToken('user-a', 'openid a2a:invoke');
    const cached = new IntrospectionVerifier({ url, clientId, clientSecret });
    const fresh = new IntrospectionVerifier({ url, clientId, clientSecret, cacheMaxAge: 0 });
    const principal = {
      identity: 'user-a',
      authority: `${url} ${provider.issuer}`,
      scopes: ['openid', 'a2a:invoke'],
    };
    expect(await cached.verify(value)).toEqual(principal);
    expect(await fresh.verify(value)).toEqual(principal);
    await revoke();
    expect(await cached.verify(value)).toEqual(principal);
    await expect(fresh.verify(value)).rejects.toMatchObject({ name: 'CredentialRejectedError' });
    await expect(fresh.verify('unknown')).rejects.toMatchObject({ name: 'CredentialRejectedError' });

    const stranger = new IntrospectionVerifier({ url, clientId, clientSecret: 'wrong' });
    await expect(stranger.verify(value)).rejects.toMatchObject({ name: 'UnavailableError' });
    await provider.stop();
    expect(await cached.verify(value)).toEqual(principal);
    await expect(fresh.verify(value)).rejects.toMatchObject({ name: 'UnavailableError', httpStatus: 503 });
  });
});

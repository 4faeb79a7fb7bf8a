import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createVerifier } from '../create-verifier.js';
import { CredentialRejectedError, type CredentialVerifier } from '../credential-verifier.js';

const secret = 'a secret of at least 32 bytes, for tests';
const issuer = 'https://issuer.example';

function sign(claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
  const standard = { iss: issuer, aud: 'agent', sub: 'user-a', exp: Math.floor(Date.now() / 1000) + 60 };
  return new SignJWT({ ...standard, ...claims })
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(Buffer.from(secret));
}

describe('JwtVerifier with a secret', () => {
  const { verifier } = createVerifier({ jwt: { secret, issuer, audience: 'agent' } }, 'auth[0]') as {
    verifier: CredentialVerifier<string>;
  };

  it('S-134, S-135: names the caller, its issuer and its scopes', async () => {
    const token = await sign({ scope: 'a b', scp: ['b', 'c'] });
    await expect(verifier.verify(token)).resolves.toEqual({
      identity: 'user-a',
      authority: issuer,
      scopes: ['a', 'b', 'c'],
    });
  });

  it('O-AUTH-08: refuses what is expired', async () => {
    await expect(verifier.verify(await sign({ exp: 1 }))).rejects.toThrow(CredentialRejectedError);
  });
});

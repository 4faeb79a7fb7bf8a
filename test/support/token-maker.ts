import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

export const ISSUER = 'https://issuer.example';
export const AUDIENCE = 'agent';

/** A pair of keys of an issuer, and tokens signed with it. */
export class TokenMaker {
  private constructor(
    readonly alg: string,
    readonly jwk: JWK,
    private readonly key: CryptoKey,
  ) {}

  static async make(kid: string, alg = 'ES256'): Promise<TokenMaker> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    return new TokenMaker(alg, { ...(await exportJWK(publicKey)), kid }, privateKey);
  }

  /** A valid token of `user-a`, but for what `claims` and `header` change; `undefined` takes away. */
  sign(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> {
    return new SignJWT(claimsWith(claims))
      .setProtectedHeader({ alg: this.alg, kid: this.jwk.kid, ...header })
      .sign(this.key);
  }
}

export function claimsWith(claims: Record<string, unknown>): Record<string, unknown> {
  const exp = Math.floor(Date.now() / 1_000) + 60;
  return { iss: ISSUER, aud: AUDIENCE, sub: 'user-a', exp, ...claims };
}

/** A token of any header and payload whose signature is none. */
export function unsigned(header: unknown, payload: unknown, signature = ''): string {
  const part = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(payload)}.${signature}`;
}

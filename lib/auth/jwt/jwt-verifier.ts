import type { JWTVerifyOptions, JWTVerifyResult } from 'jose';
import { isA2AError } from '../../protocol/index.js';
import { optionalPackage } from '../../net/optional-package.js';
import { CredentialRejectedError, type CredentialVerifier, type Principal } from '../credential-verifier.js';
import { authorityOf, identityOf, refuseOtherTokens, scopesOf } from '../token-claims.js';
import { KEY_ALGORITHMS, secretAlgorithms } from './jwt-algorithms.js';
import { keysInMemory, type Jose, type KeyFinder } from './jwt-keys.js';
import type { JwtOptions } from './jwt-options.js';

/** Longer than any header that Node takes by default; refused before anything is decoded. */
const LONGEST_TOKEN = 16_384;

/** Keys that are tried where a token does not say which one it means. */
const MOST_CANDIDATES = 16;

/** `typ` of the header of access tokens, with and without `application/` (RFC 7519, section 5.1; RFC 9068). */
const TOKEN_TYPES = ['jwt', 'at+jwt'];

/** Verifies JWTs with the keys that the options name; the algorithm is never left to the token. */
export class JwtVerifier implements CredentialVerifier<string> {
  readonly #options: JwtOptions;
  readonly #place: string;
  readonly #checks: JWTVerifyOptions;
  #jose: Jose | undefined;
  #keys: KeyFinder | undefined;

  constructor(options: JwtOptions, place = 'jwt') {
    this.#options = options;
    this.#place = place;
    const { secret, audience, issuer } = options;
    const bytes = secret === undefined ? 0 : Buffer.byteLength(secret);
    const algorithms =
      options.algorithms ?? (secret === undefined ? KEY_ALGORITHMS : secretAlgorithms(bytes));
    this.#checks = {
      algorithms: [...algorithms],
      audience: typeof audience === 'string' ? audience : [...audience],
      ...(issuer !== undefined && { issuer }),
      clockTolerance: options.clockTolerance ?? 5,
    };
  }

  async open(): Promise<void> {
    await this.#load();
  }

  async verify(token: string): Promise<Principal> {
    if (token.length > LONGEST_TOKEN) throw new CredentialRejectedError('the token is too long');
    const jose = this.#jose ?? (await this.#load());
    const { payload, protectedHeader } = await this.#verified(jose, token);
    const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '') ?? 'jwt';
    if (!TOKEN_TYPES.includes(type)) {
      throw new CredentialRejectedError('the token is of another type than JWT or at+jwt');
    }
    refuseOtherTokens(payload, type === 'at+jwt');
    const { issuer, jwksUrl = '' } = this.#options;
    return {
      identity: identityOf(payload),
      authority: issuer ?? authorityOf(jwksUrl, payload.iss),
      scopes: scopesOf(payload),
    };
  }

  async #verified(jose: Jose, token: string): Promise<JWTVerifyResult> {
    try {
      return await jose.jwtVerify(token, this.#finder(jose), this.#checks);
    } catch (error) {
      if (error instanceof jose.errors.JWKSMultipleMatchingKeys) return this.#withOneOf(jose, error, token);
      throw rejection(error);
    }
  }

  /** The token does not say which of the keys that fit it means, so one after another is tried. */
  async #withOneOf(
    jose: Jose,
    keys: InstanceType<Jose['errors']['JWKSMultipleMatchingKeys']>,
    token: string,
  ) {
    let tried = 0;
    for await (const key of keys) {
      if (++tried > MOST_CANDIDATES) break;
      try {
        return await jose.jwtVerify(token, key, this.#checks);
      } catch (error) {
        if (!(error instanceof jose.errors.JWSSignatureVerificationFailed)) throw rejection(error);
      }
    }
    throw new CredentialRejectedError('no key that fits the token signed it');
  }

  #finder(jose: Jose): KeyFinder {
    return (this.#keys ??= keysInMemory(jose, this.#options));
  }

  async #load(): Promise<Jose> {
    return (this.#jose = await optionalPackage('jose', this.#place, () => import('jose')));
  }
}

/** Whatever a token makes the parsing and checking of it throw means that it is not good. */
function rejection(error: unknown): Error {
  if (isA2AError(error) || error instanceof CredentialRejectedError) return error;
  return new CredentialRejectedError(error instanceof Error ? error.message : 'the token is not valid', {
    cause: error,
  });
}

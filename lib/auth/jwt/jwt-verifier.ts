import { Logger } from '@nestjs/common';
import { optionalPackage } from '../../net/optional-package.js';
import { isA2AError } from '../../protocol/index.js';
import { checkAudience, checkIssuer, checkTimes } from '../claim-checks.js';
import { CredentialRejectedError, type CredentialVerifier, type Principal } from '../credential-verifier.js';
import { reasonOf } from '../fetch-json.js';
import { warnOfPlainTransport } from '../plain-transport.js';
import { authorityOf, identityOf, refuseOtherTokens, scopesOf, type Claims } from '../token-claims.js';
import { JwksCache } from './jwks-cache.js';
import { KEY_ALGORITHMS, secretAlgorithms } from './jwt-algorithms.js';
import { keysInMemory, keysOf, type Jose, type KeySource } from './jwt-keys.js';
import type { JwtOptions } from './jwt-options.js';
import { checkSignature } from './signature.js';
import { readClaims, readToken } from './signed-token.js';

/** Verifies JWTs with the keys that the options name; the algorithm is never left to the token. */
export class JwtVerifier implements CredentialVerifier<string> {
  readonly #options: JwtOptions;
  readonly #place: string;
  readonly #algorithms: ReadonlySet<string>;
  readonly #audiences: readonly string[];
  readonly #logger: Logger;
  #keys: KeySource | undefined;
  #isClosed = false;

  constructor(options: JwtOptions, place = 'jwt') {
    this.#options = options;
    this.#place = place;
    this.#logger = new Logger(`A2A:${place}`);
    const { audience, secret } = options;
    const algorithms = secret === undefined ? KEY_ALGORITHMS : secretAlgorithms(Buffer.byteLength(secret));
    this.#algorithms = new Set(options.algorithms ?? algorithms);
    this.#audiences = typeof audience === 'string' ? [audience] : audience;
  }

  async open(): Promise<void> {
    const { jwksUrl, preload = false } = this.#options;
    if (jwksUrl !== undefined) warnOfPlainTransport(this.#logger, `${this.#place}.jwksUrl`, jwksUrl);
    const keys = await this.#load();
    if (!preload) return;
    await keys.preload?.().catch((error: unknown) => {
      throw new Error(`${this.#place}.jwksUrl: ${reasonOf(error)}`, { cause: error });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#keys?.close?.();
  }

  async verify(token: string): Promise<Principal> {
    const keys = this.#keys ?? (await this.#load());
    try {
      return await this.#principal(token, keys);
    } catch (error) {
      if (isA2AError(error) || error instanceof CredentialRejectedError) throw error;
      // Whatever else a token brings about, it is not good.
      throw new CredentialRejectedError(reasonOf(error), { cause: error });
    }
  }

  async #principal(token: string, keys: KeySource): Promise<Principal> {
    const signed = readToken(token);
    if (!this.#algorithms.has(signed.alg)) {
      throw new CredentialRejectedError('the token is signed with an algorithm that is not accepted');
    }
    await checkSignature(signed, keys);
    const claims = readClaims(signed.payload, 'payload');
    this.#checkClaims(claims);
    refuseOtherTokens(claims, signed.isTyped);
    const { issuer, jwksUrl = '' } = this.#options;
    return {
      identity: identityOf(claims),
      authority: issuer ?? authorityOf(jwksUrl, claims.iss),
      scopes: scopesOf(claims),
    };
  }

  #checkClaims(claims: Claims): void {
    const { issuer, clockTolerance = 5 } = this.#options;
    checkTimes(claims, clockTolerance);
    checkAudience(claims, this.#audiences);
    if (issuer !== undefined) checkIssuer(claims, issuer);
  }

  async #load(): Promise<KeySource> {
    const jose = await optionalPackage('jose', this.#place, () => import('jose'));
    const keys = (this.#keys ??= this.#keySource(jose));
    if (this.#isClosed) keys.close?.();
    return keys;
  }

  #keySource(jose: Jose): KeySource {
    const { jwksUrl, jwksMaxAge = 600, jwksCooldown = 30 } = this.#options;
    if (jwksUrl === undefined) return { find: keysInMemory(jose, this.#options) };
    return new JwksCache({
      url: jwksUrl,
      maxAge: jwksMaxAge,
      cooldown: jwksCooldown,
      keysOf: (jwks) => keysOf(jose, jwks),
      logger: this.#logger,
    });
  }
}

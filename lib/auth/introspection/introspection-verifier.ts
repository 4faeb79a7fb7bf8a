import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { isA2AError, UnavailableError } from '../../protocol/index.js';
import { checkAudience, checkIssuer, checkTimes } from '../claim-checks.js';
import { CredentialRejectedError, type CredentialVerifier, type Principal } from '../credential-verifier.js';
import { fetchJson, reasonOf, shownUrl } from '../fetch-json.js';
import { Gate } from '../gate.js';
import { LruMap } from '../lru-map.js';
import { warnOfPlainTransport } from '../plain-transport.js';
import { authorityOf, identityOf, refuseOtherTokens, scopesOf, type Claims } from '../token-claims.js';
import type { IntrospectionOptions } from './introspection-options.js';

const LONGEST_TOKEN = 16_384;
const MOST_ANSWERS = 10_000;
/** Anybody may bring tokens that nobody knows, and each one is asked for. */
const MOST_QUESTIONS = 64;
const MOST_WAITING = 1_000;
/** `token68` of RFC 7235: whatever else there is in a header is no bearer token. */
const TOKEN = /^[\w.~+/-]+=*$/;

interface KeptAnswer {
  readonly principal: Principal;
  /** By the clock, in milliseconds. */
  readonly until: number;
}

/** Asks the issuer of a token whether it is good, and keeps the answer for a while. */
export class IntrospectionVerifier implements CredentialVerifier<string> {
  readonly #options: IntrospectionOptions;
  readonly #place: string;
  readonly #logger: Logger;
  readonly #authorization: string;
  readonly #answers = new LruMap<string, KeptAnswer>(MOST_ANSWERS);
  readonly #asked = new Map<string, Promise<Principal>>();
  readonly #gate = new Gate(MOST_QUESTIONS, MOST_WAITING);
  #isDown = false;

  constructor(options: IntrospectionOptions, place = 'introspection') {
    this.#options = options;
    this.#place = place;
    this.#logger = new Logger(`A2A:${place}`);
    const client = `${formEncoded(options.clientId)}:${formEncoded(options.clientSecret)}`;
    this.#authorization = `Basic ${Buffer.from(client).toString('base64')}`;
  }

  async open(): Promise<void> {
    warnOfPlainTransport(this.#logger, `${this.#place}.url`, this.#options.url);
  }

  async verify(token: string): Promise<Principal> {
    if (token.length > LONGEST_TOKEN) throw new CredentialRejectedError('the token is too long');
    if (!TOKEN.test(token)) throw new CredentialRejectedError('the token has characters that none has');
    // The memory of the process holds no tokens, then.
    const key = createHash('sha256').update(token).digest('base64');
    const kept = this.#answers.get(key);
    if (kept && kept.until > Date.now()) return kept.principal;
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const asking = this.#gate.run(() => this.#ask(token, key)).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return asking;
  }

  async #ask(token: string, key: string): Promise<Principal> {
    const answer = await this.#answerTo(token);
    if (!answer.active) {
      this.#answers.delete(key);
      throw new CredentialRejectedError('the issuer does not take the token for active');
    }
    const principal = this.#principal(answer);
    const { cacheMaxAge = 60 } = this.#options;
    const expiry = typeof answer.exp === 'number' ? answer.exp * 1_000 : Infinity;
    const until = Math.min(expiry, Date.now() + cacheMaxAge * 1_000);
    if (cacheMaxAge > 0) this.#answers.set(key, { principal, until });
    return principal;
  }

  #principal(answer: Claims): Principal {
    const { url, issuer, audience } = this.#options;
    checkTimes(answer, 0);
    if (issuer !== undefined && answer.iss !== undefined) checkIssuer(answer, issuer);
    if (audience !== undefined) checkAudience(answer, typeof audience === 'string' ? [audience] : audience);
    refuseOtherTokens(answer);
    return {
      identity: identityOf(answer),
      authority: authorityOf(url, answer.iss ?? issuer),
      scopes: scopesOf(answer),
    };
  }

  /** @throws UnavailableError if there is no answer that says whether the token is good */
  async #answerTo(token: string): Promise<Claims> {
    const { url } = this.#options;
    try {
      const { value } = await fetchJson({
        url,
        method: 'POST',
        headers: {
          authorization: this.#authorization,
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
      });
      if (!isAnswer(value)) throw new Error('the answer does not say whether the token is active');
      if (this.#isDown) this.#logger.log(`${shownUrl(url)} answers again`);
      this.#isDown = false;
      return value;
    } catch (error) {
      if (isA2AError(error)) throw error;
      // Once, and not with each token that comes meanwhile.
      if (!this.#isDown) this.#logger.error(`${shownUrl(url)} cannot be asked: ${reasonOf(error)}`);
      this.#isDown = true;
      throw new UnavailableError('Tokens cannot be checked right now');
    }
  }
}

function isAnswer(value: unknown): value is Claims & { active: boolean } {
  return typeof value === 'object' && value !== null && typeof (value as Claims).active === 'boolean';
}

/** As RFC 6749, section 2.3.1 asks for, so that a secret may hold any character. */
function formEncoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

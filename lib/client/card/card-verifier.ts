import { Logger } from '@nestjs/common';
import type { FlattenedJWSInput, FlattenedVerifyGetKey } from 'jose';
import { optionalPackage } from '../../net/optional-package.js';
import { canonicalCard, canonicalJson } from '../../protocol/index.js';
import { CardSignatureError } from './agent-card-error.js';
import type { CardKeys } from './card-keys.js';
import type { CardSignatureOptions } from './card-signature-options.js';
import { withoutEmpties } from './without-empties.js';

/** Algorithms that prove who signed: none with a shared secret, and not `none`. */
const ALGORITHMS = [
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
];
/** Each one costs a check of its own. */
const MAX_SIGNATURES = 20;
const KEYS_TIMEOUT = 10_000;

/** Checks the signatures of cards by a policy. */
export class CardVerifier {
  private readonly logger = new Logger('A2AClient');

  constructor(
    private readonly options: CardSignatureOptions,
    private readonly keys: CardKeys,
    /** Milliseconds that the keys of all signatures of a card may take to come. */
    private readonly timeout = KEYS_TIMEOUT,
  ) {}

  /**
   * @param body the card as it was sent: what is decoded has lost what signatures cover
   * @throws CardSignatureError if the policy requires a signature, and none holds
   */
  async verify(body: unknown, source: string): Promise<void> {
    const fault = await this.fault(body);
    if (fault === undefined) return;
    const message = `The agent card cannot be trusted (${source}): ${fault}`;
    if (this.options.policy === 'require') throw new CardSignatureError(message);
    this.logger.warn(message);
  }

  /** Why no signature holds, or `undefined` if one does. */
  private async fault(body: unknown): Promise<string | undefined> {
    const { signatures } = body as { signatures?: unknown };
    if (!Array.isArray(signatures) || signatures.length === 0) return 'it has no signature';
    let payloads: string[];
    try {
      payloads = this.payloads(body as object);
    } catch {
      // Lone surrogates, or nesting without end: nothing that anybody could have signed.
      return 'it has no canonical form';
    }
    // For all of them: each could name keys that do not come.
    const signal = AbortSignal.timeout(Math.min(this.timeout, KEYS_TIMEOUT));
    const reasons = new Set<string>();
    for (const signature of signatures.slice(0, MAX_SIGNATURES)) {
      const reason = await this.signatureFault(signature, payloads, signal);
      if (reason === undefined) return undefined;
      reasons.add(reason);
    }
    return `no signature holds: ${[...reasons].join('; ')}`;
  }

  /** What a signature may be over: the card as §8.4.1 has it, or, by signers that drop nothing, just as it was sent. */
  private payloads(body: object): string[] {
    const { signatures: _signatures, ...sent } = body as Record<string, unknown>;
    const payloads = [canonicalCard(body), canonicalJson(sent)];
    if (this.options.allowDroppedEmpties === true) payloads.push(canonicalJson(withoutEmpties(sent) ?? {}));
    return [...new Set(payloads)].map((payload) => Buffer.from(payload).toString('base64url'));
  }

  private async signatureFault(
    given: unknown,
    payloads: readonly string[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { protected: header, signature } = (given ?? {}) as Partial<FlattenedJWSInput>;
    if (typeof header !== 'string' || typeof signature !== 'string') return 'it is malformed';
    const jose = await optionalPackage('jose', 'signatures', () => import('jose'));
    const key: FlattenedVerifyGetKey = (read, token) => this.keys.find(read, token, signal);
    try {
      for (const payload of payloads) {
        // The unprotected header stays out: anybody can change it.
        const jws = { protected: header, signature, payload };
        const holds = await jose
          .flattenedVerify(jws, key, { algorithms: ALGORITHMS })
          .then(() => true)
          .catch((error: unknown) => {
            if (error instanceof jose.errors.JWSSignatureVerificationFailed) return false;
            throw error;
          });
        if (holds) return undefined;
      }
      return 'the card is not what was signed';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

import type { FlattenedSign } from 'jose';
import { optionalPackage } from '../net/optional-package.js';
import { canonicalCard, type AgentCard, type AgentCardSignature } from '../protocol/index.js';
import type { SigningKey } from './signing-keys.js';

/** Signatures that are remembered: a card may differ from tenant to tenant, an extended one from caller to caller. */
const KEPT = 1_000;

/**
 * Signs cards (§8.4.2). What is the same gets the same signatures, though some algorithms would give others each time: a
 * card must be equal from one fetch to the next.
 */
export class CardSigner {
  private readonly kept = new Map<string, Promise<AgentCardSignature[]>>();

  /**
   * @param keySetUrl where the keys are served; known when requests come
   * @throws Error if the package that signs is not there
   */
  static async create(keys: readonly SigningKey[], keySetUrl: () => string): Promise<CardSigner> {
    const { FlattenedSign } = await optionalPackage('jose', 'signing', () => import('jose'));
    return new CardSigner(keys, keySetUrl, FlattenedSign);
  }

  private constructor(
    readonly keys: readonly SigningKey[],
    private readonly keySetUrl: () => string,
    private readonly Signing: typeof FlattenedSign,
  ) {}

  /**
   * The card with the signatures of every key, in place of those that it has.
   *
   * @param views what readers may make of the card, each of which is signed. Default: all of it
   */
  async sign<T extends AgentCard>(card: T, views: readonly AgentCard[] = [card]): Promise<T> {
    const { signatures: _signatures, ...unsigned } = card;
    const signatures = await Promise.all(views.map((view) => this.signaturesOf(view)));
    return { ...unsigned, signatures: signatures.flat() } as unknown as T;
  }

  private signaturesOf(view: AgentCard): Promise<AgentCardSignature[]> {
    const payload = canonicalCard(view);
    let signatures = this.kept.get(payload);
    if (signatures === undefined) {
      signatures = this.signatures(payload);
      this.keep(payload, signatures);
    }
    return signatures;
  }

  private keep(payload: string, signatures: Promise<AgentCardSignature[]>): void {
    this.kept.set(payload, signatures);
    signatures.catch(() => this.kept.delete(payload));
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= KEPT) break;
      this.kept.delete(oldest);
    }
  }

  private async signatures(payload: string): Promise<AgentCardSignature[]> {
    const bytes = new TextEncoder().encode(payload);
    return Promise.all(
      this.keys.map(async ({ key, kid, alg, jku = this.keySetUrl() }) => {
        const header = { alg, typ: 'JOSE', kid, jku };
        const jws = await new this.Signing(bytes).setProtectedHeader(header).sign(key);
        return { protected: jws.protected ?? '', signature: jws.signature };
      }),
    );
  }
}

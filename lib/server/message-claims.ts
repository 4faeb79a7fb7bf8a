import { FinishOrder } from './finish-order.js';
import type { HeldMessage, MessageClaim } from './task-store.js';

interface Entry {
  readonly key: string;
  readonly claim: MessageClaim;
  readonly until: number;
}

/** The messages that were taken, each until its time is over: memory is bounded by what comes in that time. */
export class MessageClaims {
  readonly #entries = new Map<string, Entry>();
  readonly #order = new FinishOrder<Entry>();
  /** The oldest one, when it was looked at and was not over yet. */
  #oldest: Entry | undefined;

  get size(): number {
    return this.#entries.size;
  }

  take(key: string, { taskId, worker }: MessageClaim, until: number): HeldMessage | undefined {
    this.#dropOld();
    const held = this.#entries.get(key);
    if (held && held.until > Date.now()) {
      return { ...held.claim, leaseUntil: Number.MAX_SAFE_INTEGER };
    }
    const entry = { key, claim: { taskId, worker }, until };
    if (held) this.#order.delete(held);
    this.#entries.set(key, entry);
    this.#order.add(entry);
    return undefined;
  }

  release(key: string, taskId: string): void {
    const held = this.#entries.get(key);
    if (held?.claim.taskId !== taskId) return;
    this.#entries.delete(key);
    this.#order.delete(held);
  }

  #dropOld(): void {
    const now = Date.now();
    for (;;) {
      const first = (this.#oldest ??= this.#order.takeFirst());
      if (!first || first.until > now) return;
      if (this.#entries.get(first.key) === first) this.#entries.delete(first.key);
      this.#oldest = undefined;
    }
  }
}

import { UnavailableError } from '../protocol/index.js';
import { tooManyTurns } from './turn-errors.js';

/** A turn that goes on from an earlier attempt: it waits for room. */
interface Waiting {
  readonly owner: string | undefined;
  readonly admit: (leave: () => void) => void;
}

/** Counts running turns and refuses past the limits of the process and of an owner. */
export class TurnAdmission {
  #running = 0;
  readonly #byOwner = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  constructor(
    private readonly limit: number,
    private readonly limitPerOwner: number | undefined,
  ) {}

  get running(): number {
    return this.#running;
  }

  /** How many more turns may run, those that wait being counted. */
  get room(): number {
    return this.limit - this.#running - this.#waiting.size;
  }

  /** How many turns wait for room. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Lets one turn in as soon as there is room, before any that come later; call the result when it ends. `undefined` if the
   * signal aborts before.
   */
  async enterLater(owner: string | undefined, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.#hasRoom(owner)) return this.#enter(owner);
    return new Promise((resolve) => {
      const waiting: Waiting = { owner, admit: resolve };
      this.#waiting.add(waiting);
      const giveUp = (): void => {
        if (this.#waiting.delete(waiting)) resolve(undefined);
      };
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /**
   * Lets one turn in; call the result when it ends.
   *
   * @throws UnavailableError, ResourceExhaustedError
   */
  enter(owner: string | undefined): () => void {
    if (this.#running >= this.limit) throw new UnavailableError('The agent is busy; try again later');
    if (!this.#hasRoom(owner)) throw tooManyTurns();
    return this.#enter(owner);
  }

  #hasRoom(owner: string | undefined): boolean {
    if (this.#running >= this.limit) return false;
    return this.limitPerOwner === undefined || (this.#byOwner.get(owner ?? '') ?? 0) < this.limitPerOwner;
  }

  #enter(owner: string | undefined): () => void {
    const key = owner ?? '';
    this.#running += 1;
    this.#byOwner.set(key, (this.#byOwner.get(key) ?? 0) + 1);
    return () => {
      this.#leave(key);
    };
  }

  #leave(key: string): void {
    this.#running -= 1;
    const own = (this.#byOwner.get(key) ?? 1) - 1;
    if (own > 0) this.#byOwner.set(key, own);
    else this.#byOwner.delete(key);
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.owner)) continue;
      this.#waiting.delete(waiting);
      waiting.admit(this.#enter(waiting.owner));
      return;
    }
  }
}

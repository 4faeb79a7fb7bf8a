import { ResourceExhaustedError, UnavailableError } from '../protocol/index.js';

/** Counts running turns and refuses past the limits of the process and of an owner. */
export class TurnAdmission {
  #running = 0;
  readonly #byOwner = new Map<string, number>();

  constructor(
    private readonly limit: number,
    private readonly limitPerOwner: number | undefined,
  ) {}

  get running(): number {
    return this.#running;
  }

  /**
   * Lets one turn in; call the result when it ends.
   *
   * @throws UnavailableError, ResourceExhaustedError
   */
  enter(owner: string | undefined): () => void {
    if (this.#running >= this.limit) throw new UnavailableError('The agent is busy; try again later');
    const key = owner ?? '';
    const own = this.#byOwner.get(key) ?? 0;
    if (this.limitPerOwner !== undefined && own >= this.limitPerOwner) {
      throw new ResourceExhaustedError('Too many of your tasks are running; try again later');
    }
    this.#running += 1;
    this.#byOwner.set(key, own + 1);
    return () => {
      this.#leave(key);
    };
  }

  #leave(key: string): void {
    this.#running -= 1;
    const own = (this.#byOwner.get(key) ?? 1) - 1;
    if (own > 0) this.#byOwner.set(key, own);
    else this.#byOwner.delete(key);
  }
}

/** Things in the order in which they came, of which the first can be taken at a cost that does not grow with them. */
export class FinishOrder<T> {
  readonly #entries = new Set<T>();
  // Moves on only: whatever it has passed was taken, so it never has to start anew.
  readonly #next = this.#entries.values();

  get size(): number {
    return this.#entries.size;
  }

  add(entry: T): void {
    this.#entries.add(entry);
  }

  delete(entry: T): void {
    this.#entries.delete(entry);
  }

  /** Takes out the one that came first; `undefined` if there is none. */
  takeFirst(): T | undefined {
    // An iterator that was at its end stays there, whatever comes later.
    if (this.#entries.size === 0) return undefined;
    const first = this.#next.next().value;
    if (first !== undefined) this.#entries.delete(first);
    return first;
  }
}

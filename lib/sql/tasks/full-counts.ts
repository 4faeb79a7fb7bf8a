/** Milliseconds; so long what was beyond the bound is taken to be there still. */
const REMEMBERED = 10_000;

/** So many listings are remembered at most. */
const LISTINGS = 1_000;

/**
 * The listings that match more than is counted. Counting costs more than a page then, and would only find the bound
 * again.
 */
export class FullCounts {
  readonly #until = new Map<string, number>();

  has(listing: string): boolean {
    return (this.#until.get(listing) ?? 0) > Date.now();
  }

  add(listing: string): void {
    if (this.has(listing)) return;
    this.#until.delete(listing);
    this.#until.set(listing, Date.now() + REMEMBERED);
    const [oldest] = this.#until.keys();
    if (this.#until.size > LISTINGS && oldest !== undefined) this.#until.delete(oldest);
  }
}

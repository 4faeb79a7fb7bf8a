/** Up to this many entries a look at each is as fast as a map, and a small task pays for no map. */
const SCAN = 16;

/** An ordered list whose entries have ids; finds and adds without walking a long list. */
export class ById<T> {
  #entries: T[] = [];
  #index: Map<string, T> | undefined;

  constructor(private readonly idOf: (entry: T) => string) {}

  get entries(): readonly T[] {
    return this.#entries;
  }

  get(id: string): T | undefined {
    if (this.#entries.length <= SCAN) return this.#entries.find((entry) => this.idOf(entry) === id);
    this.#index ??= new Map(this.#entries.map((entry) => [this.idOf(entry), entry]));
    return this.#index.get(id);
  }

  /** Adds the entry at the end, unless its id is there already. */
  add(entry: T): void {
    if (this.get(this.idOf(entry)) === undefined) this.push(entry);
  }

  /** Adds the entry at the end, whatever is there. */
  push(entry: T): void {
    // Pushing reserves room for many more, which is too much for all the tasks that stay small.
    if (this.#entries.length < 4) this.#entries = [...this.#entries, entry];
    else this.#entries.push(entry);
    this.#index?.set(this.idOf(entry), entry);
  }

  /** Replaces everything. */
  reset(entries: readonly T[] = []): void {
    this.#entries = [...entries];
    this.#index = undefined;
  }
}

/** Sees to it that what comes again is not handled again, as far back as it remembers. */
export class RecentNotifications {
  /** What became of each, the oldest first. */
  readonly #outcomes = new Map<string, Promise<void>>();

  constructor(private readonly limit: number) {}

  /**
   * Runs `handle` unless it has been run for this id, and settles like that run: a repetition that comes meanwhile waits
   * for it. What has failed may come again.
   */
  once(id: string, handle: () => Promise<void>): Promise<void> {
    const known = this.#outcomes.get(id);
    if (known) return known;
    const outcome = handle();
    this.#outcomes.set(id, outcome);
    outcome.catch(() => this.#outcomes.delete(id));
    for (const oldest of this.#outcomes.keys()) {
      if (this.#outcomes.size <= this.limit) break;
      this.#outcomes.delete(oldest);
    }
    return outcome;
  }
}

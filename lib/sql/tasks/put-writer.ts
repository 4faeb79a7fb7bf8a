import type { PutRow } from './put-row.js';

/** Writes puts of different tasks in one transaction. */
export interface PutWriter {
  /** How many transactions may be under way at once. */
  readonly lanes: number;
  /**
   * Milliseconds after a transaction for which pieces of artifacts are gathered: nobody waits for one of them, and a transaction for each
   * may cost more than they do.
   */
  readonly patience: number;
  /** Gives those that were written; the others had the wrong version, epoch or scope. If it fails, none were. */
  write(rows: readonly PutRow[]): Promise<ReadonlySet<PutRow>>;
}

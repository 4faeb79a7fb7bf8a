import { WEBHOOKS } from '../outbox/webhook-companion.js';
import type { SchemaNames } from '../schema/schema-names.js';

/**
 * What is kept beside tasks and changes with them, in the same transaction. Each is one statement in the words of both databases.
 */
export interface TaskCompanion {
  /**
   * Runs when tasks were written, which are `written (agent, id, seq, shown)` in it: `shown` is the last of the new events that
   * streams show, or null.
   */
  readonly onPut?: (names: SchemaNames) => string;
  /** A condition that holds while an old task `t` must not be removed yet. */
  readonly keeps?: (names: SchemaNames) => string;
  /** Runs when tasks were removed, which are `removed (agent, id)` in it. */
  readonly onRemoval?: (names: SchemaNames) => string;
}

export const COMPANIONS: readonly TaskCompanion[] = [WEBHOOKS];

import type { JsonObject } from '../types/index.js';

/** What a task knows of itself after a status update that brought metadata: its keys win, and the others stay. */
export function mergedMetadata(
  known: JsonObject | undefined,
  brought: JsonObject | undefined,
): JsonObject | undefined {
  return known && brought ? { ...known, ...brought } : (brought ?? known);
}

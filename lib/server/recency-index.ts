import type { TaskCursor } from './task-store.js';

/** Entries in one bucket: moving half of them is cheaper than walking a tree. */
const BUCKET = 512;

/**
 * An ordered index: newest timestamp first, the id (ascending) as tie-breaker.
 *
 * Entries stand in sorted buckets, oldest first, so that the usual change, adding at the newest end, is a push. The
 * timestamp and the id of an entry must not change while it is in the index.
 */
export class RecencyIndex<T extends TaskCursor> {
  /** Never holds an empty bucket. */
  readonly #buckets: T[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(entry: T): void {
    this.#size++;
    const at = this.#bucketOf(entry);
    const bucket = this.#buckets[at];
    if (bucket) {
      bucket.splice(lowerBound(bucket, entry), 0, entry);
      if (bucket.length > BUCKET) this.#buckets.splice(at + 1, 0, bucket.splice(BUCKET / 2));
      return;
    }
    const newest = this.#buckets.at(-1);
    if (newest && newest.length < BUCKET) newest.push(entry);
    else this.#buckets.push([entry]);
  }

  /** Whether the entry was there. */
  remove(entry: T): boolean {
    const at = this.#bucketOf(entry);
    const bucket = this.#buckets[at];
    const position = bucket ? lowerBound(bucket, entry) : -1;
    if (bucket?.[position] !== entry) return false;
    this.#size--;
    bucket.splice(position, 1);
    if (bucket.length === 0) this.#buckets.splice(at, 1);
    else if (bucket.length < BUCKET / 4) this.#mergeWithNext(at);
    return true;
  }

  /** At most `limit` entries that follow `after`, newest first. */
  page(limit: number, after?: TaskCursor): T[] {
    const at = after ? this.#bucketOf(after) : this.#buckets.length;
    const first = this.#buckets[at];
    const entries = first && after ? newest(first, lowerBound(first, after), limit) : [];
    for (let next = at - 1; next >= 0 && entries.length < limit; next--) {
      const bucket = this.#buckets[next] ?? [];
      entries.push(...newest(bucket, bucket.length, limit - entries.length));
    }
    return entries;
  }

  /** How many entries are at least as new as `timestamp`. */
  countSince(timestamp: number): number {
    const isSince = (entry: T) => entry.timestamp >= timestamp;
    const buckets = this.#buckets.slice(search(this.#buckets, (bucket) => isSince(newestOf(bucket))));
    const older = search(buckets[0] ?? [], isSince);
    return buckets.reduce((count, bucket) => count + bucket.length, 0) - older;
  }

  /** The first bucket that reaches up to `cursor`, or the place behind the last one. */
  #bucketOf(cursor: TaskCursor): number {
    return search(this.#buckets, (bucket) => compare(newestOf(bucket), cursor) >= 0);
  }

  #mergeWithNext(at: number): void {
    const [bucket = [], next] = this.#buckets.slice(at, at + 2);
    if (!next || bucket.length + next.length > BUCKET / 2) return;
    this.#buckets.splice(at, 2, [...bucket, ...next]);
  }
}

/** Oldest first, and so the other way round than a listing. */
function compare(a: TaskCursor, b: TaskCursor): number {
  if (a.timestamp !== b.timestamp) return a.timestamp - b.timestamp;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** The newest of a bucket, which is never empty. */
function newestOf<T>(bucket: readonly T[]): T {
  return bucket.at(-1) as T;
}

/** At most `count` entries below `end`, newest first. */
function newest<T>(bucket: readonly T[], end: number, count: number): T[] {
  return bucket.slice(Math.max(0, end - count), end).reverse();
}

function lowerBound(bucket: readonly TaskCursor[], cursor: TaskCursor): number {
  return search(bucket, (entry) => compare(entry, cursor) >= 0);
}

/** The place of the first entry that `reaches`, or behind the last one; those that reach stand at the end. */
function search<T>(list: readonly T[], reaches: (entry: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reaches(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

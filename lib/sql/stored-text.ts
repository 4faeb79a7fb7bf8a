import { createHash } from 'node:crypto';

/** How a text begins that is not held as it is: in JSON, or as a hash. */
const HELD_OTHERWISE = /^["#]/;

/** Half of a surrogate pair, which UTF-8 cannot write. */
const HALF_PAIR = /\p{Surrogate}/u;

/** Bytes; an entry of an index must hold several of them. */
const LONGEST_KEY = 200;

/**
 * A text as a column holds it: itself or, where a database cannot hold it, in JSON. PostgreSQL has no NUL in a text, and
 * neither database half of a surrogate pair.
 */
export function storedText(text: string): string {
  const isPlain = !HELD_OTHERWISE.test(text) && !text.includes('\0') && !HALF_PAIR.test(text);
  return isPlain ? text : JSON.stringify(text);
}

export function originalText(stored: string): string {
  return stored.startsWith('"') ? (JSON.parse(stored) as string) : stored;
}

/** A text as an indexed column holds it: in place of one that is too long for an index, a hash of it. */
export function storedKey(text: string): string {
  const stored = storedText(text);
  if (Buffer.byteLength(stored) <= LONGEST_KEY) return stored;
  return `#${createHash('sha256').update(stored).digest('base64url')}`;
}

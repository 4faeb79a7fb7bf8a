import { randomFillSync } from 'node:crypto';

const BYTES = 16;
const DIGITS = Buffer.from('0123456789abcdef');
const random = Buffer.alloc(BYTES * 128);
const text = Buffer.alloc(36, '-');
let used = random.length;

/**
 * A random UUID (RFC 9562, version 4) as one flat string. `crypto.randomUUID` gives a rope of twenty pieces, which is
 * four times the memory until something flattens it, and every task has several ids.
 */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const version = random[used + 6] ?? 0;
  random[used + 6] = (version & 0x0f) | 0x40;
  const variant = random[used + 8] ?? 0;
  random[used + 8] = (variant & 0x3f) | 0x80;
  for (let index = 0, at = 0; index < BYTES; index++) {
    // Dashes stand before the bytes 4, 6, 8 and 10.
    if (index >= 4 && index <= 10 && index % 2 === 0) at++;
    const byte = random[used + index] ?? 0;
    text[at++] = DIGITS[byte >> 4] ?? 0;
    text[at++] = DIGITS[byte & 0x0f] ?? 0;
  }
  used += BYTES;
  return text.toString('latin1');
}

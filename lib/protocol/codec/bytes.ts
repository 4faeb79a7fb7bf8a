import type { Decoder, Unset } from './decoder.js';
import { describeType } from './field-path.js';

const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/;
// With padding, and with no bit set that no byte uses.
const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

/** Up to here a pattern is faster than Node's decoder. */
const SHORT = 256;
/** A multiple of four, so that only the last piece has padding. */
const PIECE = 65_536;
const scratch = Buffer.allocUnsafeSlow((PIECE / 4) * 3);

/** Reads bytes: base64 in the standard or the URL alphabet, padded or not, becomes standard and padded. */
export function readBytes(value: unknown, decoder: Decoder): string | Unset {
  if (typeof value === 'string') {
    if (isCanonical(value)) return value;
    return isBase64(value)
      ? Buffer.from(value, 'base64').toString('base64')
      : decoder.fault('must be base64');
  }
  if (decoder.fromAgent && ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  const expected = decoder.fromAgent ? 'a Uint8Array or base64' : 'base64';
  return decoder.fault(`must be ${expected}, not ${describeType(value)}`);
}

function isCanonical(text: string): boolean {
  if (text.length <= SHORT) return CANONICAL.test(text);
  // Padding at the end of a piece must not pass for padding at the end.
  const padding = text.indexOf('=');
  if (padding !== -1 && padding < text.length - 2) return false;
  // What comes back unchanged was canonical. Piece by piece, so that a large file is not held a second and third time.
  for (let start = 0; start < text.length; start += PIECE) {
    const piece = text.slice(start, start + PIECE);
    if (scratch.toString('base64', 0, scratch.write(piece, 'base64')) !== piece) return false;
  }
  return true;
}

function isBase64(text: string): boolean {
  if (!STANDARD.test(text) && !URL_SAFE.test(text)) return false;
  return text.endsWith('=') ? text.length % 4 === 0 : text.length % 4 !== 1;
}

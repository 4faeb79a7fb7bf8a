import type { Decoder, Unset } from './decoder.js';
import { describeType } from './field-path.js';

const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/;

/** Reads bytes: base64 in the standard or the URL alphabet, padded or not, becomes standard and padded. */
export function readBytes(value: unknown, decoder: Decoder): string | Unset {
  if (typeof value === 'string') {
    // Node decodes and encodes faster than a pattern matches, and what comes back unchanged was in order.
    const canonical = Buffer.from(value, 'base64').toString('base64');
    if (canonical === value) return value;
    return isBase64(value) ? canonical : decoder.fault('must be base64');
  }
  if (decoder.fromAgent && ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  const expected = decoder.fromAgent ? 'a Uint8Array or base64' : 'base64';
  return decoder.fault(`must be ${expected}, not ${describeType(value)}`);
}

function isBase64(text: string): boolean {
  if (!STANDARD.test(text) && !URL_SAFE.test(text)) return false;
  return text.endsWith('=') ? text.length % 4 === 0 : text.length % 4 !== 1;
}

import { isUtf8 } from 'node:buffer';
import { InvalidParamsError, JSONParseError } from '../protocol/index.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Reads JSON from bytes.
 *
 * @throws JSONParseError if they are no UTF-8 or no JSON
 * @throws InvalidParamsError if it nests too deep: it could be read, but not be written again on Node 20
 */
export function parseJsonBody(bytes: Buffer, nesting: number): unknown {
  if (!isUtf8(bytes)) throw new JSONParseError('The body is not valid UTF-8');
  if (exceedsNesting(bytes, nesting)) {
    throw new InvalidParamsError([
      { field: '', description: `The body is nested more than ${nesting} levels deep` },
    ]);
  }
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text) as unknown;
  } catch {
    // The parser's own message quotes the input.
    throw new JSONParseError();
  }
}

/** Whether arrays and objects nest deeper than `nesting`. Works on any bytes, JSON or not. */
export function exceedsNesting(bytes: Buffer, nesting: number): boolean {
  // Too short to open and close that many levels; what is left open is no JSON anyway.
  if (bytes.length <= 2 * nesting) return false;
  let depth = 0;
  for (let index = 0; index < bytes.length; index++) {
    switch (bytes[index]) {
      case QUOTE:
        index = endOfString(bytes, index);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > nesting) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return false;
}

/** The index of the quote that ends the string beginning at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslash = end;
    while (bytes[backslash - 1] === BACKSLASH) backslash--;
    if ((end - backslash) % 2 === 0) return end;
  }
  return bytes.length;
}

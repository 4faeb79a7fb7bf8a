import { createHash } from 'node:crypto';

const CHECKSUM = 4;

/**
 * Bytes as a token for callers. There is no secret in it, so that every replica can read it; the checksum is against
 * mistakes.
 */
export function seal(body: Buffer): string {
  return Buffer.concat([body, checksum(body)]).toString('base64url');
}

/** What is in a token, or `undefined` if {@link seal} did not make it. */
export function unseal(token: string): Buffer | undefined {
  const bytes = Buffer.from(token, 'base64url');
  const body = bytes.subarray(0, -CHECKSUM);
  const isOurs =
    bytes.length > CHECKSUM &&
    checksum(body).equals(bytes.subarray(-CHECKSUM)) &&
    // Node reads many spellings of the same bytes; only the one that we write is a token.
    bytes.toString('base64url') === token;
  return isOurs ? body : undefined;
}

function checksum(body: Buffer): Buffer {
  return createHash('sha256').update(body).digest().subarray(0, CHECKSUM);
}

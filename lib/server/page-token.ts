import { createHash } from 'node:crypto';
import { InvalidParamsError } from '../protocol/index.js';
import type { Scope } from './task-scope.js';
import type { TaskCursor, TaskQuery } from './task-store.js';

/** What a token is bound to; the page size may change from page to page. */
type Filters = Pick<TaskQuery, 'contextId' | 'status' | 'statusTimestampAfter'>;

// One byte of format, 8 of timestamp, 12 that name scope and filters, the id, and 4 of checksum.
const FORMAT = 1;
const LISTING = 9;
const ID = 21;
const CHECKSUM = 4;

/**
 * The page token of a listing (§3.1.4) that goes on behind `cursor`.
 *
 * There is no secret in it, so that every replica can read it, and none is needed: whatever it says, a store shows
 * only what lies in the scope of the caller. The checksum is against mistakes.
 */
export function encodePageToken({ timestamp, id }: TaskCursor, filters: Filters, scope: Scope): string {
  const head = Buffer.alloc(LISTING);
  head.writeUInt8(FORMAT, 0);
  head.writeDoubleBE(timestamp, 1);
  const body = Buffer.concat([head, listingHash(filters, scope), Buffer.from(id)]);
  return Buffer.concat([body, checksum(body)]).toString('base64url');
}

/**
 * The place that a page token names.
 *
 * @throws InvalidParamsError naming `pageToken` if it is none of ours, or of a listing with other filters or of
 * another caller
 */
export function decodePageToken(token: string, filters: Filters, scope: Scope): TaskCursor {
  const bytes = Buffer.from(token, 'base64url');
  const body = bytes.subarray(0, -CHECKSUM);
  const isOurs =
    body.length > ID &&
    body[0] === FORMAT &&
    checksum(body).equals(bytes.subarray(-CHECKSUM)) &&
    // Node reads many spellings of the same bytes; only the one that we write is a token.
    bytes.toString('base64url') === token;
  if (!isOurs) throw invalid('is not a page token of this agent');
  if (!listingHash(filters, scope).equals(body.subarray(LISTING, ID))) {
    throw invalid('belongs to a listing with other filters or of another caller');
  }
  return { timestamp: body.readDoubleBE(1), id: body.toString('utf8', ID) };
}

function listingHash({ contextId, status, statusTimestampAfter }: Filters, scope: Scope): Buffer {
  const whose = 'system' in scope ? [scope.agent] : [scope.agent, scope.tenant ?? null, scope.owner ?? null];
  const which = [contextId ?? null, status ?? null, statusTimestampAfter ?? null];
  return sha256(JSON.stringify([whose, which])).subarray(0, ID - LISTING);
}

function checksum(body: Buffer): Buffer {
  return sha256(body).subarray(0, CHECKSUM);
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

function invalid(description: string): InvalidParamsError {
  return new InvalidParamsError([{ field: 'pageToken', description }]);
}

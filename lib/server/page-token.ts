import { createHash } from 'node:crypto';
import { InvalidParamsError } from '../protocol/index.js';
import type { Scope } from './task-scope.js';
import { seal, unseal } from './sealed-token.js';
import type { TaskCursor, TaskQuery } from './task-store.js';

/** What a token is bound to; the page size may change from page to page. */
type Filters = Pick<TaskQuery, 'contextId' | 'status' | 'statusTimestampAfter'>;

// One byte of format, 8 of timestamp, 12 that name scope and filters, and the id.
const FORMAT = 1;
const LISTING = 9;
const ID = 21;

/**
 * The page token of a listing (§3.1.4) that goes on behind `cursor`. Whatever it says, a store shows only what lies in
 * the scope of the caller.
 */
export function encodePageToken({ timestamp, id }: TaskCursor, filters: Filters, scope: Scope): string {
  const head = Buffer.alloc(LISTING);
  head.writeUInt8(FORMAT, 0);
  head.writeDoubleBE(timestamp, 1);
  return seal(Buffer.concat([head, listingHash(filters, scope), Buffer.from(id)]));
}

/**
 * The place that a page token names.
 *
 * @throws InvalidParamsError naming `pageToken` if it is none of ours, or of a listing with other filters or of
 * another caller
 */
export function decodePageToken(token: string, filters: Filters, scope: Scope): TaskCursor {
  const body = unseal(token);
  const isOurs =
    body !== undefined &&
    body.length > ID &&
    body[0] === FORMAT &&
    Number.isSafeInteger(body.readDoubleBE(1));
  // Another caller's token is no token: the answer is the same.
  if (!isOurs || !listingHash(filters, scope).equals(body.subarray(LISTING, ID))) {
    const description = 'is not a page token of this listing: of the same caller, with the same filters';
    throw new InvalidParamsError([{ field: 'pageToken', description }]);
  }
  return { timestamp: body.readDoubleBE(1), id: body.toString('utf8', ID) };
}

function listingHash({ contextId, status, statusTimestampAfter }: Filters, scope: Scope): Buffer {
  const whose = 'system' in scope ? [scope.agent] : [scope.agent, scope.tenant ?? null, scope.owner ?? null];
  const which = [contextId ?? null, status ?? null, statusTimestampAfter ?? null];
  const hash = createHash('sha256').update(JSON.stringify([whose, which]));
  return hash.digest().subarray(0, ID - LISTING);
}

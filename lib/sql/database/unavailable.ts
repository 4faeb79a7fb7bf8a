import { StoreUnavailableError } from '../../server/store-errors.js';

/** What the network says when the server cannot be reached. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EMFILE',
  'ENFILE',
]);

/**
 * SQLSTATE: connection lost or ended by the server, nobody let in, no such database, resources used up, a disk that fails, shut
 * down or starting, statement or lock timed out, a standby that takes no writes, and transactions that another one stood in the way
 * of.
 */
const SQLSTATE = /^(?:08|28|3D|53|57P0|57014|58|55P03|25006|25P0[34]|40001|40P01)/;

/** SQLite: locked by somebody else, full, or a disk that fails. */
const SQLITE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PROTOCOL)/;

/** What `pg` says without a code. */
const WORDS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after|The database connection is not open)/;

/** An error of a driver as callers get it: whatever says that the database cannot answer for now is a {@link StoreUnavailableError}. */
export function storeError(error: unknown): unknown {
  return isUnavailable(error) ? new StoreUnavailableError(error) : error;
}

function isUnavailable(error: unknown): boolean {
  // Of several addresses of a host each has an error of its own.
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (!(error instanceof Error)) return false;
  // However a server that lets nobody in, or cuts a connection, explains it.
  if ('severity' in error && error.severity === 'FATAL') return true;
  const code = codeOf(error);
  return NETWORK.has(code) || SQLSTATE.test(code) || SQLITE.test(code) || WORDS.test(error.message);
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

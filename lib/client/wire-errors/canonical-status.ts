/** The canonical status codes by number, as `google.rpc.Status` has them, with the HTTP status of each. */
const CANONICAL: readonly (readonly [name: string, httpStatus: number])[] = [
  ['OK', 200],
  ['CANCELLED', 499],
  ['UNKNOWN', 500],
  ['INVALID_ARGUMENT', 400],
  ['DEADLINE_EXCEEDED', 504],
  ['NOT_FOUND', 404],
  ['ALREADY_EXISTS', 409],
  ['PERMISSION_DENIED', 403],
  ['RESOURCE_EXHAUSTED', 429],
  ['FAILED_PRECONDITION', 400],
  ['ABORTED', 409],
  ['OUT_OF_RANGE', 400],
  ['UNIMPLEMENTED', 501],
  ['INTERNAL', 500],
  ['UNAVAILABLE', 503],
  ['DATA_LOSS', 500],
  ['UNAUTHENTICATED', 401],
];

/**
 * What the body of an error says about its status. Its `code` is an HTTP status where an agent follows §11.6, and the number of
 * the canonical one where it writes a `google.rpc.Status` as it is.
 */
export function statusSaid(code: unknown, status: unknown): { status?: unknown; httpStatus?: number } {
  if (typeof code === 'number' && code >= 100) return { status, httpStatus: code };
  const numbered = typeof code === 'number' && code > 0 ? CANONICAL[code] : undefined;
  const said = CANONICAL.find(([name]) => name === status) ?? numbered;
  return said === undefined ? { status } : { status: said[0], httpStatus: said[1] };
}

/** Whether something is a `google.rpc.Status` without an object around it. */
export function isBareStatus({ code, message }: Readonly<Record<string, unknown>>): boolean {
  return typeof code === 'number' && typeof message === 'string';
}

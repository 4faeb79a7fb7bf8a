import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

/** What is asked for: of `deflate` there are two kinds, and only one can be told to be whole. */
export const ACCEPTED_ENCODINGS = 'gzip, br';

const UNPACKERS: ReadonlyMap<unknown, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
]);

/** The head of an answer, as far as it tells how the body is packed. */
interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The body as it was before it was packed. One that was cut off ends with an error; axios would take it for the whole. */
export function unpacked(body: Readable, { status, headers }: Head): Readable {
  const unpack = UNPACKERS.get(String(headers['content-encoding']).toLowerCase());
  const isEmpty = status === 204 || status === 304 || headers['content-length'] === '0';
  // An error of the body becomes one of what is read.
  return unpack === undefined || isEmpty ? body : pipeline(body, unpack(), () => undefined);
}

import { announcedSize } from './announced-size.js';
import type { HttpResponse } from './http-transport.js';

/** A body as far as it was read. */
export interface ReadBody {
  readonly text: string;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

/** Reads a body up to a piece past `limit` bytes, or not at all if it says that it is longer, and closes its connection then. */
export async function readBody(response: HttpResponse, limit: number): Promise<ReadBody> {
  const { body } = response;
  if (announcedSize(response) > limit) {
    await body[Symbol.asyncIterator]().return?.();
    return { text: '', isWhole: false };
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    if ((size += chunk.byteLength) > limit) break;
  }
  return { text: new TextDecoder().decode(Buffer.concat(chunks)), isWhole: size <= limit };
}

import type { HttpResponse } from './http-transport.js';

/** Bytes worth reading to use the connection again. */
const WORTH_READING = 64 * 1024;

/** Ends an answer whose body does not matter: reads it to its end if that is near, else closes the connection. */
export async function discardBody({ body }: HttpResponse): Promise<void> {
  try {
    let size = 0;
    for await (const chunk of body) if ((size += chunk.byteLength) > WORTH_READING) break;
  } catch {
    // The head was all that counted.
  }
}

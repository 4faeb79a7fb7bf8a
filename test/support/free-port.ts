import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that a system gives to connections and to who asks for any. */
const [FIRST, COUNT] = [10_000, 20_000];

/**
 * A port of 127.0.0.1 on which nobody listens, and which nobody is given by chance: a server that goes away for a while
 * finds it free when it comes back.
 */
export async function freePort(): Promise<number> {
  const port = FIRST + randomInt(COUNT);
  return (await isFree(port)) ? port : freePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

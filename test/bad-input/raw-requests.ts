import { connect } from 'node:net';

/** Writes bytes to a server as they are and gives everything that it answers until it closes the connection. */
export function rawExchange(origin: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => {
      socket.end();
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
    socket.on('error', reject);
  });
}

/** JSON nested so and so deep in `message.metadata`, two levels down. */
export function nestedBody(levels: number, fields: object = {}): string {
  const nested = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'x' }], ...fields, metadata: '@' };
  return JSON.stringify({ message }).replace('"@"', nested);
}

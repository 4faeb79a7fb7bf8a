import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CollectedLog } from '../../../test/support/collected-log.js';
import { UnavailableError } from '../../protocol/index.js';
import { CredentialRejectedError } from '../credential-verifier.js';
import { LdapVerifier } from './ldap-verifier.js';

let server: Server;
let connections: number;
let log: CollectedLog;

beforeEach(() => {
  log = new CollectedLog();
  Logger.overrideLogger(log);
});

afterEach(async () => {
  Logger.overrideLogger(['error', 'warn', 'log']);
  await new Promise((resolve) => server.close(resolve));
});

/** A verifier for a server that is no directory. */
async function against(answer: (socket: Socket) => void, timeout = 300): Promise<LdapVerifier> {
  connections = 0;
  server = createServer((socket) => {
    connections++;
    socket.on('error', () => {}).resume();
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new LdapVerifier({ url, searchBase: 'dc=example', timeout }, 'auth[0].ldap');
}

const DAVE = { username: 'dave', password: 's3cret' };

// What a directory answers is tested with a real one, in test/integration/auth.
describe('LdapVerifier', () => {
  it.each([
    { username: 'dave', password: '' },
    { username: '', password: 'x' },
    { username: ' ', password: 'x' },
    { username: 'x'.repeat(2_000), password: 'x' },
    { username: 'dave', password: 'x'.repeat(2_000) },
  ])('refuses what no user can have before it asks', async (credential) => {
    const verifier = await against((socket) => socket.destroy());
    await expect(verifier.verify(credential)).rejects.toThrow(CredentialRejectedError);
    expect(connections).toBe(0);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['closes', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
    ['is silent', (socket) => setTimeout(() => socket.destroy(), 1_000).unref()],
    ['speaks HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['speaks nonsense', (socket) => socket.end(Buffer.alloc(1_000, 0xff))],
    ['breaks off', (socket) => socket.end(Buffer.from([0x30, 0x0c, 0x02, 0x01]))],
  ])('says that it cannot tell when the server %s', async (_, answer) => {
    const verifier = await against(answer);
    await expect(verifier.verify(DAVE)).rejects.toThrow(UnavailableError);
    await expect(verifier.verify(DAVE)).rejects.toThrow(UnavailableError);
    expect(log.of('error')).toHaveLength(1);
    expect(log.lines.join()).not.toContain('s3cret');
    await expect(verifier.open()).rejects.toThrow(/^auth\[0\]\.ldap: the directory cannot be used: /);
  });
});

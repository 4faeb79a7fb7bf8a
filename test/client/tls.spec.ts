import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { A2AClientFactory } from 'nest-a2a';
import { TLS } from '../card/tls.js';
import { cardOf, TASK } from './card-server.js';

/** An agent that talks only to who shows a certificate. */
async function startMutual(): Promise<{ origin: string; subjects: string[] }> {
  const subjects: string[] = [];
  const server: Server = createServer({ ...TLS, ca: TLS.cert, requestCert: true }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    subjects.push(String(subject.CN));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url?.includes('.well-known') ? cardOf(`${origin}/a2a`) : TASK));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return { origin, subjects };
}

describe('mutual TLS', () => {
  it.each([
    ['', {}],
    [', also with a guard', { guard: { allow: ['localhost'] } }],
  ])('S-31: the card and the calls show the certificate of the client%s', async (_name, options) => {
    const { origin, subjects } = await startMutual();
    const http = { tls: { cert: TLS.cert, key: TLS.key, ca: TLS.cert } };
    const client = await new A2AClientFactory().connect(origin, { http, ...options });
    await client.getTask({ id: 't-1' });
    expect(subjects).toEqual(['localhost', 'localhost']);
  });

  it('S-3, S-47, O-73: without it, or without trust in the agent, there is no connection, and no error tells of the URL but its origin', async () => {
    const { origin, subjects } = await startMutual();
    const factory = new A2AClientFactory();
    const strangers = [{}, { http: { tls: { ca: TLS.cert } } }];
    for (const options of strangers) {
      const error = await factory
        .connect(`${origin}/card.json?key=secret`, options)
        .then(String, (thrown: unknown) => thrown);
      expect(error).toMatchObject({
        name: 'TransportError',
        message: expect.not.stringMatching(/card|secret/),
      });
    }
    expect(subjects).toEqual([]);
  });
});

describe('a guard', () => {
  it('holds for the interface that a card names', async () => {
    const { origin, subjects } = await startMutual();
    const card = { ...cardOf('http://169.254.169.254/latest'), name: 'Evil' };
    const factory = new A2AClientFactory({ guard: { allow: ['localhost'] } });
    const client = await factory.fromCard(card);
    await expect(client.getTask({ id: 't-1' })).rejects.toMatchObject({
      name: 'TransportError',
      unsent: true,
    });
    expect(origin).toContain('localhost');
    expect(subjects).toEqual([]);
  });
});

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AgentCardFactory, AgentCardInput } from './agent-card-input.js';
import { CardDocument, type CardDocumentOptions } from './card-document.js';
import { CardSource } from './card-source.js';

const SERVED = { capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false } };
const CARD: AgentCardInput = { name: 'Weather', description: 'Tells the weather', version: '1.0.0' };
const REQUEST = { host: 'x:3000', secure: false, ifNoneMatch: undefined };

function documentOf(
  card: AgentCardInput | AgentCardFactory,
  options: Partial<CardDocumentOptions> = {},
): CardDocument {
  return new CardDocument(new CardSource(card, SERVED), {
    bindings: ['HTTP+JSON'],
    publicUrl: undefined,
    basePath: () => 'a2a',
    maxAge: 300,
    ...options,
  });
}

describe('CardDocument', () => {
  it('S-95: says where the agent is served', async () => {
    const { body } = await documentOf(CARD).answer(REQUEST);
    expect(JSON.parse(body)).toMatchObject({
      ...CARD,
      supportedInterfaces: [
        { url: 'http://x:3000/a2a', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ],
    });
  });

  it('O-CARD-04, S-U6: answers the same bytes with cache headers, and 304 to who has them', async () => {
    const document = documentOf(CARD);
    const first = await document.answer(REQUEST);
    expect(await document.answer(REQUEST)).toEqual(first);
    expect(first.headers.ETag).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers['Cache-Control']).toBe('private, max-age=300');
    for (const ifNoneMatch of [first.headers.ETag, `"other", W/${first.headers.ETag}`, '*']) {
      const again = await document.answer({ ...REQUEST, ifNoneMatch });
      expect(again).toMatchObject({ status: 304, body: '', headers: { ETag: first.headers.ETag } });
    }
    expect((await document.answer({ ...REQUEST, ifNoneMatch: '"other"' })).status).toBe(200);
    expect((await document.answer({ ...REQUEST, host: 'y' })).headers.ETag).not.toBe(first.headers.ETag);
  });

  it('O-CARD-04: says since when the card is what it is, whatever its URL', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00.400Z') });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let version = '1';
    const document = documentOf(() => ({ ...CARD, version }));
    const modified = async (host = 'x') =>
      (await document.answer({ ...REQUEST, host })).headers['Last-Modified'];
    expect(await modified()).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
    vi.setSystemTime('2026-01-02');
    expect(await modified('y')).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
    version = '2';
    expect(await modified()).toBe('Fri, 02 Jan 2026 00:00:00 GMT');
  });

  it('lets shared caches keep a card whose URL is fixed', async () => {
    const { headers, body } = await documentOf(CARD, { publicUrl: 'https://p/x', maxAge: 7 }).answer({
      ...REQUEST,
      host: 'not a host',
    });
    expect(headers['Cache-Control']).toBe('public, max-age=7');
    expect(JSON.parse(body).supportedInterfaces[0].url).toBe('https://p/x/a2a');
  });

  it('O-CARD-08: asks a function at each fetch and does not remember its failure', async () => {
    let version = 0;
    const card = vi.fn(async () => {
      if (++version === 2) throw new Error('boom');
      return { ...CARD, version: String(version) };
    });
    const document = documentOf(card);
    expect(card).not.toHaveBeenCalled();
    const first = await document.answer(REQUEST);
    await expect(document.answer(REQUEST)).rejects.toMatchObject({
      name: 'InternalError',
      cause: new Error('boom'),
    });
    const third = await document.answer(REQUEST);
    expect(JSON.parse(third.body).version).toBe('3');
    expect(third.headers.ETag).not.toBe(first.headers.ETag);
  });
});

describe('CardSource', () => {
  it('keeps the last good card for the operations, asking once at first', async () => {
    const card = vi.fn<AgentCardFactory>(async () => ({ ...CARD, defaultInputModes: ['image/png'] }));
    const source = new CardSource(card, SERVED);
    const [one, two] = await Promise.all([source.known(), source.known()]);
    expect(one).toBe(two);
    expect(card).toHaveBeenCalledTimes(1);
    card.mockRejectedValueOnce(new Error('boom'));
    await expect(source.current()).rejects.toMatchObject({ name: 'InternalError', cause: new Error('boom') });
    expect(source.known()).toBe(one);
    expect(one.accepts('text/plain')).toBe(false);
  });

  it('recovers from a function that fails at first', async () => {
    const card = vi.fn<AgentCardFactory>(async () => CARD).mockRejectedValueOnce(new Error('boom'));
    const source = new CardSource(card, SERVED);
    await expect(source.known()).rejects.toMatchObject({ name: 'InternalError', cause: new Error('boom') });
    await expect(source.known()).resolves.toMatchObject({ card: CARD });
  });
});

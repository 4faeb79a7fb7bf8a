import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import compression from 'compression';
import helmet from 'helmet';
import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StoreUnavailableError } from '../../lib/server/store-errors.js';
import type { StreamResponse } from '../../lib/protocol/index.js';
import { OpenStreams } from '../../lib/bindings/open-streams.js';
import { stopTime } from '../support/stop-time.js';
import { EchoHandler, MESSAGE, task } from './echo-handler.js';
import { HandFedStream } from './hand-fed-stream.js';
import { SseClient } from './sse-client.js';
import { ADAPTERS, startAgent, stopAgents, type AgentSetup } from './start-agent.js';

afterEach(async () => {
  await stopAgents();
  vi.restoreAllMocks();
});

class Streaming extends EchoHandler {
  readonly streams: HandFedStream[] = [];

  constructor(
    private readonly make: () => Promise<AsyncIterable<StreamResponse>> | AsyncIterable<StreamResponse>,
  ) {
    super();
  }

  override sendStreamingMessage = async () => this.make() as any;
  override subscribeToTask = async () => this.make() as any;
}

describe.each(ADAPTERS)('Streams on %s', (adapter) => {
  const start = async (
    make: () => Promise<AsyncIterable<StreamResponse>> | AsyncIterable<StreamResponse>,
    setup: Partial<AgentSetup> = {},
  ) => {
    const agent = await startAgent({ adapter, handler: new Streaming(make), ...setup });
    return {
      agent,
      open: (headers?: Record<string, string>) => SseClient.open(`${agent.base}/tasks/t:subscribe`, headers),
      openStreams: () => agent.app.get(OpenStreams, { strict: false }).size,
    };
  };
  const handFed = async (setup: Partial<AgentSetup> = {}) => {
    const stream = new HandFedStream();
    stream.push('first');
    return { stream, ...(await start(() => stream, setup)) };
  };

  it('writes frames with the number of the event, in a stream that nobody may buffer', async () => {
    const { stream, open } = await handFed({ extensions: [{ uri: 'https://e.example/x' }] });
    const client = await open({ 'A2A-Extensions': 'https://e.example/x' });
    expect(client.response.statusCode).toBe(200);
    expect(client.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'a2a-extensions': 'https://e.example/x',
    });
    stream.push('second\n漢😀', 'third');
    const [first, second, third] = await client.frame(3);
    expect(first).toMatch(/^id: 1\ndata: \{"artifactUpdate":.*"first".*\}$/);
    expect(second).toMatch(/^id: 2\ndata: .*second\\n漢😀.*$/);
    expect(third).toMatch(/^id: 3\n/);
    stream.end();
    expect(await client.end()).toHaveLength(3);
  });

  it('O-STREAM-01: events that come long after the body was read arrive', async () => {
    const stream = new HandFedStream();
    const reading = vi.spyOn(stream, 'onReadable');
    const { agent } = await start(() => stream);
    const answer = agent.post('/message:stream', { message: MESSAGE });
    await expect.poll(() => reading).toHaveBeenCalled();
    stream.push('late');
    const response = await answer;
    stream.push('later');
    stream.end();
    expect(await response.text()).toMatch(/late[^]*later/);
  });

  it('O-STREAM-02: a slow upload gets its stream', async () => {
    const { agent, stream } = await handFed();
    const arrived = once(agent.app.getHttpServer(), 'request');
    const body = JSON.stringify({ message: MESSAGE });
    const text = await new Promise<string>((resolve) => {
      const outgoing = request(
        `${agent.base}/message:stream`,
        { method: 'POST', headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' } },
        (response) => {
          let received = '';
          response.on('data', (chunk: Buffer) => (received += chunk.toString()));
          response.on('end', () => resolve(received));
          stream.push('second');
          stream.end();
        },
      );
      outgoing.write(body.slice(0, 10));
      void arrived.then(() => outgoing.end(body.slice(10)));
    });
    expect(text).toMatch(/first[^]*second/);
  });

  it('O-STREAM-02: a client that leaves is let go', async () => {
    const { stream, open, openStreams } = await handFed();
    const client = await open();
    await client.frame(1);
    expect(openStreams()).toBe(1);
    client.leave();
    await stream.closed;
    expect(openStreams()).toBe(0);
    stream.push('to nobody');
    expect(stream.taken).toHaveLength(1);
  });

  it('O-STREAM-02: a client that leaves before the first event is let go too', async () => {
    const stream = new HandFedStream();
    const reading = vi.spyOn(stream, 'onReadable');
    const { agent, openStreams } = await start(() => stream);
    const outgoing = request(`${agent.base}/tasks/t:subscribe`, { headers: { 'A2A-Version': '1.0' } });
    outgoing.on('error', () => undefined).end();
    await expect.poll(() => reading).toHaveBeenCalled();
    outgoing.destroy();
    await stream.closed;
    await expect.poll(() => openStreams()).toBe(0);
  });

  it('O-STREAM-05: events pass compressing middleware as they come', async () => {
    const { stream, open } = await handFed({
      configure: (app) => app.use(compression({ threshold: 0 })).use(helmet()),
    });
    const client = await open({ 'Accept-Encoding': 'gzip' });
    expect(await client.frame(1)).toHaveLength(1);
    expect(client.response.headers['content-encoding']).toBeUndefined();
    expect(client.response.headers['x-content-type-options']).toBe('nosniff');
    stream.push('second');
    expect(await client.frame(2)).toHaveLength(2);
    stream.end();
    await client.end();
  });

  it('O-STREAM-07, S-92: a silent stream carries keep-alive comments and nothing else', async () => {
    const { stream, open } = await handFed({ options: { keepAliveInterval: 20 } });
    const client = await open();
    const frames = await client.frame(4);
    expect(frames.slice(1)).toEqual([': keep-alive', ': keep-alive', ': keep-alive']);
    stream.end();
    await client.end();
  });

  it('S-92: 0 switches keep-alives off', async () => {
    const { stream, open } = await handFed({ options: { keepAliveInterval: 0 } });
    stopTime();
    const client = await open();
    await client.frame(1);
    vi.advanceTimersByTime(299_999);
    stream.end();
    expect(await client.end()).toHaveLength(1);
  });

  it('S-91, S-93: a stream without events ends, keep-alives or not', async () => {
    const { stream, open, openStreams } = await handFed({
      options: { keepAliveInterval: 40, streamIdleTimeout: 150 },
    });
    stopTime();
    const client = await open();
    await client.frame(1);
    vi.advanceTimersByTime(100);
    stream.push('second');
    await client.frame(4);
    vi.advanceTimersByTime(149);
    await client.frame(7);
    expect(stream.isClosed).toBe(false);
    vi.advanceTimersByTime(1);
    const frames = await client.end();
    expect(frames.filter((frame) => frame.startsWith('id:'))).toHaveLength(2);
    expect(frames.filter((frame) => frame === ': keep-alive')).toHaveLength(5);
    expect(stream.isClosed).toBe(true);
    expect(openStreams()).toBe(0);
  });

  it.each([
    ['nothing is known of the task', () => Promise.reject(new StoreUnavailableError()), 503],
    ['the handler fails', () => Promise.reject(new Error('x')), 500],
    [
      'the first event fails',

      async function* () {
        throw new StoreUnavailableError();
      },
      503,
    ],
    ['there is no event', async function* () {}, 500],
    [
      'the stream has broken off',
      () => {
        const stream = new HandFedStream();
        queueMicrotask(() => stream.end(new StoreUnavailableError()));
        return stream;
      },
      503,
    ],
  ])('O-ERR-05: an ordinary error answer if %s', async (_what, make, status) => {
    vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { agent, openStreams } = await start(make);
    const response = await agent.post('/message:stream', { message: MESSAGE });
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/a2a+json']);
    expect((await response.json()).error.code).toBe(status);
    expect((await agent.post('/message:stream', { message: {} })).status).toBe(400);
    expect(openStreams()).toBe(0);
  });

  it('a stream that breaks off says so in its last event', async () => {
    const { stream, open } = await handFed();
    const client = await open();
    stream.end(new StoreUnavailableError());
    const frames = await client.end();
    expect(frames).toHaveLength(2);
    const [event, data] = (frames[1] ?? '').split('\n');
    expect(event).toBe('event: error');
    expect(JSON.parse((data ?? '').slice(6)).error).toMatchObject({ code: 503, status: 'UNAVAILABLE' });
  });

  it('gives events of an own handler without numbers, and closes its iterator when the client leaves', async () => {
    let isClosed = (): void => undefined;
    const closed = new Promise<void>((resolve) => (isClosed = resolve));
    const { open, openStreams } = await start(async function* () {
      try {
        yield { task: task('t') };
        for (;;) {
          await delay(5);
          yield { message: MESSAGE };
        }
      } finally {
        isClosed();
      }
    });
    const client = await open();
    const [first] = await client.frame(3);
    expect(first).toMatch(/^data: \{"task"/);
    client.leave();
    await closed;
    await expect.poll(() => openStreams()).toBe(0);
  });

  it('takes nothing from the stream while the client does not read', async () => {
    const { stream, open } = await handFed();
    const client = await open();
    await client.frame(1);
    client.response.pause();
    const large = 'x'.repeat(100_000);
    for (let i = 0; i < 200; i++) {
      stream.push(large);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const taken = stream.taken.length;
    expect(taken).toBeLessThan(150);
    client.response.resume();
    stream.end();
    expect(await client.end()).toHaveLength(201);
  });

  it('lets a client go that has stopped reading', async () => {
    const { stream, open, openStreams } = await handFed({
      options: { streamIdleTimeout: 100, keepAliveInterval: 10 },
    });
    const client = await open();
    client.response.pause();
    for (let i = 0; i < 80; i++) stream.push('x'.repeat(200_000));
    await stream.closed;
    expect(openStreams()).toBe(0);
    client.leave();
  });

  it('refuses more streams than its bound with 503 and Retry-After, and frees places again', async () => {
    const handler = new Streaming(() => {
      const stream = new HandFedStream();
      stream.push('first');
      handler.streams.push(stream);
      return stream;
    });
    const agent = await startAgent({ adapter, handler, options: { limits: { openStreams: 2 } } });
    const open = () => SseClient.open(`${agent.base}/tasks/t:subscribe`);
    const [one, two] = [await open(), await open()];
    const refused = await agent.fetch('/tasks/t:subscribe');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(handler.streams).toHaveLength(2);
    handler.streams[0]?.end();
    await one.end();
    const three = await open();
    expect(three.response.statusCode).toBe(200);
    for (const client of [two, three]) client.leave();
  });

  it('ends streams of an own handler when the application shuts down', async () => {
    const { agent, open } = await start(async function* () {
      yield { task: task('t') };
      await new Promise(() => undefined);
    });
    const client = await open();
    await client.frame(1);
    const closing = agent.app.close();
    await client.end();
    await closing;
  });
});

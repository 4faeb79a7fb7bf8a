import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventSource, FrameEncoder } from './event-source.js';
import { SseWriter } from './sse-writer.js';

class Source implements EventSource<string> {
  queue: string[] = [];
  isOver = false;
  isClosed = false;
  error: unknown;
  takes = 0;
  listener = (): void => undefined;

  get ended() {
    return this.isOver && this.queue.length === 0;
  }

  take(limit = Infinity) {
    this.takes++;
    return this.queue.splice(0, limit);
  }

  onReadable(listener: () => void) {
    this.listener = listener;
  }

  push(...events: string[]) {
    for (const event of events) {
      this.queue.push(event);
      this.listener();
    }
  }

  close() {
    this.isClosed = true;
  }
}

const encoder: FrameEncoder<string> = {
  event: (event) => `data: ${event}\n\n`,
  error: (error) => `event: error\ndata: ${(error as Error).message}\n\n`,
};

describe('SseWriter', () => {
  let server: Server;
  let client: IncomingMessage;
  let reader: AsyncIterator<Buffer>;
  let answered: Promise<unknown>;
  let response: ServerResponse;
  let source: Source;
  let onClose: ReturnType<typeof vi.fn<() => void>>;

  const times = { keepAliveInterval: 0, streamIdleTimeout: 0 };
  const writer = (options = times) => new SseWriter(response, source, encoder, options, onClose);
  const chunks = () => client[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const read = async () => String((await reader.next()).value);
  const ended = async () => expect((await reader.next()).done).toBe(true);

  beforeEach(async () => {
    source = new Source();
    onClose = vi.fn<() => void>();
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const outgoing = request({
      port: (server.address() as AddressInfo).port,
      host: '127.0.0.1',
      agent: false,
    });
    outgoing.on('error', () => undefined).end();
    answered = once(outgoing, 'response').then(([incoming]) => {
      client = incoming as IncomingMessage;
      reader = chunks();
    });
    answered.catch(() => undefined);
    [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  });

  afterEach(async () => {
    vi.useRealTimers();
    response.destroy();
    server.close();
    await once(server, 'close');
  });

  const start = async (options = times) => {
    const subject = writer(options);
    subject.start({}, ['first']);
    await answered;
    expect(await read()).toBe('data: first\n\n');
    return subject;
  };

  it('writes all events of a tick at once', async () => {
    await start();
    const write = vi.spyOn(response, 'write');
    source.push('a', 'b', 'c');
    expect(write).not.toHaveBeenCalled();
    expect(await read()).toBe('data: a\n\ndata: b\n\ndata: c\n\n');
    expect(write).toHaveBeenCalledTimes(1);
  });

  it('takes nothing while the socket is full, and goes on when it has drained', async () => {
    await start();
    const write = vi.spyOn(response, 'write').mockReturnValueOnce(false);
    source.push('a');
    await expect.poll(() => write).toHaveBeenCalledTimes(1);
    const { takes } = source;
    source.push('b');
    source.isOver = true;
    await new Promise((resolve) => setImmediate(resolve));
    expect([source.takes, source.queue]).toEqual([takes, ['b']]);
    response.emit('drain');
    expect(await read()).toBe('data: b\n\n');
    await ended();
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('flushes where compressing middleware has put its flush', async () => {
    const flush = vi.fn();
    Object.assign(response, { flush });
    await start();
    source.push('a');
    await read();
    expect(flush).toHaveBeenCalledTimes(2);
  });

  it('writes an error as the last event', async () => {
    await start();
    source.isOver = true;
    source.error = new Error('broken');
    source.push('a');
    expect(await read()).toBe('data: a\n\n' + 'event: error\ndata: broken\n\n');
    await ended();
    expect([source.isClosed, onClose.mock.calls.length]).toEqual([true, 1]);
  });

  it('closes its source once when the client goes away, and writes no more', async () => {
    await start();
    const closed = once(response, 'close');
    client.destroy();
    await closed;
    expect([source.isClosed, onClose.mock.calls.length]).toEqual([true, 1]);
    const write = vi.spyOn(response, 'write');
    source.push('a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(write).not.toHaveBeenCalled();
  });

  it('does not begin when the client has gone before', async () => {
    const closed = once(response, 'close');
    response.destroy();
    await closed;
    writer().start({}, ['first']);
    expect([response.headersSent, source.isClosed, onClose.mock.calls.length]).toEqual([false, true, 1]);
  });

  it('S-92: speaks after each interval of silence, counted from its last word', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const write = vi.spyOn(response, 'write');
    const spoken = () => write.mock.calls.map(([data]) => String(data));
    writer({ keepAliveInterval: 15_000, streamIdleTimeout: 0 }).start({}, ['first']);
    vi.advanceTimersByTime(14_999);
    expect(spoken()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(spoken().at(-1)).toBe(': keep-alive\n\n');
    vi.advanceTimersByTime(10_000);
    source.queue.push('second');
    response.emit('drain');
    vi.advanceTimersByTime(14_999);
    expect(spoken()).toHaveLength(3);
    vi.advanceTimersByTime(1 + 15_000);
    expect(spoken()).toHaveLength(5);
  });

  it('S-91, S-93: ends without an event for the idle time, whatever the keep-alives', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    writer({ keepAliveInterval: 15_000, streamIdleTimeout: 300_000 }).start({}, ['first']);
    vi.advanceTimersByTime(200_000);
    source.queue.push('second');
    response.emit('drain');
    vi.advanceTimersByTime(299_999);
    expect(onClose).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect([onClose.mock.calls.length, source.isClosed, response.writableEnded]).toEqual([1, true, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is ended from outside', async () => {
    const subject = await start();
    subject.end();
    subject.end();
    await ended();
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});

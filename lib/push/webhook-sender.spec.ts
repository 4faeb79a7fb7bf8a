import { createServer } from 'node:net';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { silence, statuses, WebhookReceiver, type AnswerPost } from '../../test/push/webhook-receiver.js';
import { CollectedLog } from '../../test/support/collected-log.js';
import { stopTime } from '../../test/support/stop-time.js';
import { ChangePayload } from './change-payload.js';
import type { DeliveryAttempt } from './delivery-attempt.js';
import type { DeliveryFailedError } from './delivery-errors.js';
import type { PushNotification, RegisteredPushConfig } from './push-notification-sender.js';
import { WebhookSender, type WebhookSenderOptions } from './webhook-sender.js';

const unhandled = vi.fn();
beforeEach(() => process.on('unhandledRejection', unhandled));
afterEach(() => {
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  vi.useRealTimers();
});

async function receiver(answer?: AnswerPost, at?: { host?: string; port?: number }) {
  const started = await WebhookReceiver.start(answer, at);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

function notice(url: string, config: Partial<RegisteredPushConfig> = {}): PushNotification {
  const payload = new ChangePayload(() => ({
    task: { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } },
  }));
  return {
    id: 'n-1',
    config: { id: 'p-1', taskId: 't-1', url, ...config },
    version: '1.0',
    get event() {
      return payload.event;
    },
    get body() {
      return payload.bodyIn('1.0');
    },
  };
}

/** A sender that may call this machine and waits a millisecond before it tries again, and what it tells. */
function sender(options: WebhookSenderOptions = {}) {
  const attempts: DeliveryAttempt[] = [];
  const made = new WebhookSender({
    allow: ['127.0.0.1'],
    retryConfig: { interval: 1 },
    onDelivery: (attempt) => attempts.push(attempt),
    ...options,
  });
  const send = (notification: PushNotification, signal = new AbortController().signal) =>
    made.send(notification, signal);
  const failure = (notification: PushNotification, signal?: AbortSignal) =>
    send(notification, signal).then(
      () => expect.fail('it was delivered'),
      (error: unknown) => error as DeliveryFailedError,
    );
  return { send, failure, attempts };
}

describe('a delivery', () => {
  it('O-PUSH-14, S-110: is a POST of a StreamResponse as application/a2a+json', async () => {
    const hook = await receiver();
    await sender().send(notice(hook.url('/a/b?c=1')));
    expect(hook.posts).toMatchObject([
      {
        method: 'POST',
        path: '/a/b?c=1',
        headers: {
          'content-type': 'application/a2a+json',
          'a2a-version': '1.0',
          'x-a2a-notification-id': 'n-1',
          'x-a2a-notification-attempt': '1',
        },
        body: { task: { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } } },
      },
    ]);
    expect(hook.posts[0]?.headers).not.toHaveProperty('authorization');
    expect(hook.posts[0]?.headers).not.toHaveProperty('x-a2a-notification-token');
    expect(hook.posts[0]?.headers['content-length']).toBe(String(hook.posts[0]?.text.length));
  });

  it.each([
    [{ scheme: 'Bearer', credentials: 'abc' }, 'Bearer abc'],
    [{ scheme: 'Basic', credentials: 'dTpw' }, 'Basic dTpw'],
    [{ scheme: 'Negotiate' }, 'Negotiate'],
    [{ scheme: 'Negotiate', credentials: '' }, 'Negotiate'],
  ])(
    'O-PUSH-02, S-113, S-114: has the token and the credentials %o',
    async (authentication, authorization) => {
      const hook = await receiver();
      await sender().send(notice(hook.url(), { token: 'tk', authentication }));
      expect(hook.posts[0]?.headers).toMatchObject({ 'x-a2a-notification-token': 'tk', authorization });
    },
  );

  it('S-113: has the token in the header that is wanted', async () => {
    const hook = await receiver();
    await sender({ tokenHeader: 'A2A-Notification-Token' }).send(notice(hook.url(), { token: 'tk' }));
    expect(hook.posts[0]?.headers['a2a-notification-token']).toBe('tk');
    expect(hook.posts[0]?.headers).not.toHaveProperty('x-a2a-notification-token');
    expect(() => new WebhookSender({ tokenHeader: 'a b' })).toThrow(TypeError);
  });

  it('uses a connection again', async () => {
    const hook = await receiver((response) => response.end('{"thanks":true}'));
    const { send } = sender();
    for (let count = 0; count < 5; count++) await send(notice(hook.url()));
    expect(hook.posts).toHaveLength(5);
    expect(hook.connections).toBe(1);
  });

  it.each([
    ['token', { token: 'a\r\nX-Evil: 1' }],
    ['token outside of Latin-1', { token: 'ආයු' }],
    ['scheme', { authentication: { scheme: 'Bearer\r\nHost: x', credentials: 'c' } }],
    ['credentials', { authentication: { scheme: 'Bearer', credentials: 'c\u0000' } }],
  ])('O-PUSH-19: fails where the %s cannot be a header, at once and quietly', async (_, config) => {
    const hook = await receiver();
    const { failure, attempts } = sender();
    expect((await failure(notice(hook.url(), config))).attempts).toBe(1);
    expect(attempts).toMatchObject([{ outcome: 'failed', attempt: 1 }]);
    expect(hook.posts).toEqual([]);
    expect(JSON.stringify(attempts)).not.toMatch(/Evil|ආයු|Host/);
  });
});

describe('S-117, O-PUSH-13: a delivery is tried again', () => {
  it('after 503 twice, with the same id and body', async () => {
    const hook = await receiver(statuses(503, 503, 200));
    const { send, attempts } = sender();
    await send(notice(hook.url()));
    expect(hook.posts.map(({ headers }) => headers['x-a2a-notification-attempt'])).toEqual(['1', '2', '3']);
    expect(
      new Set(hook.posts.map(({ headers, text }) => `${headers['x-a2a-notification-id']} ${text}`)).size,
    ).toBe(1);
    expect(attempts.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['retrying', 503],
      ['retrying', 503],
      ['delivered', 200],
    ]);
  });

  it.each([408, 429, 500, 502, 503, 504])('after %i, three times, then given up', async (status) => {
    const hook = await receiver(statuses(status));
    const { failure } = sender();
    expect(await failure(notice(hook.url()))).toMatchObject({ attempts: 4, status });
    expect(hook.posts).toHaveLength(4);
  });

  it.each([400, 401, 403, 404, 410, 413, 501, 505, 304])('but not after %i', async (status) => {
    const hook = await receiver(statuses(status));
    expect(await sender().failure(notice(hook.url()))).toMatchObject({ attempts: 1, status });
  });

  it('S-U1: after 1, 2 and 4 seconds, while nothing is sent', async () => {
    const hook = await receiver(statuses(503));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const turns: number[] = [];
    let told!: () => void;
    let next = new Promise<void>((resolve) => (told = resolve));
    const { failure } = sender({
      retryConfig: undefined,
      onDelivery: ({ retryIn }) => {
        if (retryIn !== undefined) turns.push(retryIn);
        told();
      },
    });
    const failed = failure(notice(hook.url()));
    for (const [index, wait] of [1_000, 2_000, 4_000].entries()) {
      await next;
      next = new Promise<void>((resolve) => (told = resolve));
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(hook.posts).toHaveLength(index + 1);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect((await failed).attempts).toBe(4);
    expect(turns).toEqual([1_000, 2_000, 4_000]);
  });

  it('no sooner than Retry-After asks, in seconds or as a date, up to five minutes', async () => {
    const asked = [
      '2',
      '0',
      'Fri, 31 Dec 1999 23:59:59 GMT',
      'nonsense',
      'not before 2099',
      '2099-01-01',
      '-5',
      '100000',
    ];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2030, 0, 1) });
    // The obsolete forms of a date are read too.
    asked.unshift('Tuesday, 01-Jan-30 00:00:40 GMT', 'Tue Jan  1 00:00:50 2030');
    asked.unshift(new Date(Date.now() + 30_000).toUTCString());
    const hook = await receiver((response, _, index) =>
      response.writeHead(index % 2 === 0 ? 429 : 200, { 'Retry-After': asked[index >> 1]! }).end(),
    );
    const waits: number[] = [];
    for (const _ of asked) {
      vi.setSystemTime(Date.UTC(2030, 0, 1));
      const { send } = sender({
        onDelivery: ({ retryIn }) => {
          if (retryIn === undefined) return;
          waits.push(retryIn);
          setImmediate(() => vi.advanceTimersByTime(retryIn));
        },
      });
      await send(notice(hook.url()));
    }
    expect(waits).toEqual([30_000, 40_000, 50_000, 2_000, 1, 1, 1, 1, 1, 1, 300_000]);
  });

  it('as retryConfig says', async () => {
    const hook = await receiver(statuses(418));
    const waits: (number | undefined)[] = [];
    const retryConfig = { count: 4, interval: 1, factor: 3, maxInterval: 5, statusCodes: [418] };
    const { failure } = sender({ retryConfig, onDelivery: ({ retryIn }) => waits.push(retryIn) });
    expect((await failure(notice(hook.url()))).attempts).toBe(5);
    expect(waits).toEqual([1, 3, 5, 5, undefined]);
  });

  it.each([false as const, null, { count: 0 }])('never with retryConfig %o', async (retryConfig) => {
    const hook = await receiver(statuses(503));
    const { failure } = sender({ retryConfig });
    expect((await failure(notice(hook.url()))).attempts).toBe(1);
    expect(hook.posts).toHaveLength(1);
  });
});

describe('O-PUSH-07, S-112: a webhook that misbehaves is a failure and nothing worse', () => {
  it('refuses the connection', async () => {
    const gone = await receiver();
    const url = gone.url();
    await gone[Symbol.asyncDispose]();
    const { failure, attempts } = sender();
    expect(await failure(notice(url))).toMatchObject({ attempts: 4, status: undefined });
    expect(attempts[0]).toMatchObject({
      outcome: 'retrying',
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('S-116, S-U1: accepts and never answers', async () => {
    const hook = await receiver(silence);
    const { failure } = sender({ timeout: 20 });
    const message = expect.stringContaining('No answer within 20 ms');
    expect(await failure(notice(hook.url()))).toMatchObject({ attempts: 4, message });
  });

  it('resets the connection', async () => {
    const hook = await receiver((response) => response.socket?.resetAndDestroy());
    const { failure } = sender();
    expect((await failure(notice(hook.url()))).attempts).toBe(4);
  });

  it('answers what is no HTTP', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end('SSH-2.0-OpenSSH\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const { failure } = sender();
    expect((await failure(notice(`http://127.0.0.1:${port}/`))).attempts).toBe(4);
  });

  it('redirects to another host: not followed, not tried again', async () => {
    const other = await receiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const hook = await receiver((response) => response.writeHead(status, { Location: other.url() }).end());
      expect(await sender().failure(notice(hook.url()))).toMatchObject({ attempts: 1, status });
      expect(hook.posts).toHaveLength(1);
    }
    expect(other.connections).toBe(0);
  });

  it('closes mid-answer: it has answered', async () => {
    const hook = await receiver((response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('{"half":', () => response.destroy());
    });
    const { send } = sender();
    await send(notice(hook.url()));
    await send(notice(hook.url()));
    expect(hook.posts).toHaveLength(2);
  });

  it('never ends its answer: it has answered', async () => {
    const hook = await receiver((response) => response.writeHead(202).write('.'));
    const { send, attempts } = sender({ timeout: 30 });
    stopTime();
    const sent = send(notice(hook.url()));
    // Once the head is there, only the time for the whole is left.
    while (hook.posts.length === 0 || vi.getTimerCount() > 1) await new Promise(setImmediate);
    vi.advanceTimersByTime(30);
    await sent;
    expect(attempts).toMatchObject([{ outcome: 'delivered', status: 202 }]);
  });

  it('answers with a gigabyte: read up to a bound, then hung up on', async () => {
    let written = 0;
    let closed!: () => void;
    const hungUp = new Promise<void>((resolve) => (closed = resolve));
    const hook = await receiver((response) => {
      response.writeHead(200, { 'Content-Length': String(2 ** 30) });
      response.on('close', closed);
      const block = Buffer.alloc(65_536);
      const write = () => {
        while (!response.destroyed && written < 2 ** 30) {
          written += block.length;
          if (!response.write(block)) return void response.once('drain', write);
        }
      };
      write();
    });
    await sender().send(notice(hook.url()));
    await hungUp;
    expect(written).toBeLessThan(2 ** 25);
  });
});

describe('S-115, S-U2: where a delivery goes', () => {
  it.each([
    'http://localhost/',
    'http://127.1/',
    'http://[::1]/',
    'ftp://example.com/',
    'http://u:p@example.com/',
    'no',
  ])('not to %s, and it is not tried again', async (url) => {
    const { failure, attempts } = sender({ allow: [] });
    expect((await failure(notice(url))).attempts).toBe(1);
    expect(attempts).toMatchObject([{ outcome: 'failed', error: expect.stringContaining('must') }]);
  });

  it('S-116: anywhere with validateUrl: false', async () => {
    const hook = await receiver();
    await sender({ allow: [], validateUrl: false }).send(notice(hook.url('/', 'localhost')));
    expect(hook.posts).toHaveLength(1);
  });

  // 127.0.0.2 stands for a public address: it can be reached without leaving this machine.
  it('O-PUSH-08: not to a name that resolves to a public address first and to this machine then', async () => {
    const open = await receiver((response) => response.writeHead(503, { Connection: 'close' }).end(), {
      host: '127.0.0.2',
    });
    const inner = await receiver(statuses(200), { port: open.port });
    let asked = 0;
    const { failure, attempts } = sender({
      allow: ['127.0.0.2'],
      resolve: async () => (asked++ === 0 ? ['127.0.0.2'] : ['127.0.0.1']),
    });
    const error = await failure(notice(open.url('/', 'hook.example')));
    expect(error.message).toContain('must not lead to an address that is not public');
    expect(attempts.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['retrying', 503],
      ['failed', undefined],
    ]);
    expect([asked, open.posts.length, inner.connections]).toEqual([2, 1, 0]);
    expect(open.posts[0]?.headers.host).toBe(`hook.example:${open.port}`);
  });

  it('O-PUSH-08: not to a name with a public and an inner address', async () => {
    const open = await receiver(statuses(200), { host: '127.0.0.2' });
    const { failure } = sender({ allow: ['127.0.0.2'], resolve: async () => ['127.0.0.2', '127.0.0.1'] });
    expect((await failure(notice(open.url('/', 'hook.example')))).attempts).toBe(1);
    expect(open.connections).toBe(0);
  });
});

describe('a delivery that is no longer wanted', () => {
  it('ends while it waits for its next attempt', async () => {
    const hook = await receiver(statuses(503));
    const abort = new AbortController();
    const { failure, attempts } = sender({
      retryConfig: { interval: 60_000 },
      onDelivery: () => abort.abort(),
    });
    await failure(notice(hook.url()), abort.signal);
    expect(attempts).toEqual([]);
    expect(hook.posts).toHaveLength(1);
  });

  it('ends in the middle of an attempt', async () => {
    const hook = await receiver(silence);
    const abort = new AbortController();
    const { failure, attempts } = sender();
    const failed = failure(notice(hook.url()), abort.signal);
    await hook.received(1);
    abort.abort(new Error('gone'));
    expect((await failed).message).toBe('gone');
    expect(attempts).toMatchObject([{ outcome: 'aborted' }]);
  });

  it('does not start', async () => {
    const hook = await receiver();
    await sender().failure(notice(hook.url()), AbortSignal.abort(new Error('gone')));
    expect(hook.connections).toBe(0);
  });
});

describe('what is told of deliveries', () => {
  it('holds no secret', async () => {
    const hook = await receiver(statuses(400));
    const url = hook.url('/secret-path?key=secret-query');
    const config = {
      token: 'secret-token',
      authentication: { scheme: 'Bearer', credentials: 'secret-credentials' },
    };
    const { failure, attempts } = sender();
    const error = await failure(notice(url, config));
    expect(attempts).toEqual([
      {
        taskId: 't-1',
        configId: 'p-1',
        notificationId: 'n-1',
        attempt: 1,
        outcome: 'failed',
        origin: new URL(url).origin,
        status: 400,
        duration: expect.any(Number),
      },
    ]);
    expect(JSON.stringify([attempts, error, error.message, error.stack])).not.toContain('secret-');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken metrics');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken metrics'))],
  ])('may be told to somebody who %s', async (_, onDelivery: () => void) => {
    const hook = await receiver();
    const log = new CollectedLog();
    Logger.overrideLogger(log);
    onTestFinished(() => Logger.overrideLogger(new ConsoleLogger()));
    await sender({ onDelivery }).send(notice(hook.url()));
    await new Promise(setImmediate);
    expect(log.of('error').join()).toContain('onDelivery has thrown: broken metrics');
  });
});

describe('attempts at once', () => {
  it('are bounded, and a host that hangs leaves room for the others', async () => {
    const hanging = await receiver(silence);
    const quick = await receiver(statuses(200), { host: '127.0.0.2' });
    const { send, failure } = sender({ concurrency: 3, concurrencyPerHost: 2, allow: ['127.0.0.0/8'] });
    const abort = new AbortController();
    const stuck = Array.from({ length: 10 }, () => failure(notice(hanging.url()), abort.signal));
    await hanging.received(2);
    await Promise.all(Array.from({ length: 10 }, () => send(notice(quick.url('/', '127.0.0.2')))));
    expect(hanging.connections).toBe(2);
    expect(quick.connections).toBe(1);
    abort.abort();
    await Promise.all(stuck);
    await send(notice(quick.url('/', '127.0.0.2')));
  });

  it('a wait for the next attempt is none of them', async () => {
    const hook = await receiver((response, { path }) =>
      response.writeHead(path === '/bad' ? 503 : 200).end(),
    );
    const abort = new AbortController();
    let told!: () => void;
    const waiting = new Promise<void>((resolve) => (told = resolve));
    const { send, failure } = sender({
      concurrency: 1,
      retryConfig: { interval: 60_000 },
      onDelivery: () => told(),
    });
    const bad = failure(notice(hook.url('/bad')), abort.signal);
    await waiting;
    await send(notice(hook.url('/good')));
    abort.abort();
    await bad;
  });
});

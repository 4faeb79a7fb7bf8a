import { ConsoleLogger, Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { silence, statuses, WebhookReceiver, type AnswerPost } from '../../test/push/webhook-receiver.js';
import { CollectedLog } from '../../test/support/collected-log.js';
import { deferred, untilAborted, type Deferred } from '../../test/support/deferred.js';
import { ChangePayload } from './change-payload.js';
import { DeliveryQueue, type DeliveryQueueOptions } from './delivery-queue.js';
import type { PushNotification, PushNotificationSender } from './push-notification-sender.js';
import { WebhookSender, type WebhookSenderOptions } from './webhook-sender.js';

const unhandled = vi.fn();
let log: CollectedLog;
beforeEach(() => {
  process.on('unhandledRejection', unhandled);
  Logger.overrideLogger((log = new CollectedLog()));
});
afterEach(() => {
  process.off('unhandledRejection', unhandled);
  Logger.overrideLogger(new ConsoleLogger());
  expect(unhandled).not.toHaveBeenCalled();
});

async function receiver(answer?: AnswerPost) {
  const started = await WebhookReceiver.start(answer);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

/** The change number `seq` of a task, for one webhook. */
function change(seq: number | string, url = 'https://hook.example/', configId = 'p-1'): PushNotification {
  return {
    id: `n-${seq}`,
    config: { id: configId, taskId: 't-1', url },
    version: '1.0',
    event: { task: { id: 't-1', status: { state: 'TASK_STATE_WORKING' }, metadata: { seq } } },
    get body() {
      return JSON.stringify(this.event);
    },
  };
}

const seqOf = ({ event }: PushNotification) => event.task?.metadata?.seq;

/** A queue that posts, and tells when a webhook has got the last of its notifications. */
function posting(options: WebhookSenderOptions = {}) {
  return new DeliveryQueue(
    new WebhookSender({
      allow: ['127.0.0.1'],
      retryConfig: { count: 30, interval: 1, factor: 1 },
      ...options,
    }),
  );
}

/** A queue whose sender records what it is given and answers when it is told to. */
function recording(options?: DeliveryQueueOptions) {
  const sent: unknown[] = [];
  const gates: Deferred<void>[] = [];
  const sender: PushNotificationSender = {
    async send(notification, signal) {
      sent.push(seqOf(notification));
      const gate = deferred();
      gates.push(gate);
      await Promise.race([
        gate.promise,
        untilAborted(signal).then((reason) => Promise.reject(reason as Error)),
      ]);
    },
  };
  const queue = new DeliveryQueue(sender, options);
  onTestFinished(() => queue.drain(0));
  /** Lets all that is being sent and all that follows be delivered. */
  const deliverAll = async () => {
    while (queue.size > 0) {
      gates.splice(0).forEach((gate) => gate.resolve());
      await new Promise(setImmediate);
    }
  };
  return { queue, sent, gates, deliverAll };
}

const newest = (notification: PushNotification) => () => notification;

describe('order', () => {
  it('S-111, O-PUSH-01: each webhook gets the changes in order, and a slow one delays no other', async () => {
    const gate = deferred();
    const slow = await receiver((response, _, index) => {
      if (index > 0) response.end();
      else void gate.promise.then(() => response.end());
    });
    const quick = await receiver();
    const queue = posting();
    for (let seq = 0; seq < 5; seq++) {
      queue.enqueue('slow', change(seq, slow.url()));
      queue.enqueue('quick', change(seq, quick.url()));
    }
    await quick.received(5);
    await slow.received(1);
    expect(slow.posts).toHaveLength(1);
    gate.resolve();
    await queue.drain(5_000);
    const seqs = (hook: WebhookReceiver) => hook.posts.map(({ body }) => body.task.metadata.seq);
    expect(seqs(slow)).toEqual([0, 1, 2, 3, 4]);
    expect(seqs(quick)).toEqual([0, 1, 2, 3, 4]);
  });

  it('S-111: 1,000 changes arrive in order under random failures', async () => {
    let random = 42;
    const next = () => (random = (random * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    const taken: number[] = [];
    const hook = await receiver((response, { body }) => {
      const luck = next();
      if (luck < 0.1) response.writeHead(503).end();
      else if (luck < 0.15) response.socket?.resetAndDestroy();
      else if (luck < 0.2) response.destroy();
      else {
        taken.push(body.task.metadata.seq);
        response.end();
      }
    });
    const queue = posting();
    const all = Array.from({ length: 1_000 }, (_, seq) => seq);
    for (const seq of all) queue.enqueue('k', change(seq, hook.url()));
    await queue.drain(14_000);
    expect(taken).toEqual(all);
    expect(log.lines).toEqual([]);
  });

  it('never two at once for one key', async () => {
    const { queue, sent, deliverAll } = recording();
    for (const seq of [1, 2]) for (const key of ['a', 'b']) queue.enqueue(key, change(`${key}${seq}`));
    await new Promise(setImmediate);
    expect(sent).toEqual(['a1', 'b1']);
    await deliverAll();
    expect(sent).toEqual(['a1', 'b1', 'a2', 'b2']);
  });
});

describe('S-112: the caller', () => {
  it('does not wait, not even for the encoding', () => {
    const { queue } = recording();
    const encode = vi.fn();
    const payload = new ChangePayload(encode);
    queue.enqueue('k', Object.defineProperty({ ...change(1) }, 'body', { get: () => payload.bodyIn('1.0') }));
    expect(encode).not.toHaveBeenCalled();
  });

  it('can leave the work of many webhooks for later, before anything that comes after it', async () => {
    const { queue, sent, deliverAll } = recording();
    const added: unknown[] = [];
    const defer = (seq: number, key = 'k') =>
      queue.defer(() => {
        added.push(seq);
        queue.enqueue(key, change(seq));
      });
    defer(1);
    defer(2);
    expect(added).toEqual([]);
    queue.enqueue('k', change(3));
    defer(4, 'dropped');
    queue.drop('dropped');
    defer(5);
    await new Promise(setImmediate);
    expect(added).toEqual([1, 2, 4, 5]);
    await deliverAll();
    expect(sent).toEqual([1, 2, 3, 5]);
  });

  it('O-PUSH-07: gets no error of a sender that throws or rejects, and the next notification follows', async () => {
    const sent: unknown[] = [];
    const queue = new DeliveryQueue({
      send(notification) {
        sent.push(seqOf(notification));
        if (sent.length === 1) throw new Error('thrown');
        if (sent.length === 2) return Promise.reject(new Error('rejected'));
        if (sent.length === 3) return Promise.reject(null);
        return Promise.resolve();
      },
    });
    for (let seq = 1; seq <= 4; seq++) queue.enqueue('k', change(seq));
    await queue.drain(1_000);
    expect(sent).toEqual([1, 2, 3, 4]);
    expect(log.of('warn')).toEqual([
      expect.stringContaining('Notification n-1 of task t-1 to webhook p-1 was not delivered: thrown'),
      expect.stringContaining('Notification n-2 of task t-1 to webhook p-1 was not delivered: rejected'),
      expect.stringContaining('Notification n-3 of task t-1 to webhook p-1 was not delivered: unknown error'),
    ]);
  });

  it('S-117: reads of a delivery that failed in a warning without secrets', async () => {
    const hook = await receiver(statuses(410));
    const queue = posting();
    const { config, ...rest } = change(1, hook.url('/secret-path?secret-query'));
    const authentication = { scheme: 'Bearer', credentials: 'secret-credentials' };
    queue.enqueue('k', { ...rest, config: { ...config, token: 'secret-token', authentication } });
    await queue.drain(5_000);
    expect(log.of('warn').join()).toContain(`http://127.0.0.1:${hook.port} answered 410`);
    expect(log.lines.join()).not.toContain('secret-');
  });
});

describe('the bound of a queue', () => {
  it('merges snapshots that wait behind each other, and no others', async () => {
    const { queue, sent, deliverAll } = recording({ maxWaiting: 3 });
    const artifact = (seq: number | string) => {
      const notification = change(seq);
      queue.enqueue('k', notification, newest(notification));
    };
    const state = (seq: number | string) => queue.enqueue('k', change(seq));
    state('sending');
    await new Promise(setImmediate);
    [1, 2, 3].forEach(artifact); // fills the queue
    [4, 5, 6].forEach(artifact); // takes the place of 3
    state('s1');
    state('s2');
    [7, 8, 9].forEach(artifact); // nothing to merge the first with
    state('s3');
    artifact(10);
    expect(queue.size).toBe(9);
    await deliverAll();
    expect(sent).toEqual(['sending', 1, 2, 6, 's1', 's2', 9, 's3', 10]);
  });

  it('keeps both where they cannot be merged', async () => {
    const { queue, sent, deliverAll } = recording({ maxWaiting: 1 });
    for (let seq = 1; seq <= 3; seq++) queue.enqueue('k', change(seq), () => undefined);
    await deliverAll();
    expect(sent).toEqual([1, 2, 3]);
  });

  it('is 1,000 for each', () => {
    const { queue } = recording();
    for (let seq = 0; seq < 1_500; seq++) {
      for (const key of ['a', 'b']) {
        const notification = change(seq);
        queue.enqueue(key, notification, newest(notification));
      }
    }
    expect(queue.size).toBe(2_000);
  });
});

describe('a webhook that is removed', () => {
  it('gets no more posts while its delivery waits for the next attempt', async () => {
    const hook = await receiver(statuses(503));
    const waits = deferred();
    const queue = posting({ retryConfig: { interval: 5 }, onDelivery: () => waits.resolve() });
    for (let seq = 0; seq < 3; seq++) queue.enqueue('k', change(seq, hook.url()));
    await waits.promise;
    queue.drop('k');
    await queue.drain(1_000);
    expect(hook.posts).toHaveLength(1);
    expect(log.lines).toEqual([]);
  });

  it('gets what is added afterwards, behind what was being sent', async () => {
    const { queue, sent, deliverAll } = recording();
    queue.enqueue('k', change('old'));
    queue.enqueue('k', change('older'));
    await new Promise(setImmediate);
    queue.drop('k');
    queue.enqueue('k', change('new'));
    await deliverAll();
    expect(sent).toEqual(['old', 'new']);
    queue.drop('unknown');
  });
});

describe('a webhook that is replaced', () => {
  const to = (url: string) => (waiting: PushNotification) =>
    change(String(seqOf(waiting)), url, waiting.config.id);

  it('hears at its new address of what waits and of what is tried again, each once and in order', async () => {
    const [old, hook] = [await receiver(statuses(503)), await receiver()];
    const waits = deferred();
    const queue = posting({ retryConfig: { interval: 60_000 }, onDelivery: () => waits.resolve() });
    for (let seq = 0; seq < 3; seq++) queue.enqueue('k', change(`${seq}`, old.url()));
    queue.enqueue('other', change('x', hook.url('/other')));
    await waits.promise;
    expect(queue.keys()).toContain('k');
    queue.revise('k', to(hook.url('/k')));
    queue.revise('unknown', to(hook.url('/k')));
    await queue.drain(1_000);
    expect(old.posts).toHaveLength(1);
    const posts = hook.posts.filter(({ path }) => path === '/k');
    expect(posts.map(({ headers }) => headers['x-a2a-notification-id'])).toEqual(['n-0', 'n-1', 'n-2']);
    expect(log.lines).toEqual([]);
  });

  it('goes on with what is being sent where that stays the same', async () => {
    const { queue, sent, deliverAll } = recording();
    for (const seq of ['1', '2', '3']) queue.enqueue('k', change(seq));
    await new Promise(setImmediate);
    queue.revise('k', (waiting) => (seqOf(waiting) === '3' ? change('3b') : waiting));
    await deliverAll();
    expect(sent).toEqual(['1', '2', '3b']);
  });

  it('merges nothing into what has been sent once', async () => {
    const { queue, sent, deliverAll } = recording({ maxWaiting: 1 });
    const newest = (notification: PushNotification) => () => notification;
    queue.enqueue('k', change('1'), newest(change('1')));
    await new Promise(setImmediate);
    queue.revise('k', () => change('1b'));
    queue.enqueue('k', change('2'), newest(change('2')));
    await deliverAll();
    expect(sent).toEqual(['1', '1b', '2']);
  });
});

describe('O-MEM-03: the end', () => {
  it('delivers what it can', async () => {
    const hook = await receiver();
    const queue = posting();
    for (let seq = 0; seq < 20; seq++) queue.enqueue('k', change(seq, hook.url()));
    await queue.drain(5_000);
    expect(hook.posts).toHaveLength(20);
    expect(queue.size).toBe(0);
  });

  it('comes at its deadline, during a retry and with a webhook that hangs', async () => {
    const failing = await receiver(statuses(503));
    const hanging = await receiver(silence);
    const queue = posting({ retryConfig: { interval: 60_000, maxInterval: 60_000 } });
    for (let seq = 0; seq < 3; seq++) {
      queue.enqueue('failing', change(seq, failing.url()));
      queue.enqueue('hanging', change(seq, hanging.url()));
    }
    await Promise.all([failing.received(1), hanging.received(1)]);
    await queue.drain(20);
    expect(log.of('warn')).toEqual([expect.stringContaining('not delivered before the end: 6')]);
    queue.enqueue('hanging', change(9, hanging.url()));
    expect(queue.size).toBe(0);
    expect([failing.posts.length, hanging.posts.length]).toEqual([1, 1]);
  });

  it('comes at once where nothing waits', async () => {
    const { queue } = recording();
    await queue.drain(60_000);
    await queue.drain(60_000);
    expect(log.lines).toEqual([]);
  });
});

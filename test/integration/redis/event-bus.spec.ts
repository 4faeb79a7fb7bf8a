import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RedisTaskEventBus, type RedisOptions } from '../../../lib/redis/index.js';
import { batchOf, BusEnds, eventually } from '../../../lib/testing/task-event-bus/bus-ends.js';
import { describeTaskEventBus } from '../../../lib/testing/index.js';
import { CollectedLog } from '../../support/collected-log.js';
import { hasRedis, RedisServer } from '../../support/redis-server.js';

/** A user that may not ask which commands there are does without sharded channels. */
const PLAIN = ['plain', 'on', '>secret', '&nest-a2a:*', '+@all', '-command'] as const;

describe.skipIf(!hasRedis)('RedisTaskEventBus', () => {
  let server: RedisServer;
  let admin: Redis;
  let log: CollectedLog;
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
    admin = new Redis(server.url);
    admin.on('error', () => undefined);
    await admin.acl('SETUSER', ...PLAIN);
  });
  afterAll(async () => {
    admin?.disconnect();
    await server?.stop();
  });
  beforeEach(() => {
    Logger.overrideLogger((log = new CollectedLog()));
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    Logger.overrideLogger(['error', 'warn', 'log']);
  });

  function open(options: Partial<RedisOptions> = {}): RedisTaskEventBus {
    const bus = new RedisTaskEventBus({
      ...(options.client === undefined && { url: server.url }),
      ...options,
    });
    closing.push(() => bus.close());
    return bus;
  }

  function client(options: object = {}): Redis {
    const redis = new Redis(server.url, options);
    redis.on('error', () => undefined);
    closing.push(() => redis.disconnect());
    return redis;
  }

  describeTaskEventBus('with sharded channels', () => [open(), open()], { describe, it });

  describeTaskEventBus(
    'with plain channels',
    () => {
      const url = server.url.replace('//', '//plain:secret@');
      return [open({ url }), open({ url })];
    },
    { describe, it },
  );

  describeTaskEventBus(
    "with the application's client",
    () => [open({ client: client({ keyPrefix: 'app:' }) }), open({ client: client({ keyPrefix: 'app:' }) })],
    { describe, it },
  );

  it('uses sharded channels where the server has them, and plain ones elsewhere', async () => {
    const ends = new BusEnds(open(), open());
    await ends.follow(ends.there, ends.key('t'));
    const channels = () => admin.pubsub('SHARDCHANNELS');
    await expect.poll(channels).toEqual([`nest-a2a:task:${ends.agent}:t`]);
    const url = server.url.replace('//', '//plain:secret@');
    const plain = new BusEnds(open({ url }), open({ url }));
    await plain.follow(plain.there, plain.key('t'));
    await expect.poll(() => admin.pubsub('CHANNELS')).toEqual([`nest-a2a:task:${plain.agent}:t`]);
  });

  it('has two connections and a channel for each task that is followed, however many follow it', async () => {
    const ends = new BusEnds(open(), open());
    const key = ends.key();
    const first = await ends.follow(ends.there, key);
    const others = Array.from({ length: 100 }, () => ends.there.follow(key, () => undefined));
    const bus = ends.there as RedisTaskEventBus;
    expect(bus.channels).toBe(1);
    const connections = async () => ((await admin.client('LIST')) as string).match(/name=nest-a2a /g);
    await expect.poll(connections).toHaveLength(4);
    for (const stop of [...others, first.stop]) stop();
    expect(bus.channels).toBe(0);
    await eventually(async () => (await admin.pubsub('SHARDCHANNELS')).length === 0);
  });

  it('tells a follower that it may have missed something, when listening begins and when Redis is back', async () => {
    const ends = new BusEnds(open(), open());
    const key = ends.key();
    let missed = 0;
    ends.there.follow(
      key,
      () => undefined,
      () => (missed += 1),
    );
    await eventually(() => missed === 1);
    expect(ends.there.isConnected()).toBe(true);
    await server.stop();
    await eventually(() => !ends.there.isConnected());
    await server.run();
    await eventually(() => missed === 2);
    expect(ends.there.isConnected()).toBe(true);
  });

  it('announces what it could not publish, once it can again', async () => {
    const redis = client();
    const ends = new BusEnds(open({ client: redis }), open());
    const key = ends.key();
    const heard = await ends.follow(ends.there, key);
    redis.disconnect();
    await eventually(() => !ends.here.isConnected());
    ends.here.publish(key, batchOf(key, 1, 3));
    ends.here.publish(key, batchOf(key, 3, 5));
    ends.here.signal('gone', { type: 'reply', requestId: '1' });
    expect(heard.numbers).toEqual([]);
    await redis.connect();
    await heard.until(5);
    expect(heard.batches.at(-1)).toEqual({ after: 1, events: [], announced: 5 });
  });

  it('its own followers hear it while Redis is away', async () => {
    const bus = new RedisTaskEventBus({ url: 'redis://127.0.0.1:1' });
    closing.push(() => bus.close());
    const key = { agent: 'a', id: 't' };
    const heard: number[] = [];
    bus.follow(key, ({ events }) => heard.push(...events.map(({ seq }) => seq)));
    await bus.onModuleInit();
    for (let seq = 0; seq < 10_000; seq++) bus.publish(key, batchOf(key, seq, seq + 1));
    expect(heard).toHaveLength(10_000);
    expect(bus.isConnected()).toBe(false);
  });

  it('notices a server that no longer answers, and goes on when it does', async () => {
    const ends = new BusEnds(open(), open());
    const key = ends.key();
    const heard = await ends.follow(ends.there, key);
    server.pause();
    try {
      for (let seq = 1; seq < 40; seq++)
        ends.here.publish(key, batchOf(key, seq, seq + 1, 'x'.repeat(1_000_000)));
      await eventually(() => !ends.here.isConnected() && !ends.there.isConnected());
    } finally {
      server.resume();
    }
    await eventually(() => ends.here.isConnected() && ends.there.isConnected());
    await eventually(() => {
      ends.here.publish(key, batchOf(key, 40, 41));
      return heard.numbers.includes(41);
    });
  });

  it('what is foreign or broken on its channels crashes nothing, and is said once', async () => {
    const ends = new BusEnds(open(), open());
    const key = ends.key();
    let missed = 0;
    ends.there.follow(
      key,
      () => undefined,
      () => (missed += 1),
    );
    const heard = await ends.follow(ends.there, key);
    const signals = await ends.listen(ends.there, 'w');
    const before = missed;
    const event = {
      statusUpdate: { taskId: key.id, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } },
    };
    const broken = [
      '',
      'PING',
      '{',
      'null',
      '[]',
      '"v"',
      '{"v":2,"after":1,"events":[]}',
      '{"v":1}',
      '{"v":1,"after":-1,"events":[]}',
      '{"v":1,"after":1,"events":{}}',
      '{"v":1,"after":1,"events":[null]}',
      '{"v":1,"after":1,"events":[{"seq":2}]}',
      '{"v":1,"after":1,"events":[{"seq":2,"event":{"statusUpdate":{"status":null}}}]}',
      JSON.stringify({ v: 1, after: 5, events: [{ seq: 5, event }] }),
      JSON.stringify({
        v: 1,
        after: 1,
        events: [{ seq: 2, event: { statusUpdate: { ...event.statusUpdate, taskId: 'x' } } }],
      }),
    ];
    for (const text of broken) await admin.spublish(`nest-a2a:task:${ends.agent}:${key.id}`, text);
    const brokenSignals = [
      ...broken,
      '{"v":1,"signal":{"type":"constructor","requestId":"1"}}',
      '{"v":1,"signal":{"type":"cancel","requestId":"1","taskId":"t","from":"w"}}',
      '{"v":1,"signal":{"type":"message","requestId":"1","taskId":"t","from":"w","message":{}}}',
      '{"v":1,"signal":{"type":"reply","requestId":"1","taken":{"seq":1}}}',
    ];
    for (const text of brokenSignals) await admin.spublish('nest-a2a:worker:w', text);
    ends.here.publish(key, batchOf(key, 1, 2));
    ends.here.signal('w', { type: 'reply', requestId: 'good' });
    await heard.until(2);
    await eventually(() => signals.length > 0);
    expect(heard.numbers).toEqual([2]);
    expect(signals).toEqual([{ type: 'reply', requestId: 'good' }]);
    expect(missed - before).toBe(broken.length);
    expect(log.of('warn').filter((line) => line.includes('cannot be read'))).toHaveLength(1);
  });

  it('the headers of a cancel do not go through Redis', async () => {
    const ends = new BusEnds(open(), open());
    const signals = await ends.listen(ends.there, 'v');
    const call = { scopes: [], extensions: [], version: '1.0', headers: { authorization: 'Bearer secret' } };
    ends.here.signal('v', { type: 'cancel', requestId: '1', taskId: 't', from: 'w', metadata: {}, call });
    await eventually(() => signals.length > 0);
    expect(signals[0]).toMatchObject({ call: { headers: {} } });
  });

  it('says that Redis is away once, and never its password', async () => {
    const bus = new RedisTaskEventBus({ url: server.url.replace('//', '//plain:hunter2@') });
    closing.push(() => bus.close());
    const attempts = async () =>
      Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))?.[1]);
    const before = await attempts();
    await bus.onModuleInit();
    await eventually(() => log.of('warn').length > 0);
    // It has tried again since, with both of its connections.
    await eventually(async () => (await attempts()) >= before + 6);
    expect(log.of('warn')).toHaveLength(1);
    expect(log.of('warn')[0]).toContain('Redis is away');
    expect(log.lines.join('\n')).not.toContain('hunter2');
  });

  it("does not close the application's client, and leaves nothing on it", async () => {
    const redis = client();
    const bus = new RedisTaskEventBus({ client: redis });
    await bus.onModuleInit();
    await eventually(() => bus.isConnected());
    await bus.onApplicationShutdown();
    expect(redis.status).toBe('ready');
    expect(redis.listenerCount('ready')).toBe(0);
    expect(await redis.ping()).toBe('PONG');
  });
});

describe('the options of RedisTaskEventBus', () => {
  it.each([
    [{}, 'either "url" or "client"'],
    [{ url: 'redis://h', client: {} }, 'either "url" or "client"'],
    [{ url: 'http://user:hunter2@h' }, '"url" must be'],
    [{ url: 'redis://user:hunter2@h:port' }, '"url" must be'],
    [{ client: {} }, '"client" must be'],
    [{ url: 'redis://h', prefix: '' }, '"prefix" must be'],
    [{ url: 'redis://h', messageSize: 0 }, '"messageSize" must be'],
  ])('%j: %s', (options, message) => {
    const make = () => new RedisTaskEventBus(options as RedisOptions);
    expect(make).toThrow(message);
    expect(make).not.toThrow('hunter2');
  });
});

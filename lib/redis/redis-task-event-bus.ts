import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { within } from '../server/deferred.js';
import { InProcessTaskEventBus } from '../server/in-process-event-bus.js';
import { newId } from '../server/new-id.js';
import {
  TaskEventBus,
  type TaskEventBatch,
  type TaskKey,
  type TaskSignal,
  type Unsubscribe,
} from '../server/task-event-bus.js';
import { MessageWriter, readBatch, readSignal } from './bus-message.js';
import { OutageLog } from './outage-log.js';
import { Outbox } from './outbox.js';
import { RedisConnections } from './redis-connections.js';
import { resolveRedisOptions, type RedisOptions, type ResolvedRedisOptions } from './redis-options.js';
import { Subscriptions } from './subscriptions.js';

/** How long the last messages may take when the application shuts down, milliseconds. */
const CLOSE_TIMEOUT = 1_000;

/** Those who follow one task here. */
interface FollowedTask {
  readonly missed: Set<() => void>;
  followers: number;
}

/**
 * Carries live events and signals of tasks between processes by the publish and subscribe of Redis.
 *
 * It only wakes and fans out: nothing is kept in Redis, the task store is the truth, and while Redis is away
 * followers look there. What this process publishes reaches its own followers directly. Share one bus among the agents of an
 * application: it has two connections, however many streams there are. With a server of Redis 7 or newer it uses sharded channels.
 * A user of Redis with an access list needs `&nest-a2a:*` (the prefix), and `+publish +subscribe +unsubscribe +spublish +ssubscribe +sunsubscribe +command +info +ping`.
 *
 * ```ts
 * A2AModule.forRoot({ eventBus: new RedisTaskEventBus({ url: 'redis://localhost' }), taskStore: SqlTaskStore, … })
 * ```
 *
 * @publicApi
 */
export class RedisTaskEventBus extends TaskEventBus implements OnModuleInit, OnApplicationShutdown {
  readonly #options: ResolvedRedisOptions;
  readonly #local = new InProcessTaskEventBus();
  readonly #writer = new MessageWriter(newId());
  readonly #log = new OutageLog();
  readonly #subscriptions = new Subscriptions(this.#log);
  readonly #outbox = new Outbox((range) => this.#writer.announcement(range), this.#log);
  readonly #followed = new Map<string, FollowedTask>();
  /** The workers of this process, and how many listen for each. */
  readonly #workers = new Map<string, number>();
  #connections: RedisConnections | undefined;
  #opening: Promise<void> | undefined;
  /** How many parts of applications use it: it closes with the last. */
  #users = 0;
  #closed = false;

  /** @throws TypeError if the options say nothing that can be connected to */
  constructor(options: RedisOptions) {
    super();
    this.#options = resolveRedisOptions(options);
  }

  override isConnected(): boolean {
    return !this.#closed && (this.#connections?.isReady() ?? false);
  }

  /** How many channels it listens to. */
  get channels(): number {
    return this.#subscriptions.size;
  }

  override publish(key: TaskKey, batch: TaskEventBatch): void {
    this.#local.publish(key, batch);
    this.#openSoon();
    const channel = this.#taskChannel(key);
    for (const { text, after, last } of this.#writer.events(batch, this.#options.messageSize)) {
      this.#outbox.send({ channel, text, range: { after, last } });
    }
  }

  override follow(
    key: TaskKey,
    listener: (batch: TaskEventBatch) => void,
    missed: () => void = () => undefined,
  ): Unsubscribe {
    this.#openSoon();
    const unfollow = this.#local.follow(key, listener);
    const channel = this.#taskChannel(key);
    const followed = this.#followed.get(channel) ?? this.#listen(channel, key);
    followed.followers += 1;
    followed.missed.add(missed);
    let active = true;
    return () => {
      if (!active) return;
      active = false;
      unfollow();
      followed.missed.delete(missed);
      followed.followers -= 1;
      if (followed.followers > 0) return;
      this.#followed.delete(channel);
      this.#subscriptions.remove(channel);
    };
  }

  override signal(worker: string, signal: TaskSignal): void {
    if (this.#workers.has(worker)) {
      this.#local.signal(worker, signal);
      return;
    }
    this.#openSoon();
    this.#outbox.send({ channel: this.#workerChannel(worker), text: this.#writer.signal(signal) });
  }

  override onSignal(worker: string, listener: (signal: TaskSignal) => void): Unsubscribe {
    this.#openSoon();
    const channel = this.#workerChannel(worker);
    this.#subscriptions.add(channel, {
      message: (text) => {
        const signal = readSignal(text);
        if (signal) this.#local.signal(worker, signal);
        else this.#unreadable();
      },
      missed: () => undefined,
    });
    const unsubscribe = this.#local.onSignal(worker, listener);
    this.#workers.set(worker, (this.#workers.get(worker) ?? 0) + 1);
    let active = true;
    return () => {
      if (!active) return;
      active = false;
      unsubscribe();
      const listeners = (this.#workers.get(worker) ?? 1) - 1;
      if (listeners > 0) this.#workers.set(worker, listeners);
      else this.#workers.delete(worker);
      if (listeners === 0) this.#subscriptions.remove(channel);
    };
  }

  /** @throws Error if the package ioredis is needed and not installed. Whether Redis is there does not matter. */
  async onModuleInit(): Promise<void> {
    this.#users += 1;
    await this.#open();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#users -= 1;
    if (this.#users <= 0) await this.close();
  }

  /** Sends what is under way and closes its connections; Nest does it where the bus belongs to an application. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => undefined);
    await within(CLOSE_TIMEOUT, this.#outbox.settled());
    this.#connections?.close();
  }

  #listen(channel: string, key: TaskKey): FollowedTask {
    const followed: FollowedTask = { missed: new Set(), followers: 0 };
    this.#followed.set(channel, followed);
    const missed = (): void => {
      for (const tell of [...followed.missed]) tell();
    };
    this.#subscriptions.add(channel, {
      missed,
      message: (text) => {
        if (this.#writer.isOwn(text)) return;
        const batch = readBatch(text, key);
        if (batch) {
          this.#local.publish(key, batch);
          return;
        }
        // Whatever it was, the store knows.
        this.#unreadable();
        missed();
      },
    });
    return followed;
  }

  #unreadable(): void {
    this.#log.failed(
      'Messages on the channels in Redis cannot be read',
      'something else publishes on them, or another version of nest-a2a; see the option "prefix"',
    );
  }

  #openSoon(): void {
    if (this.#opening || this.#closed) return;
    this.#open().catch((error: unknown) => {
      this.#log.failed('Redis cannot be used', error);
    });
  }

  #open(): Promise<void> {
    return (this.#opening ??= this.#connect());
  }

  async #connect(): Promise<void> {
    const connections = await RedisConnections.open(this.#options, this.#log);
    this.#connections = connections;
    connections.begin((sharded) => {
      this.#outbox.begin(connections.publisher, sharded);
      this.#subscriptions.begin(connections.subscriber, sharded);
    });
  }

  #taskChannel({ agent, id }: TaskKey): string {
    return `${this.#options.prefix}:task:${encodeURIComponent(agent)}:${id}`;
  }

  #workerChannel(worker: string): string {
    return `${this.#options.prefix}:worker:${worker}`;
  }
}

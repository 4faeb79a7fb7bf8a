import type { OutageLog } from './outage-log.js';
import type { RedisClient } from './redis-options.js';

/** Channels in one command. */
const CHUNK = 500;

/** Whoever wants to know what comes on a channel. */
export interface ChannelListener {
  message(text: string): void;
  /** Messages may have gone by: the subscription has only now begun, or begun again. */
  missed(): void;
}

/** Keeps one connection subscribed to the channels that somebody wants, across losses of it. */
export class Subscriptions {
  readonly #wanted = new Map<string, ChannelListener>();
  /** Those that the server was asked for on the connection as it is. */
  #asked = new Set<string>();
  #client: RedisClient | undefined;
  #sharded = false;
  #isDue = false;

  constructor(private readonly log: OutageLog) {}

  /** How many channels are wanted. */
  get size(): number {
    return this.#wanted.size;
  }

  /** Takes a fresh connection, which is subscribed to nothing. */
  begin(client: RedisClient, sharded: boolean): void {
    if (this.#client !== client) {
      client.on('message', this.#onMessage);
      client.on('smessage', this.#onMessage);
    }
    this.#client = client;
    this.#sharded = sharded;
    this.#asked = new Set();
    this.#flushSoon();
  }

  add(channel: string, listener: ChannelListener): void {
    this.#wanted.set(channel, listener);
    this.#flushSoon();
  }

  remove(channel: string): void {
    this.#wanted.delete(channel);
    this.#flushSoon();
  }

  readonly #onMessage = (channel: string, text: string): void => {
    // A prefix that the application's client puts before keys stands before sharded channels too.
    const { keyPrefix } = this.#client?.options ?? {};
    const name =
      keyPrefix && this.#sharded && channel.startsWith(keyPrefix) ? channel.slice(keyPrefix.length) : channel;
    this.#wanted.get(name)?.message(text);
  };

  /** What is asked for in one tick shares a command. */
  #flushSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#flush();
    });
  }

  #flush(): void {
    const client = this.#client;
    if (client?.status !== 'ready') return;
    const added = [...this.#wanted.keys()].filter((channel) => !this.#asked.has(channel));
    const dropped = [...this.#asked].filter((channel) => !this.#wanted.has(channel));
    for (const channels of this.#chunks(client, added)) void this.#subscribe(client, channels);
    for (const channels of this.#chunks(client, dropped)) void this.#unsubscribe(client, channels);
  }

  async #subscribe(client: RedisClient, channels: readonly string[]): Promise<void> {
    const asked = this.#asked;
    for (const channel of channels) asked.add(channel);
    try {
      await (this.#sharded ? client.ssubscribe(...channels) : client.subscribe(...channels));
    } catch (error) {
      for (const channel of channels) asked.delete(channel);
      if (client.status === 'ready') this.log.failed('Redis refuses a subscription', error);
      return;
    }
    if (asked !== this.#asked) return;
    for (const channel of channels) this.#wanted.get(channel)?.missed();
  }

  async #unsubscribe(client: RedisClient, channels: readonly string[]): Promise<void> {
    for (const channel of channels) this.#asked.delete(channel);
    try {
      await (this.#sharded ? client.sunsubscribe(...channels) : client.unsubscribe(...channels));
    } catch {
      // The connection is gone, and its subscriptions with it.
    }
  }

  /** Of a cluster each sharded channel may be on another node. */
  *#chunks(client: RedisClient, channels: readonly string[]): Iterable<string[]> {
    const size = client.isCluster && this.#sharded ? 1 : CHUNK;
    for (let start = 0; start < channels.length; start += size) yield channels.slice(start, start + size);
  }
}

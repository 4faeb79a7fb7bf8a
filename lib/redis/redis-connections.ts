import type { Cluster } from 'ioredis';
import { optionalPackage } from '../net/optional-package.js';
import type { OutageLog } from './outage-log.js';
import type { RedisClient, ResolvedRedisOptions } from './redis-options.js';

/** Milliseconds between two looks whether a connection still answers, and for how long an answer is waited for. */
const HEARTBEAT = 3_000;

/**
 * Commands are never kept for later: what could not be sent is dropped, since the store has it. Subscriptions are made again by
 * whoever wants them.
 */
const CONNECTION = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times: number) => Math.min(50 * 2 ** times, 2_000),
};

/** The two connections of a process: one that publishes, and one that listens. */
export class RedisConnections {
  #heartbeat: NodeJS.Timeout | undefined;
  #onReady = (): void => undefined;
  /** Whether the connection of the application is the one that publishes. */
  readonly #borrowed: boolean;

  private constructor(
    readonly publisher: RedisClient,
    readonly subscriber: RedisClient,
    { client }: ResolvedRedisOptions,
    private readonly log: OutageLog,
  ) {
    this.#borrowed = client !== undefined;
    for (const own of this.#own) own.on('error', this.#onError);
  }

  /** Opens them; they connect in the background, and again whenever they are lost. */
  static async open(options: ResolvedRedisOptions, log: OutageLog): Promise<RedisConnections> {
    const { url, client } = options;
    if (client) return new RedisConnections(client, listenerOf(client), options, log);
    const { Redis } = await optionalPackage('ioredis', 'Redis', () => import('ioredis'));
    const open = () => new Redis(url ?? '', { ...CONNECTION, connectionName: 'nest-a2a' });
    return new RedisConnections(open(), open(), options, log);
  }

  isReady(): boolean {
    return isReady(this.publisher) && isReady(this.subscriber);
  }

  /** Calls `onReady` whenever both are there, or there again; `sharded` tells whether channels are. */
  begin(onReady: (sharded: boolean) => void): void {
    this.#onReady = () => void this.#greet(onReady);
    for (const client of [this.publisher, this.subscriber]) client.on('ready', this.#onReady);
    this.#onReady();
    this.#heartbeat = setInterval(() => {
      for (const own of this.#own) void this.#check(own);
    }, HEARTBEAT);
    this.#heartbeat.unref();
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.publisher.off('ready', this.#onReady);
    this.subscriber.off('ready', this.#onReady);
    for (const own of this.#own) own.disconnect();
  }

  get #own(): readonly RedisClient[] {
    return this.#borrowed ? [this.subscriber] : [this.publisher, this.subscriber];
  }

  readonly #onError = (error: unknown): void => {
    this.log.lost(error);
  };

  async #greet(onReady: (sharded: boolean) => void): Promise<void> {
    if (!this.isReady()) return;
    const sharded = await hasShardedChannels(this.subscriber);
    if (!this.isReady()) return;
    this.log.back();
    onReady(sharded);
  }

  async #check(client: RedisClient): Promise<void> {
    // A cluster looks after the connections to its nodes by itself.
    if (isCluster(client) || !isReady(client)) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, HEARTBEAT - 500, 'late');
      timer.unref();
    });
    const answer = await Promise.race([client.ping().catch(() => undefined), late]);
    clearTimeout(timer);
    if (answer !== 'late' || !isReady(client)) return;
    this.log.lost(new Error('it does not answer'));
    client.disconnect(true);
  }
}

/** Servers have them since Redis 7; of a cluster the client needs a connection to each node for them. */
async function hasShardedChannels(client: RedisClient): Promise<boolean> {
  if (isCluster(client) && !client.options.shardedSubscribers) return false;
  try {
    const [command] = (await client.call('COMMAND', 'INFO', 'SPUBLISH')) as unknown[];
    return Array.isArray(command);
  } catch {
    // Who may not ask does without.
    return false;
  }
}

/** A connection like the application's, for listening. */
function listenerOf(client: RedisClient): RedisClient {
  return isCluster(client) ? client.duplicate() : client.duplicate(CONNECTION);
}

function isReady({ status }: RedisClient): boolean {
  return status === 'ready';
}

function isCluster(client: RedisClient): client is Cluster {
  return client.isCluster;
}

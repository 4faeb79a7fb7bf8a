import type { Cluster, Redis } from 'ioredis';
import { parseUrl } from '../net/parse-url.js';
import { withoutAbsent } from '../options/absent.js';

/** A client of the package ioredis, for one server or for a cluster. */
export type RedisClient = Redis | Cluster;

/**
 * Where Redis is: a `url` or a `client`, not both.
 *
 * @publicApi
 */
export interface RedisOptions {
  /** Such as `redis://:password@host:6379` or, with TLS, `rediss://…`. Two connections are opened to it. */
  url?: string;
  /**
   * A client of the application. It publishes; one more connection is made from it, which listens. It is not closed with
   * the application. A cluster spreads the load if it was made with `shardedSubscribers: true`.
   */
  client?: RedisClient;
  /**
   * Begins the name of every channel. Channels belong to all databases of a server, so what shares a Redis and must
   * not meet, such as staging and production, needs different prefixes. Default `nest-a2a`.
   */
  prefix?: string;
  /** Characters of a message; events of a task that are larger are announced, and read from the store. Default 65,536. */
  messageSize?: number;
}

/** {@link RedisOptions} with the defaults filled in. */
export interface ResolvedRedisOptions extends Pick<RedisOptions, 'url' | 'client'> {
  readonly prefix: string;
  readonly messageSize: number;
}

/** @throws TypeError naming what is wrong, never with the password of the URL */
export function resolveRedisOptions(options: RedisOptions): ResolvedRedisOptions {
  const { url, client, prefix = 'nest-a2a', messageSize = 65_536 } = withoutAbsent(options);
  if ((url === undefined) === (client === undefined)) {
    throw new TypeError('Redis: give either "url" or "client"');
  }
  if (url !== undefined && !isRedisUrl(url)) {
    throw new TypeError('Redis: "url" must be a URL that starts with redis:// or rediss://');
  }
  if (client !== undefined && typeof (client as Partial<RedisClient>).duplicate !== 'function') {
    throw new TypeError('Redis: "client" must be a client of the package ioredis');
  }
  if (typeof prefix !== 'string' || prefix === '') {
    throw new TypeError('Redis: "prefix" must be a text that is not empty');
  }
  if (!Number.isSafeInteger(messageSize) || messageSize < 1) {
    throw new TypeError('Redis: "messageSize" must be a positive integer');
  }
  return { ...(url !== undefined && { url }), ...(client && { client }), prefix, messageSize };
}

function isRedisUrl(url: unknown): boolean {
  return typeof url === 'string' && /^rediss?:\/\//.test(url) && parseUrl(url) !== undefined;
}

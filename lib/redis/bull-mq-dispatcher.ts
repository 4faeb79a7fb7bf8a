import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { optionalPackage } from '../net/optional-package.js';
import { within } from '../server/deferred.js';
import { TaskDispatcher, type QueuedTurn, type StopWork, type TurnJob } from '../server/task-dispatcher.js';
import { OutageLog } from './outage-log.js';
import { resolveRedisOptions, type RedisOptions, type ResolvedRedisOptions } from './redis-options.js';

/** How long a queue may take to answer, milliseconds: what is not queued by then is found in the store. */
const PATIENCE = 1_000;
/** For how long the number of waiting turns is taken as it was, milliseconds. */
const COUNT_AGE = 50;

/**
 * Where the queue is, and how it is worked on.
 *
 * @publicApi
 */
export interface BullMqDispatcherOptions extends Pick<RedisOptions, 'url' | 'client' | 'prefix'> {
  /** Turns that one process runs at the same time, for each agent. Default 10. */
  concurrency?: number;
  /** The place of a turn among those that wait: 1 is first, 2,097,152 last, 0 before all. Default: in their order. */
  priority?: (turn: QueuedTurn) => number;
}

/** What is loaded when it is first needed. */
interface Packages {
  readonly Queue: typeof Queue;
  readonly Worker: typeof Worker;
  readonly Redis: typeof Redis;
}

/**
 * Brings turns to processes with the role `worker` by BullMQ. A job names a task and an epoch, nothing else: what is to be done
 * is in the task store, and so is who may do it: a job that comes twice or late runs nothing. If Redis comes back empty, or a
 * worker dies with a job that it has not begun, the turns that waited are found in the store.
 *
 * ```ts
 * A2AModule.forRoot({
 *   role: 'api',
 *   dispatcher: new BullMqDispatcher({ url: 'redis://localhost' }),
 *   …
 * })
 * ```
 *
 * @publicApi
 */
export class BullMqDispatcher extends TaskDispatcher implements OnModuleInit, OnApplicationShutdown {
  readonly #options: ResolvedRedisOptions;
  readonly #concurrency: number;
  readonly #priority: BullMqDispatcherOptions['priority'];
  readonly #log = new OutageLog();
  readonly #queues = new Map<string, Promise<Queue>>();
  /** How many turns waited when that was last asked, and how many were queued here since. */
  readonly #counts = new Map<
    string,
    { readonly at: number; readonly count: Promise<number>; added: number }
  >();
  readonly #clients: Redis[] = [];
  #packages: Promise<Packages> | undefined;
  /** How many parts of applications use it: it closes with the last. */
  #users = 0;

  /** @throws TypeError if an option makes no sense */
  constructor({ concurrency = 10, priority, ...redis }: BullMqDispatcherOptions) {
    super();
    this.#options = resolveRedisOptions(redis);
    if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
      throw new TypeError('BullMqDispatcher: "concurrency" must be a positive integer');
    }
    if (this.#options.client?.isCluster) {
      throw new TypeError('BullMqDispatcher: "client" must be one of a single server; give the "url" of one');
    }
    this.#concurrency = concurrency;
    this.#priority = priority;
  }

  override async dispatch(turn: QueuedTurn): Promise<void> {
    const known = this.#counts.get(turn.agent);
    if (known) known.added += 1;
    const added = this.#add(turn);
    added.catch(() => undefined);
    if (!(await within(PATIENCE, added))) throw new Error('Redis does not answer');
  }

  override async waiting(agent: string): Promise<number> {
    const now = Date.now();
    const known = this.#counts.get(agent);
    if (known && now - known.at < COUNT_AGE) return (await known.count) + known.added;
    const count = this.#count(agent);
    count.catch(() => undefined);
    this.#counts.set(agent, { at: now, count, added: 0 });
    return count;
  }

  override work(agent: string, run: (job: TurnJob) => Promise<void>): StopWork {
    const starting = this.#worker(agent, run);
    starting.catch((error: unknown) => {
      this.#log.failed('The queue of turns cannot be worked on', error);
    });
    return async () => {
      const worker = await starting.catch(() => undefined);
      await worker?.close();
    };
  }

  /** @throws Error if a package is not installed. Whether Redis is there does not matter. */
  async onModuleInit(): Promise<void> {
    this.#users += 1;
    await this.#load();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#users -= 1;
    if (this.#users <= 0) await this.close();
  }

  /** Closes its connections; Nest does it where it belongs to an application. */
  async close(): Promise<void> {
    const closing = [...this.#queues.values()].map(async (queue) => (await queue).close());
    await within(PATIENCE, Promise.allSettled(closing));
    for (const client of this.#clients) client.disconnect();
  }

  /** One that waits in the queue still keeps its place, however often it is queued. */
  async #add(turn: QueuedTurn): Promise<Job> {
    const { agent, taskId, epoch } = turn;
    const priority = this.#priority?.(turn);
    const queue = await this.#queue(agent);
    const data = { agent, taskId, epoch };
    const options = {
      jobId: `${taskId}-${epoch}`,
      deduplication: { id: keyOf(turn) },
      ...(priority !== undefined && { priority }),
    };
    const job = await queue.add('turn', data, options);
    if (job.id === options.jobId || !(await job.isActive())) return job;
    // A worker has taken it out and not begun it. That may be dead: so this one comes in its place, as the next.
    await job.removeDeduplicationKey();
    return queue.add('turn', data, { ...options, lifo: true });
  }

  async #count(agent: string): Promise<number> {
    const queue = await this.#queue(agent);
    return (await within(PATIENCE, queue.getJobCountByTypes('wait', 'prioritized'))) ?? 0;
  }

  #queue(agent: string): Promise<Queue> {
    let queue = this.#queues.get(agent);
    if (!queue) this.#queues.set(agent, (queue = this.#open(agent)));
    return queue;
  }

  async #open(agent: string): Promise<Queue> {
    const { Queue } = await this.#load();
    // What cannot be queued now is not queued later: the store has it.
    const connection = await this.#connect({ maxRetriesPerRequest: 0, enableOfflineQueue: false });
    const queue = new Queue(queueName(agent), {
      connection,
      prefix: this.#options.prefix,
      skipWaitingForReady: true,
      skipVersionCheck: true,
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    });
    queue.on('error', this.#onError);
    if (connection.status !== 'ready')
      await within(
        PATIENCE,
        once(connection, 'ready').catch(() => undefined),
      );
    return queue;
  }

  async #worker(agent: string, run: (job: TurnJob) => Promise<void>): Promise<Worker> {
    const { Worker } = await this.#load();
    const connection = await this.#connect({ maxRetriesPerRequest: null });
    const worker = new Worker(
      queueName(agent),
      async ({ data }: Job) => {
        const job = readJob(data, agent);
        if (job) await run(job);
      },
      {
        connection,
        prefix: this.#options.prefix,
        concurrency: this.#concurrency,
        // What its worker has left comes back, and runs what waits still.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        skipVersionCheck: true,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
    );
    worker.on('error', this.#onError);
    return worker;
  }

  /** BullMQ wants a client of its own for each queue and worker. */
  async #connect(options: {
    maxRetriesPerRequest: number | null;
    enableOfflineQueue?: boolean;
  }): Promise<Redis> {
    const { url, client } = this.#options;
    const { Redis } = await this.#load();
    const settings = { ...options, keyPrefix: '', connectionName: 'nest-a2a' };
    const own = client ? (client as Redis).duplicate(settings) : new Redis(url ?? '', settings);
    own.on('error', this.#onError);
    this.#clients.push(own);
    return own;
  }

  readonly #onError = (error: unknown): void => {
    this.#log.failed('The queue of turns is away; turns wait in the task store meanwhile', error);
  };

  #load(): Promise<Packages> {
    return (this.#packages ??= loadPackages());
  }
}

async function loadPackages(): Promise<Packages> {
  const [{ Queue, Worker }, { Redis }] = await Promise.all([
    optionalPackage('bullmq', 'BullMqDispatcher', () => import('bullmq')),
    optionalPackage('ioredis', 'BullMqDispatcher', () => import('ioredis')),
  ]);
  return { Queue, Worker, Redis };
}

/** Of one turn always the same. */
function keyOf({ taskId, message }: QueuedTurn): string {
  return `${taskId}-${createHash('sha256').update(message.messageId).digest('hex').slice(0, 16)}`;
}

/** A queue's name must have no colon. */
function queueName(agent: string): string {
  return `turns-${encodeURIComponent(agent)}`;
}

/** A job as it was queued; whatever else is in the queue is done with. */
function readJob(data: unknown, agent: string): TurnJob | undefined {
  const { taskId, epoch } = (data ?? {}) as Partial<TurnJob>;
  return typeof taskId === 'string' && Number.isSafeInteger(epoch)
    ? { agent, taskId, epoch: epoch ?? 0 }
    : undefined;
}

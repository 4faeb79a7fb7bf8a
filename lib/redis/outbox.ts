import type { OutageLog } from './outage-log.js';
import type { RedisClient } from './redis-options.js';

/** Characters that may be under way to Redis; what comes on top is dropped. */
const UNDER_WAY = 16 * 1024 * 1024;
/** Channels of which it is known that something was dropped. */
const DROPPED_CHANNELS = 10_000;

/** One message for a channel. */
export interface Outgoing {
  readonly channel: string;
  readonly text: string;
  /** Of a task's events: from where to where they go, so that they can be announced if they are dropped. */
  readonly range?: EventRange;
}

/** The numbers of events: those above `after`, up to `last`. */
export interface EventRange {
  readonly after: number;
  readonly last: number;
}

/**
 * Sends messages, those of one tick together. What cannot be sent is dropped; of events it remembers that they were, and
 * announces them when Redis is back.
 */
export class Outbox {
  #client: RedisClient | undefined;
  #sharded = false;
  #next: Outgoing[] = [];
  #size = 0;
  #isDue = false;
  readonly #sending = new Set<Promise<void>>();
  readonly #dropped = new Map<string, EventRange>();

  constructor(
    private readonly announcement: (range: EventRange) => string,
    private readonly log: OutageLog,
  ) {}

  /** Redis is there, or there again. */
  begin(client: RedisClient, sharded: boolean): void {
    this.#client = client;
    this.#sharded = sharded;
    this.#announceDropped();
  }

  send(message: Outgoing): void {
    if (this.#client?.status !== 'ready' || this.#size + message.text.length > UNDER_WAY) {
      this.#drop(message);
      return;
    }
    this.#size += message.text.length;
    this.#next.push(message);
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#flush();
    });
  }

  /** Resolves when everything was sent, or could not be. */
  async settled(): Promise<void> {
    if (this.#isDue) this.#flush();
    await Promise.all(this.#sending);
  }

  #flush(): void {
    this.#isDue = false;
    const client = this.#client;
    const messages = this.#next;
    this.#next = [];
    if (!client || messages.length === 0) return;
    const sending = this.#transmit(client, messages).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #transmit(client: RedisClient, messages: readonly Outgoing[]): Promise<void> {
    const failures = await failuresOf(client, this.#sharded, messages);
    for (const { text } of messages) this.#size -= text.length;
    for (const [index, message] of messages.entries()) if (failures[index]) this.#drop(message);
    const failure = failures.find((each) => each !== null);
    if (failure) {
      if (client.status === 'ready') this.log.failed('Redis refuses what is published', failure);
    } else if (this.#dropped.size > 0) this.#announceDropped();
  }

  #drop({ channel, range }: Outgoing): void {
    if (!range) return;
    const before = this.#dropped.get(channel);
    this.#dropped.delete(channel);
    this.#dropped.set(channel, {
      after: Math.min(before?.after ?? range.after, range.after),
      last: range.last,
    });
    const [oldest] = this.#dropped.keys();
    if (this.#dropped.size > DROPPED_CHANNELS && oldest !== undefined) this.#dropped.delete(oldest);
  }

  #announceDropped(): void {
    const dropped = [...this.#dropped];
    this.#dropped.clear();
    for (const [channel, range] of dropped) this.send({ channel, text: this.announcement(range), range });
  }
}

type Failure = Error | null;

/** What came of each message. */
async function failuresOf(
  client: RedisClient,
  sharded: boolean,
  messages: readonly Outgoing[],
): Promise<readonly Failure[]> {
  if (client.isCluster) {
    const sent = messages.map(({ channel, text }) =>
      sharded ? client.spublish(channel, text) : client.publish(channel, text),
    );
    return (await Promise.allSettled(sent)).map((result) =>
      result.status === 'rejected' ? asError(result.reason) : null,
    );
  }
  const pipeline = client.pipeline();
  for (const { channel, text } of messages) {
    if (sharded) pipeline.spublish(channel, text);
    else pipeline.publish(channel, text);
  }
  try {
    return ((await pipeline.exec()) ?? []).map(([error]) => error);
  } catch (error) {
    return messages.map(() => asError(error));
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

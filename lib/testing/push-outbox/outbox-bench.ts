import { setTimeout as sleep } from 'node:timers/promises';
import type { FailedDelivery } from '../../push/outbox/dead-letter.js';
import type { ClaimedWebhook, ClaimRequest, PushOutbox } from '../../push/outbox/push-outbox.js';
import type { PushConfigRecord } from '../../push/push-notification-config-store.js';
import type { TaskStore } from '../../server/task-store.js';
import { TaskWriter } from '../task-store/task-writer.js';

/**
 * The two stores that an outbox is about.
 *
 * @publicApi
 */
export interface OutboxStores {
  /** Its puts raise what webhooks have yet to hear of. */
  readonly tasks: TaskStore;
  readonly outbox: PushOutbox;
}

/** Cases by what they promise. */
export type OutboxCases = Record<string, (bench: OutboxBench) => Promise<void>>;

/** Milliseconds that no test lasts. */
export const LONG = 60_000;

/** What tests of an outbox do over and over. */
export class OutboxBench {
  readonly tasks: TaskStore;
  readonly outbox: PushOutbox;

  constructor(
    stores: OutboxStores,
    readonly agent: string,
  ) {
    this.tasks = stores.tasks;
    this.outbox = stores.outbox;
  }

  /** A new task whose only event is that it was made. */
  task(): Promise<TaskWriter> {
    return TaskWriter.create(this.tasks, { agent: this.agent });
  }

  /** Keeps a webhook of a task. */
  async webhook(taskId: string, id = 'c', url = 'https://hook.example.com/path'): Promise<PushConfigRecord> {
    const record = { agent: this.agent, config: { id, taskId, url }, version: '1.0' };
    await this.outbox.put(record, 100);
    return record;
  }

  /** Claims as a worker that is alive for `lease` milliseconds. */
  async claim(
    worker: string,
    request: Partial<ClaimRequest> = {},
    lease = LONG,
  ): Promise<readonly ClaimedWebhook[]> {
    await this.outbox.renew(this.agent, worker, lease);
    return this.outbox.claim(this.agent, worker, { limit: 10, ...request });
  }

  /** Claims one webhook, waiting for it. */
  async claimOne(worker: string, lease?: number): Promise<ClaimedWebhook> {
    for (;;) {
      const [claimed] = await this.claim(worker, {}, lease);
      if (claimed) return claimed;
      await sleep(2);
    }
  }

  advance(
    worker: string,
    claim: ClaimedWebhook,
    seq: number,
    failed?: FailedDelivery,
  ): Promise<ClaimedWebhook | undefined> {
    return this.outbox.advance(worker, claim, seq, failed);
  }
}

import { Injectable } from '@nestjs/common';
import type { DeadLetterPage, DeadLetterQuery, FailedDelivery } from '../../push/outbox/dead-letter.js';
import { PushOutbox, type ClaimedWebhook, type ClaimRequest } from '../../push/outbox/push-outbox.js';
import type { PushConfigPage, PushConfigRecord } from '../../push/push-notification-config-store.js';
import type { Scope } from '../../server/task-scope.js';
import type { TaskStore } from '../../server/task-store.js';
import { A2ADatabase } from '../a2a-database.js';
import { SqlTaskStore } from '../tasks/sql-task-store.js';
import { DeadLetterTable } from './dead-letter-table.js';
import { WebhookClaims } from './webhook-claims.js';
import { WebhookProgress } from './webhook-progress.js';
import { WebhookTable } from './webhook-table.js';

/** A webhook whose task is not there after so long never gets one. */
const ORPHANED = 3_600_000;

/**
 * Webhooks in an {@link A2ADatabase}, the one that has their tasks too: what they are to be told of outlives the process, and
 * several processes share the work.
 *
 * It holds tokens and credentials as they are, since webhooks are called with them.
 *
 * @publicApi
 */
@Injectable()
export class SqlPushNotificationConfigStore extends PushOutbox {
  readonly #webhooks: WebhookTable;
  readonly #claims: WebhookClaims;
  readonly #progress: WebhookProgress;
  readonly #letters: DeadLetterTable;

  constructor(private readonly database: A2ADatabase) {
    super();
    this.#webhooks = new WebhookTable(database);
    this.#claims = new WebhookClaims(database);
    this.#progress = new WebhookProgress(database);
    this.#letters = new DeadLetterTable(database);
  }

  /** Only of what is in the same database. A durable store of another class may be one around it. */
  override hearsOf(tasks: TaskStore): boolean {
    return tasks instanceof SqlTaskStore ? tasks.database === this.database : tasks.durable;
  }

  override put(record: PushConfigRecord, limit: number): Promise<void> {
    return this.#webhooks.put(record, limit);
  }

  override get(taskId: string, id: string, scope: Scope): Promise<PushConfigRecord | undefined> {
    return this.#webhooks.get(taskId, id, scope);
  }

  override list(
    taskId: string,
    scope: Scope,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<PushConfigPage> {
    return this.#webhooks.page(taskId, scope, page);
  }

  override remove(taskId: string, id: string | undefined, scope: Scope): Promise<void> {
    return this.#webhooks.remove(taskId, id, scope);
  }

  override renew(agent: string, worker: string, lease: number): Promise<readonly ClaimedWebhook[]> {
    return this.#claims.renew(agent, worker, lease);
  }

  override claim(agent: string, worker: string, request: ClaimRequest): Promise<readonly ClaimedWebhook[]> {
    return this.#claims.claim(agent, worker, request);
  }

  override advance(
    worker: string,
    claim: ClaimedWebhook,
    seq: number,
    failed?: FailedDelivery,
  ): Promise<ClaimedWebhook | undefined> {
    return this.#progress.advance(worker, claim, seq, failed);
  }

  override release(_agent: string, worker: string): Promise<void> {
    return this.#claims.release(worker);
  }

  override deadLetters(agent: string, query: DeadLetterQuery): Promise<DeadLetterPage> {
    return this.#letters.page(agent, query);
  }

  override resendDeadLetter(agent: string, id: string): Promise<boolean> {
    return this.#letters.resend(agent, id);
  }

  override removeDeadLetter(agent: string, id: string): Promise<boolean> {
    return this.#letters.remove(agent, id);
  }

  override async sweep(agent: string, age: number): Promise<void> {
    const now = this.database.now();
    await this.#letters.removeBefore(agent, now - age);
    await this.#webhooks.removeOrphans(agent, now - ORPHANED);
  }
}

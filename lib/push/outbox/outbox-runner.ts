import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import { within } from '../../server/deferred.js';
import { newId } from '../../server/new-id.js';
import type { StoredRange, TaskNotice } from '../../server/push-notifications.js';
import type { TaskStore } from '../../server/task-store.js';
import type { Deliveries } from '../deliveries.js';
import type { PushConfigRecord } from '../push-notification-config-store.js';
import type { PushNotificationSender } from '../push-notification-sender.js';
import { OutboxLanes } from './outbox-lanes.js';
import type { PushOutbox } from './push-outbox.js';
import { RepeatedWork } from './repeated-work.js';
import { StoreOutage } from './store-outage.js';

/** What a runner works with. */
export interface OutboxRunnerParts {
  /** The name of the agent. */
  readonly agent: string;
  readonly outbox: PushOutbox;
  readonly tasks: TaskStore;
  readonly sender: PushNotificationSender;
  readonly logger: Logger;
}

/** How a runner works. Times are milliseconds. */
export interface OutboxRunnerOptions {
  readonly payload: 'task' | 'event';
  readonly maxWaiting: number;
  readonly pollInterval: number;
  readonly claimLease: number;
  readonly claimedWebhooks: number;
  readonly deadLetterAge: number;
}

const SWEEP_INTERVAL = 3_600_000;

/** Tasks that one claim names. */
const TASKS_PER_CLAIM = 500;

/**
 * Delivers from an outbox: claims webhooks that have not heard everything, and gives each a lane of its own. What this process
 * changes it goes after at once; a poll finds what others have left.
 */
export class OutboxRunner implements Deliveries {
  readonly #worker = newId();
  readonly #lanes: OutboxLanes;
  /** Tasks whose webhooks are to be claimed next. */
  readonly #wanted = new Set<string>();
  /** Whether the webhooks of any task are. */
  #wantsAny = false;
  /** Whether the lease is to be renewed before anything else. */
  #wantsLease = true;
  /** Until when others leave alone what is claimed here, milliseconds since 1970. */
  #leaseUntil = 0;
  #working: Promise<void> | undefined;
  /** `ending` goes on with what this process has made itself; `over` does nothing more. */
  #stage: 'running' | 'ending' | 'over' = 'running';
  readonly #outage: StoreOutage;
  readonly #poll: RepeatedWork;
  readonly #renewal: RepeatedWork;
  readonly #sweeping: RepeatedWork;

  constructor(
    private readonly parts: OutboxRunnerParts,
    private readonly options: OutboxRunnerOptions,
  ) {
    const { agent, outbox, logger } = parts;
    const { pollInterval, claimLease, deadLetterAge } = options;
    const outage = new StoreOutage(logger);
    this.#outage = outage;
    this.#lanes = new OutboxLanes({ ...parts, outage, worker: this.#worker }, options, (taskId, again) => {
      if (again) this.#wanted.add(taskId);
      void this.#work();
    });
    this.#poll = new RepeatedWork(pollInterval, () => this.#claimAny());
    this.#renewal = new RepeatedWork(claimLease / 3, () => {
      this.#wantsLease = true;
      return this.#work();
    });
    this.#sweeping = new RepeatedWork(SWEEP_INTERVAL, async () => {
      await outage.attempt(() => outbox.sweep(agent, deadLetterAge));
    });
  }

  /** How many webhooks are delivered to here. */
  get size(): number {
    return this.#lanes.size;
  }

  get outbox(): PushOutbox {
    return this.parts.outbox;
  }

  start(): void {
    this.look();
    this.#poll.start();
    this.#renewal.start();
    this.#sweeping.start();
  }

  /** Looks for what waits, whoever has left it. */
  look(): void {
    void this.#claimAny();
  }

  deliver(
    taskId: string,
    notices: readonly TaskNotice[],
    webhooks: readonly PushConfigRecord[],
    range?: StoredRange,
  ): void {
    if (range) this.#lanes.remember(taskId, notices, range);
    if (this.#lanes.overtake(taskId) >= webhooks.length) return;
    this.#wanted.add(taskId);
    void this.#work();
  }

  drop({ config }: PushConfigRecord): void {
    this.#lanes.find(config.taskId, config.id)?.stop();
  }

  isBusy(taskId: string): boolean {
    return this.#lanes.of(taskId).length > 0;
  }

  revise(taskId: string, webhooks: readonly PushConfigRecord[]): void {
    for (const lane of this.#lanes.of(taskId)) {
      const record = webhooks.find(({ config }) => config.id === lane.record.config.id);
      if (record) lane.revise(record);
      else lane.stop();
    }
  }

  async drain(ms: number): Promise<void> {
    this.#stage = 'ending';
    this.#wantsAny = false;
    this.#poll.stop();
    this.#sweeping.stop();
    await within(ms, this.#settle());
    this.#renewal.stop();
    // A store that is away does not hold up the end.
    await within(1_000, this.#giveBack());
  }

  /** Resolves when nothing that this process knows of waits. */
  async #settle(): Promise<void> {
    while (this.#working !== undefined || this.#lanes.size > 0) {
      await (this.#working ?? this.#lanes.next());
    }
  }

  async #giveBack(): Promise<void> {
    const { agent, outbox } = this.parts;
    this.#stage = 'over';
    await this.#working;
    this.#lanes.stop();
    // What was aborted gets the chance to end.
    await nextTurn();
    if (this.#leaseUntil > 0) await this.#outage.attempt(() => outbox.release(agent, this.#worker));
  }

  #claimAny(): Promise<void> {
    this.#wantsAny = this.#stage === 'running';
    return this.#work();
  }

  /** Asks the outbox for one thing after another, as long as something is wanted. */
  #work(): Promise<void> {
    return (this.#working ??= this.#workOff());
  }

  async #workOff(): Promise<void> {
    // The tasks that change in one turn of the event loop share one claim.
    await nextTurn();
    while (this.#stage !== 'over' && (this.#wantsLease || this.#wanted.size > 0 || this.#wantsAny)) {
      if (!(await this.#workOn())) break;
    }
    // At once: what is wanted from now on must not rely on what has ended.
    this.#working = undefined;
  }

  /** Tells whether it makes sense to go on. */
  async #workOn(): Promise<boolean> {
    if (this.#wantsLease || this.#leaseUntil <= Date.now()) {
      this.#wantsLease = false;
      await this.#renew();
      // Without a lease nothing that is claimed would be safe. The poll comes back to it.
      return this.#leaseUntil > Date.now();
    }
    const limit = this.options.claimedWebhooks - this.#lanes.size;
    // The end of a lane comes back to it.
    if (limit > 0) await this.#claim(limit);
    return limit > 0;
  }

  async #renew(): Promise<void> {
    const { agent, outbox } = this.parts;
    const { claimLease } = this.options;
    await this.#lanes.compare(async () => {
      const until = Date.now() + claimLease;
      const held = await this.#outage.attempt(() => outbox.renew(agent, this.#worker, claimLease));
      if (held) this.#leaseUntil = until;
      return held?.value;
    });
  }

  async #claim(limit: number): Promise<void> {
    const { agent, outbox } = this.parts;
    const taskIds = [...this.#wanted].slice(0, TASKS_PER_CLAIM);
    for (const taskId of taskIds) this.#wanted.delete(taskId);
    const wanted = this.#wantsAny ? {} : { taskIds };
    this.#wantsAny = false;
    const claimed = await this.#outage.attempt(() => outbox.claim(agent, this.#worker, { limit, ...wanted }));
    for (const claim of claimed?.value ?? []) this.#lanes.open(claim);
    for (const taskId of taskIds) this.#lanes.tidy(taskId);
    // There may be more. Where it failed, the poll comes back to it.
    if (claimed?.value.length === limit) this.#wantsAny = this.#stage === 'running';
  }
}

import type { Logger } from '@nestjs/common';
import { getOrMake } from '../../server/get-or-make.js';
import type { StoredRange, TaskNotice } from '../../server/push-notifications.js';
import type { TaskStore } from '../../server/task-store.js';
import { traceOf } from '../../server/thrown-value.js';
import { undelivered } from '../delivery-errors.js';
import type { PushNotificationSender } from '../push-notification-sender.js';
import { ChangeLog } from './change-log.js';
import { OutboxLane } from './outbox-lane.js';
import type { ClaimedWebhook, PushOutbox } from './push-outbox.js';
import { RecentChanges } from './recent-changes.js';
import type { StoreOutage } from './store-outage.js';

/** What lanes work with. */
export interface LanesParts {
  readonly agent: string;
  readonly worker: string;
  readonly outbox: PushOutbox;
  readonly tasks: TaskStore;
  readonly sender: PushNotificationSender;
  readonly outage: StoreOutage;
  readonly logger: Logger;
}

/** What is known here of a task that is delivered. */
interface KnownTask {
  readonly lanes: Map<string, OutboxLane>;
  readonly recent: RecentChanges;
}

/** The lanes of the webhooks that this process has claimed, by their tasks. */
export class OutboxLanes {
  readonly #tasks = new Map<string, KnownTask>();
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly parts: LanesParts,
    private readonly options: {
      readonly payload: 'task' | 'event';
      readonly maxWaiting: number;
    },
    /** Told when a lane has ended; `again` if its task has changed meanwhile. */
    private readonly onEnd: (taskId: string, again: boolean) => void,
  ) {}

  get size(): number {
    return this.#running.size;
  }

  of(taskId: string): OutboxLane[] {
    return [...(this.#tasks.get(taskId)?.lanes.values() ?? [])];
  }

  find(taskId: string, configId: string): OutboxLane | undefined {
    return this.of(taskId).find(({ record }) => record.config.id === configId);
  }

  /** Keeps changes that were made here at hand for the lanes of the task. */
  remember(taskId: string, notices: readonly TaskNotice[], range: StoredRange): void {
    this.#taskOf(taskId).recent.add(notices, range);
  }

  /** Tells the lanes of a task that it has changed; gives how many there are. */
  overtake(taskId: string): number {
    const lanes = this.of(taskId);
    for (const lane of lanes) lane.isOvertaken = true;
    return lanes.length;
  }

  /** Starts a lane, unless the webhook has one. */
  open(claim: ClaimedWebhook): void {
    const { taskId } = claim.record.config;
    const { lanes } = this.#taskOf(taskId);
    if (lanes.has(claim.uid)) return;
    const lane = this.#laneOf(claim, taskId);
    lanes.set(claim.uid, lane);
    const running = this.#run(lane, taskId).finally(() => {
      this.#running.delete(running);
      lanes.delete(claim.uid);
      if (!lane.isOvertaken) this.tidy(taskId);
      this.onEnd(taskId, lane.isOvertaken);
    });
    this.#running.add(running);
  }

  /** Forgets a task that no lane is for. */
  tidy(taskId: string): void {
    if (this.#tasks.get(taskId)?.lanes.size === 0) this.#tasks.delete(taskId);
  }

  /** Resolves when one of the lanes has ended. */
  next(): Promise<void> {
    return Promise.race(this.#running);
  }

  /** Stops all. */
  stop(): void {
    for (const lane of this.#all()) lane.stop();
  }

  /**
   * What the store says is claimed, asked for now: lanes are set right by it. No lane is to be opened in between, so what has none is a
   * claim whose answer went missing.
   */
  async compare(ask: () => Promise<readonly ClaimedWebhook[] | undefined>): Promise<void> {
    const before = new Map(this.#all().map((lane) => [lane.uid, { lane, revision: lane.revision }]));
    const held = await ask();
    if (!held) return;
    const claims = new Map(held.map((claim) => [claim.uid, claim]));
    for (const [uid, { lane, revision }] of before) {
      const claim = claims.get(uid);
      if (!claim) lane.stop();
      else if (lane.revision === revision) lane.revise(claim.record);
    }
    for (const claim of held) if (!before.has(claim.uid)) this.open(claim);
  }

  async #run(lane: OutboxLane, taskId: string): Promise<void> {
    try {
      await lane.run();
    } catch (error) {
      // Its claim runs out, and the webhook is claimed again.
      if (!lane.isStopped) this.parts.logger.error(`Task ${taskId}: a delivery broke off`, traceOf(error));
    }
  }

  #laneOf(claim: ClaimedWebhook, taskId: string): OutboxLane {
    const { agent, worker, outbox, tasks, sender, outage, logger } = this.parts;
    const { payload, maxWaiting } = this.options;
    const log = new ChangeLog(tasks, agent, taskId, payload === 'task');
    return new OutboxLane(claim, {
      sender,
      maxBehind: payload === 'task' ? maxWaiting : Infinity,
      next: async (after, target, signal) =>
        this.#tasks.get(taskId)?.recent.next(after) ?? outage.bridge(() => log.next(after, target), signal),
      advance: (held, seq, failed, signal) =>
        outage.bridge(() => outbox.advance(worker, held, seq, failed), signal),
      gaveUp: (notification, error) => {
        logger.warn(`${undelivered(notification, error)}; it is kept as a dead letter`);
      },
    });
  }

  #taskOf(taskId: string): KnownTask {
    return getOrMake(this.#tasks, taskId, () => ({
      lanes: new Map<string, OutboxLane>(),
      recent: new RecentChanges(this.options.maxWaiting),
    }));
  }

  #all(): OutboxLane[] {
    return [...this.#tasks.values()].flatMap(({ lanes }) => [...lanes.values()]);
  }
}

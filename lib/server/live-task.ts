import { isTerminal, type Task, type TaskState } from '../protocol/index.js';
import { ChangeAnnouncer } from './change-announcer.js';
import { contentSize } from './content-size.js';
import { Deferred } from './deferred.js';
import { PauseWaiters, type PauseListener } from './pause-waiters.js';
import type { TaskNotifier } from './push-notifications.js';
import { RecordWriter, type RecordTarget } from './record-writer.js';
import type { TaskChange } from './task-changes.js';
import type { TaskEventBus } from './task-event-bus.js';
import { isAtWork, type TaskRecord } from './task-record.js';
import type { TaskScope } from './task-scope.js';

/** What goes into the store with the next put. */
interface Batch {
  readonly changes: TaskChange[];
  readonly stored: Deferred<void>;
  /** Whether nobody drives the task once this is stored. */
  endsRun: boolean;
  /** Characters of its content. */
  size: number;
}

/** What a live task changes its task with. */
export interface LiveTaskParts extends RecordTarget {
  readonly bus: TaskEventBus;
  /** Tells the webhooks of the task; absent where the agent has no push notifications. */
  readonly notifier?: TaskNotifier | undefined;
  /** Told when the store refuses for good: the turn must stop. */
  readonly onFailure?: (error: Error) => void;
}

/**
 * A task that is driven here. Its changes go one after another: fold, put, publish. One put is in flight; what
 * comes meanwhile joins the next, so the store sees few large writes and followers nothing that it does not have.
 */
export class LiveTask {
  readonly scope: TaskScope;
  readonly id: string;
  readonly contextId: string;
  readonly #writer: RecordWriter;
  readonly #announcer: ChangeAnnouncer;
  /** The changes that the next put will hold, and those in the put under way. */
  #next: Batch | undefined;
  #writing: Batch | undefined;
  #pumping = false;
  #failure: Error | undefined;
  #isStored: boolean;
  #accepted = 0;
  #stored = 0;
  #state: TaskState;
  readonly #waiters = new PauseWaiters();
  /** The task before its first event, while it is not visible. */
  #unborn: Task | undefined;
  /**
   * Asked before the task is stored for the first time, if the lease that it began under is over by then: others may have
   * begun it anew. It rejects if so.
   */
  mayAppear: (() => Promise<void>) | undefined;
  /** The task is stored for the first time: from here on operations see it. */
  readonly appeared = new Deferred<void>();

  constructor(
    origin: TaskRecord,
    private readonly parts: LiveTaskParts,
  ) {
    const { agent, tenant, owner, task } = origin;
    this.scope = { agent, ...(tenant !== undefined && { tenant }), ...(owner !== undefined && { owner }) };
    this.id = task.id;
    this.contextId = task.contextId ?? '';
    this.#writer = new RecordWriter(origin, this.scope, parts);
    this.#announcer = new ChangeAnnouncer({ agent, id: task.id }, origin.seq, parts.bus, parts.notifier);
    this.#state = task.status.state;
    this.#isStored = origin.version > 0;
    this.#unborn = this.#isStored ? undefined : task;
  }

  get notifier(): TaskNotifier | undefined {
    return this.parts.notifier;
  }

  /** Whether any operation can see the task. */
  get visible(): boolean {
    return this.#unborn === undefined;
  }

  /** The state with every accepted change, stored or not. */
  get state(): TaskState {
    return this.#state;
  }

  get ended(): boolean {
    return isTerminal(this.#state);
  }

  get epoch(): number {
    return this.#writer.epoch;
  }

  /** Whether an agent is at work on the task, or was when its process went away. */
  get isAtWork(): boolean {
    return isAtWork(this.#writer.run, this.#state);
  }

  /** Whether the store has the task. */
  get isStored(): boolean {
    return this.#isStored;
  }

  /** Number of the last stored event. */
  get seq(): number {
    return this.#writer.seq;
  }

  /** How many changes wait for the store. */
  get queued(): number {
    return this.#next?.changes.length ?? 0;
  }

  /** How much content waits for the store, in characters. */
  get queuedSize(): number {
    return this.#next?.size ?? 0;
  }

  /** The task as the store has it. */
  snapshot(): Task {
    return this.#writer.snapshot();
  }

  /** Makes the task visible if it is not; resolves with the task as it stood before its first event. */
  async appear(): Promise<Task> {
    const task = this.#unborn;
    if (!task) return this.snapshot();
    await (this.#beBorn(task)?.promise ?? rejected(this.#failure));
    return task;
  }

  /** Accepts a change; resolves when it is stored. `endsRun`: nobody drives the task any more after it. */
  change(change: TaskChange, endsRun = false): Promise<void> {
    if (this.#unborn) this.#beBorn(this.#unborn);
    return this.#accept(change, endsRun)?.promise ?? rejected(this.#failure);
  }

  /** Accepts a change that nobody waits for; {@link settled} tells when it is stored. */
  queue(change: TaskChange): void {
    if (this.#unborn) this.#beBorn(this.#unborn);
    if (!this.#accept(change, false)) throw this.#failure ?? new Error('The task cannot be stored');
  }

  /** Records that nobody drives the task any more; resolves when that is stored. */
  release(): Promise<void> {
    if (this.#failure !== undefined || !this.visible) return Promise.resolve();
    const batch = this.#batch();
    batch.endsRun = true;
    this.#pump();
    return batch.stored.promise;
  }

  /** Resolves when everything accepted so far is stored. */
  settled(): Promise<void> {
    return (this.#next ?? this.#writing)?.stored.promise ?? Promise.resolve();
  }

  /**
   * Settles `paused` with the task when it next reaches a terminal or interrupted state by a change accepted from now
   * on, or with why it never will.
   */
  nextPause(paused: PauseListener): void {
    if (this.#failure !== undefined) paused.reject(this.#failure);
    else this.#waiters.add(this.#accepted, paused);
  }

  #beBorn(task: Task): Deferred<void> | undefined {
    this.#unborn = undefined;
    return this.#accept({ task }, false);
  }

  /** Takes a change into the next put; nothing if the task cannot be stored any more. */
  #accept(change: TaskChange, endsRun: boolean): Deferred<void> | undefined {
    if (this.#failure !== undefined) return undefined;
    const batch = this.#batch();
    batch.changes.push(change);
    batch.endsRun ||= endsRun;
    batch.size += contentSize(change);
    this.#accepted += 1;
    if ('statusUpdate' in change) this.#state = change.statusUpdate.status.state;
    this.#pump();
    return batch.stored;
  }

  #batch(): Batch {
    return (this.#next ??= { changes: [], stored: new Deferred(), endsRun: false, size: 0 });
  }

  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    void this.#drain();
  }

  async #drain(): Promise<void> {
    // The rest of the tick may bring more changes: they share the put.
    await Promise.resolve();
    while (this.#next) {
      const batch = this.#next;
      this.#next = undefined;
      this.#writing = batch;
      try {
        await this.#write(batch);
      } catch (error) {
        this.#fail(error instanceof Error ? error : new Error(String(error)), batch);
        break;
      }
    }
    this.#writing = undefined;
    this.#pumping = false;
  }

  async #write(batch: Batch): Promise<void> {
    if (this.#writer.isNew) {
      const isLate = (this.#writer.run?.leaseUntil ?? 0) <= Date.now();
      if (isLate) await this.mayAppear?.();
      const kept = this.notifier?.appearing();
      if (kept) await kept;
    }
    const folded = await this.#writer.put(batch, () => this.#announcer.showsTask);
    this.#isStored = true;
    this.appeared.resolve();
    const before = this.#stored;
    this.#stored += batch.changes.length;
    const announced = this.#announcer.announce(batch.changes, folded, batch.size, () =>
      this.#writer.moment(),
    );
    if (announced) await announced;
    batch.stored.resolve();
    this.#waiters.stored(batch.changes, before, () => this.snapshot());
  }

  /** The task is out of our hands: nothing more is stored, and whoever waits for it is told so. */
  lose(error: Error): void {
    this.#fail(error, this.#writing);
  }

  #fail(error: Error, batch: Batch | undefined): void {
    // What was being written when the task was lost says so again.
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.appeared.reject(error);
    batch?.stored.reject(error);
    this.#next?.stored.reject(error);
    this.#next = undefined;
    this.#waiters.fail(error);
    this.parts.onFailure?.(error);
  }
}

function rejected(error = new Error('The task cannot be stored')): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => undefined);
  return promise;
}

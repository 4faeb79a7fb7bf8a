import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  FoldedTask,
  isTerminal,
  type Task,
  type TaskEvent,
  type TaskMoment,
  type TaskState,
} from '../protocol/index.js';
import { Deferred } from './deferred.js';
import { contentSize } from './content-size.js';
import { LiveRecord } from './live-record.js';
import { PauseWaiters, type PauseListener } from './pause-waiters.js';
import { PublishedEvent } from './published-event.js';
import type { StoredRange, TaskNotifier } from './push-notifications.js';
import { StaleRunError, StoreUnavailableError, TaskVersionConflictError } from './store-errors.js';
import type { TaskEventBus, TaskKey } from './task-event-bus.js';
import { afterEvent, isAtWork, type TaskRecord, type TaskRun } from './task-record.js';
import type { TaskScope } from './task-scope.js';
import { systemScope } from './task-scope.js';
import type { TaskStore } from './task-store.js';

/** A change that has no number yet. */
export type TaskChange = TaskEvent extends infer E ? (E extends unknown ? Omit<E, 'seq'> : never) : never;

/** What goes into the store with the next put. */
interface Batch {
  readonly changes: TaskChange[];
  readonly stored: Deferred<void>;
  /** Whether nobody drives the task once this is stored. */
  endsRun: boolean;
  /** Characters of its content. */
  size: number;
}

/** A batch as it was folded. */
interface Folded {
  readonly events: TaskEvent[];
  /** The task after each of the events; absent where nobody wants to see it. */
  readonly moments: TaskMoment[] | undefined;
}

/** What a live task changes its task with. */
export interface LiveTaskParts {
  readonly store: TaskStore;
  readonly bus: TaskEventBus;
  /** How long a put is tried again while the store cannot answer, in milliseconds. */
  readonly patience: number;
  /** Tells the webhooks of the task; absent where the agent has no push notifications. */
  readonly notifier?: TaskNotifier | undefined;
  /** Told when the store refuses for good: the turn must stop. */
  readonly onFailure?: (error: Error) => void;
}

/** Milliseconds until a store that did not answer is asked again. */
const ASK_AGAIN = 100;

/** After this much content the event loop gets a turn: what is published must be able to leave by the sockets. */
const FAIR_SHARE = 256 * 1024;

/**
 * A task that is driven here. Its changes go one after another: fold, put, publish. One put is in flight; what
 * comes meanwhile joins the next, so the store sees few large writes and followers nothing that it does not have.
 */
export class LiveTask {
  readonly scope: TaskScope;
  readonly id: string;
  readonly contextId: string;
  #folded: FoldedTask;
  #version: number;
  #seq: number;
  readonly #epoch: number;
  readonly #key: TaskKey;
  #run: TaskRun | undefined;
  /** The changes that the next put will hold, and those in the put under way. */
  #next: Batch | undefined;
  #writing: Batch | undefined;
  #pumping = false;
  #failure: Error | undefined;
  #isStored: boolean;
  #accepted = 0;
  #stored = 0;
  /** Number of the last event that followers were told of. */
  #published: number;
  /** Content published since the event loop had a turn. */
  #share = 0;
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
    this.#key = { agent, id: task.id };
    this.contextId = task.contextId ?? '';
    this.#folded = FoldedTask.from(task);
    this.#version = origin.version;
    this.#seq = origin.seq;
    this.#published = origin.seq;
    this.#epoch = origin.epoch;
    this.#run = origin.run;
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
    return this.#epoch;
  }

  /** Whether an agent is at work on the task, or was when its process went away. */
  get isAtWork(): boolean {
    return isAtWork(this.#run, this.#state);
  }

  /** Whether the store has the task. */
  get isStored(): boolean {
    return this.#isStored;
  }

  /** Number of the last stored event. */
  get seq(): number {
    return this.#seq;
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
    return this.#folded.snapshot();
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
    const isLate = this.#version === 0 && (this.#run?.leaseUntil ?? 0) <= Date.now();
    if (isLate) await this.mayAppear?.();
    const kept = this.#version === 0 ? this.notifier?.appearing() : undefined;
    if (kept) await kept;
    const folded = await this.#put(batch);
    this.#isStored = true;
    this.appeared.resolve();
    const { events, moments } = folded;
    const before = this.#stored;
    this.#stored += batch.changes.length;
    const shown = published(batch.changes, events);
    if (this.notifier?.isListening) {
      const range = { after: this.#seq - events.length, seq: this.#seq };
      this.#notify(this.notifier, shown, moments, range);
    }
    if (this.#share + batch.size < FAIR_SHARE) {
      this.#share += batch.size;
      this.#publish(shown);
    } else await this.#publishInShares(shown);
    batch.stored.resolve();
    this.#waiters.stored(batch.changes, before, () => this.snapshot());
  }

  /** Folds a batch and stores it. A store that does not answer for a moment is asked again. */
  async #put(batch: Batch): Promise<Folded> {
    const deadline = Date.now() + this.parts.patience;
    let folded = this.#fold(batch);
    for (let isUnsure = false; ;) {
      try {
        if (await this.#tryPut(folded, isUnsure)) return folded;
        folded = this.#fold(batch);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError) || Date.now() >= deadline) throw error;
        isUnsure = true;
        await delay(ASK_AGAIN);
      }
    }
  }

  /**
   * `false` if somebody else has written meanwhile, on which the batch is to be folded again.
   *
   * @param isUnsure whether the same put may have been written before without an answer
   */
  async #tryPut({ events }: Folded, isUnsure: boolean): Promise<boolean> {
    const { store } = this.parts;
    try {
      await store.put(this.#record(), events);
      return true;
    } catch (error) {
      if (!(error instanceof TaskVersionConflictError)) throw error;
      const record = await store.get(this.id, systemScope(this.scope.agent));
      if (!record) throw error;
      if (isUnsure && this.#isWritten(record)) return true;
      this.#standOn(record);
      return false;
    }
  }

  /** Publishes events, but not so many at once that a follower falls behind without having had a chance to read. */
  async #publishInShares(events: readonly PublishedEvent[]): Promise<void> {
    let slice: PublishedEvent[] = [];
    for (const event of events) {
      slice.push(event);
      this.#share += contentSize(event.payload);
      if (this.#share < FAIR_SHARE) continue;
      this.#publish(slice);
      slice = [];
      this.#share = 0;
      await nextTurn();
    }
    this.#publish(slice);
  }

  #publish(events: readonly PublishedEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.parts.bus.publish(this.#key, { after: this.#published, events });
    this.#published = last.seq;
  }

  /** Tells the webhooks what streams see too. */
  #notify(
    notifier: TaskNotifier,
    events: readonly PublishedEvent[],
    moments: readonly TaskMoment[] | undefined,
    range: StoredRange,
  ): void {
    if (events.length === 0) return;
    if (!notifier.showsTask) {
      notifier.notify(
        events.map((event) => ({ event, moment: undefined })),
        range,
      );
    } else if (moments) {
      const momentOf = ({ seq }: PublishedEvent) => moments[seq - range.after - 1];
      notifier.notify(
        events.map((event) => ({ event, moment: momentOf(event) })),
        range,
      );
    } else {
      // The webhook came while the store was written: it learns how the task stands now.
      notifier.notify(events.slice(-1).map((event) => ({ event, moment: this.#folded.moment() })));
    }
  }

  /** Folds a batch and counts it as the next version. */
  #fold({ changes, endsRun }: Batch): Folded {
    const moments = this.notifier?.isListening && this.notifier.showsTask ? ([] as TaskMoment[]) : undefined;
    const events = changes.map((change): TaskEvent => ({ seq: ++this.#seq, ...change }));
    for (const event of events) {
      this.#folded.apply(event);
      moments?.push(this.#folded.moment());
    }
    this.#version += 1;
    if (endsRun) this.#run = undefined;
    else for (const event of events) this.#run = afterEvent(this.#run, event);
    return { events, moments };
  }

  #record(): TaskRecord {
    return new LiveRecord(this.scope, this.#folded, this.#version, this.#seq, this.#epoch, this.#run);
  }

  /** Whether the store has what was put last: nobody else says the same at the same time. */
  #isWritten({ version, epoch, task }: TaskRecord): boolean {
    if (version !== this.#version || epoch !== this.#epoch) return false;
    return isDeepStrictEqual(task, JSON.parse(JSON.stringify(this.#folded.snapshot())));
  }

  /** Takes what somebody else wrote as the new ground, unless that took the task out of our hands. */
  #standOn({ task, version, seq, epoch }: TaskRecord): void {
    if (epoch !== this.#epoch || isTerminal(task.status.state)) throw new StaleRunError(this.id);
    this.#folded = FoldedTask.from(task);
    this.#version = version;
    this.#seq = seq;
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

/** What streams show of changes: the events without those that only the store is told of. */
function published(changes: readonly TaskChange[], events: readonly TaskEvent[]): PublishedEvent[] {
  const shown: PublishedEvent[] = [];
  changes.forEach((payload, index) => {
    if ('message' in payload || 'patch' in payload) return;
    shown.push(new PublishedEvent(events[index]?.seq ?? 0, payload));
  });
  return shown;
}

function rejected(error = new Error('The task cannot be stored')): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => undefined);
  return promise;
}

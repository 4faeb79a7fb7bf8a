import { Logger } from '@nestjs/common';
import {
  TaskNotFoundError,
  TaskState,
  UnavailableError,
  type AgentCard,
  type Message,
} from '../protocol/index.js';
import type { AgentExecutor } from './agent-executor.js';
import type { CallContext } from './call-context.js';
import { DefaultRequestContext, type TurnRequest } from './default-request-context.js';
import { within } from './deferred.js';
import type { ResolvedEngineOptions } from './engine-options.js';
import { LeasedTurns } from './leased-turns.js';
import { LiveTask, type LiveTaskParts } from './live-task.js';
import { newId } from './new-id.js';
import { OwnerLimit } from './owner-limit.js';
import { followHandedOver } from './handed-over.js';
import type { PushNotifications, TaskNotifier, WantedWebhook } from './push-notifications.js';
import { RemoteTurns } from './remote-turns.js';
import { StaleRunError, TaskVersionConflictError } from './store-errors.js';
import { TaskFeeds } from './task-feeds.js';
import type { TaskEventBus, Unsubscribe } from './task-event-bus.js';
import { checkedOwner, type TaskOwnerResolver } from './task-owner-resolver.js';
import type { TaskRecord, TurnTerms } from './task-record.js';
import { TaskCancellation } from './task-cancellation.js';
import { newRecord, TaskClaims } from './task-claims.js';
import type { Scope, TaskScope } from './task-scope.js';
import type { TaskStore } from './task-store.js';
import { Turn } from './turn.js';
import type { TaskDispatcher } from './task-dispatcher.js';
import { TurnAdmission } from './turn-admission.js';

/** What an engine is made of. */
export interface EngineParts {
  /** The name of the agent. */
  readonly agent: string;
  readonly store: TaskStore;
  readonly bus: TaskEventBus;
  readonly executor: AgentExecutor;
  readonly owners: TaskOwnerResolver;
  /** Tells webhooks what becomes of tasks; absent where the agent has no push notifications. */
  readonly push?: PushNotifications;
  /** Brings turns to the processes that run them; absent where they run in the one that took the message. */
  readonly dispatcher?: TaskDispatcher;
  readonly options: ResolvedEngineOptions;
  /** Whether the agent takes a media type; everything is taken when absent. */
  readonly acceptsMediaType?: (mediaType: string) => boolean | Promise<boolean>;
  /** The extended card for a caller; there is none when absent. */
  readonly extendedCard?: (context: CallContext) => Promise<AgentCard>;
}

/**
 * Drives the tasks of one agent: what {@link DefaultRequestHandler} stands on.
 *
 * @publicApi
 */
export class TaskEngine {
  /** @internal */
  readonly feeds: TaskFeeds;
  /** @internal */
  readonly cancellation = new TaskCancellation(this);
  /** @internal */
  readonly remote: RemoteTurns;
  /** @internal */
  readonly ownerLimit: OwnerLimit;
  /** @internal */
  readonly logger: Logger;
  /** @internal Names this engine in the records of the tasks that it drives. */
  readonly worker = newId();
  readonly #turns = new Map<string, Turn>();
  readonly #admission: TurnAdmission;
  readonly #leased: LeasedTurns;
  readonly #claims: TaskClaims;
  readonly #unsubscribe: Unsubscribe;
  #stopping = false;

  /** @internal The module makes it. */
  constructor(/** @internal */ readonly parts: EngineParts) {
    const { agent, bus, store, options } = parts;
    this.logger = new Logger(`A2A:${agent}`);
    const isDrivenHere = (id: string) => this.#turns.get(id)?.open ?? false;
    const source = { agent, bus, store, lagLimit: options.limits.followerLag, isDrivenHere };
    this.feeds = new TaskFeeds(source, options.eventPollInterval);
    this.#admission = new TurnAdmission(options.limits.runningTurns, options.limits.runningTurnsPerOwner);
    this.#leased = new LeasedTurns(parts, this.logger, this.#admission, {
      worker: this.worker,
      openTurns: () => [...this.#turns.values()].filter(({ open }) => open),
      liveTask: (record) => this.liveTask(record),
      open: (record, leave) => this.#open(record, leave),
      run: (turn, request) => {
        this.run(turn, request);
      },
    });
    this.#claims = new TaskClaims(this, this.#leased);
    this.remote = new RemoteTurns(this);
    this.ownerLimit = new OwnerLimit(store, options.limits.runningTurnsPerOwner);
    this.#unsubscribe = this.#forgetRemovedTasks();
  }

  /** @internal Begins to hold tasks, and to look for those that others have lost. */
  start(): void {
    this.#leased.start();
  }

  /**
   * @internal Resolves once turns can begin.
   * @throws UnavailableError if the store is away
   */
  ready(): Promise<void> | undefined {
    return this.#leased.hold();
  }

  /** How many turns are running. */
  get runningTurns(): number {
    return this.#admission.running;
  }

  /** How many tasks are driven here, those handed over included. */
  get drivenTasks(): number {
    return this.#turns.size;
  }

  /** @internal Whose tasks a caller may see. */
  async scopeOf(call: CallContext): Promise<TaskScope> {
    const owner = checkedOwner(await this.parts.owners.resolveOwner(call));
    return {
      agent: this.parts.agent,
      ...(call.tenant !== undefined && { tenant: call.tenant }),
      ...(owner !== undefined && { owner }),
    };
  }

  /** @internal @throws TaskNotFoundError if there is no such task in `scope` */
  async load(id: string, scope: Scope): Promise<TaskRecord> {
    const record = await this.parts.store.get(id, scope);
    if (!record) throw new TaskNotFoundError(id);
    return record;
  }

  /** @internal The turn of a task that runs here, or was handed over here. */
  turnOf(id: string): Turn | undefined {
    return this.#turns.get(id);
  }

  /** @internal A turn on a new task with a new `id`, which nobody sees until its first event. */
  begin(id: string, message: Message, scope: TaskScope, terms: TurnTerms, webhook?: WantedWebhook): Turn {
    this.assertAccepting();
    const leave = this.#admission.enter(scope.owner);
    return this.#open(newRecord(id, message, scope, this.#leased.run(terms)), leave, webhook);
  }

  /** @internal Whether turns wait in a queue for a process that runs them. */
  get queues(): boolean {
    return this.#leased.stored.queues;
  }

  /** @internal A new task, stored with a turn that waits; {@link dispatch} hands it on. */
  async enqueue(
    id: string,
    message: Message,
    scope: TaskScope,
    terms: TurnTerms,
    webhook?: WantedWebhook,
  ): Promise<TaskRecord> {
    this.assertAccepting();
    const { push } = this.parts;
    return this.#leased.stored.enqueue(terms, async (run) => {
      const record = newRecord(id, message, scope, run);
      const notifier = push?.watch(record, true, webhook);
      try {
        const live = new LiveTask(record, this.#liveParts(notifier));
        const task = await live.appear();
        return { ...record, task, version: 1, seq: live.seq };
      } finally {
        if (notifier) push?.unwatch(id, notifier);
      }
    });
  }

  /**
   * @internal The next turn of a task that nobody drives, stored so that it waits; {@link dispatch} hands it on.
   * @throws UnsupportedOperationError if the task is finished or somebody drives it
   */
  async enqueueNext(record: TaskRecord, message: Message, terms: TurnTerms): Promise<TaskRecord> {
    this.assertAccepting();
    return this.#leased.stored.enqueue(terms, (run) => this.#claims.claim(record, message, terms, run));
  }

  /** @internal Hands a turn that waits to whoever runs it. */
  async dispatch(record: TaskRecord): Promise<void> {
    await this.#leased.stored.dispatch(record);
  }

  /** @internal @throws UnavailableError if this process takes no messages */
  assertTakesMessages(): void {
    if (this.parts.options.role === 'worker') {
      throw new UnavailableError('This process runs turns and takes no messages');
    }
  }

  /**
   * A turn on a task that nobody drives: takes it over in the store, with the message that starts the turn.
   *
   * @throws UnsupportedOperationError if the task is finished or somebody drives it
   * @internal
   */
  async resume(record: TaskRecord, message?: Message, terms?: TurnTerms): Promise<Turn> {
    this.assertAccepting();
    await this.ready();
    // Without a message no agent runs: a task can be canceled also where no turn has room.
    const leave = message ? this.#admission.enter(record.owner) : () => undefined;
    try {
      return this.#open(await this.#claims.claim(record, message, terms), leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** @internal Ends a turn that nothing came of: the task waits on, or goes on as if it had never been looked at. */
  async letGo(turn: Turn): Promise<void> {
    turn.close();
    if (turn.live.isAtWork) this.#leased.recover(turn.live, 'The agent was interrupted');
    else await turn.live.release();
  }

  /** @internal Runs the executor on a turn, detached from whoever asked. */
  run(turn: Turn, request: TurnRequest): void {
    const context = this.contextOf(turn, request);
    void turn.run(() => this.parts.executor.execute(context, turn.updater));
  }

  /** @internal */
  contextOf(turn: Turn, request: TurnRequest): DefaultRequestContext {
    return new DefaultRequestContext(turn, request, this.parts.store);
  }

  /** @internal A task that changes from outside of any turn. */
  liveTask(record: TaskRecord): LiveTask {
    return new LiveTask(record, this.#liveParts(this.parts.push?.notifierOf(record)));
  }

  /** @internal Lets go of a task that was handed over and has come to its end. */
  forget(id: string): void {
    const turn = this.#turns.get(id);
    if (turn) this.#remove(turn);
  }

  /** Whether it takes requests: not any more once it shuts down. */
  get accepting(): boolean {
    return !this.#stopping;
  }

  /** @internal */
  assertAccepting(): void {
    if (this.#stopping) throw new UnavailableError('The agent is shutting down');
  }

  /** @internal Refuses new turns from here on, and takes none over. */
  stopAccepting(): void {
    this.#stopping = true;
    void this.#leased.stop();
  }

  /** @internal Gives running turns their grace time, then cuts them off, and ends every stream. */
  async shutdown(): Promise<void> {
    this.stopAccepting();
    // Who follows what goes on elsewhere can go on elsewhere too; the streams of turns here end with them.
    this.feeds.endElsewhere();
    await within(1_000, this.#leased.stop());
    const open = [...this.#turns.values()].filter((turn) => turn.open);
    // A turn is over when its last word is stored and shown.
    const over = open.map(({ closed, live }) => closed.promise.then(() => live.settled()));
    await within(this.parts.options.shutdownTimeout, Promise.allSettled(over));
    const cut = open.filter((turn) => turn.open).map((turn) => this.#cutOff(turn));
    await within(1_000, Promise.allSettled(cut));
    // Whoever still waits for a task that was handed over must not hold up the server.
    for (const { answered } of this.#turns.values())
      answered.reject(new UnavailableError('The agent is shutting down'));
    // Nothing is written from here on: what is left is for others to go on with.
    await within(1_000, this.#leased.end());
    this.remote.close();
    this.#unsubscribe();
    this.feeds.end();
  }

  /** The webhooks of a task go with it. */
  #forgetRemovedTasks(): Unsubscribe {
    const { agent, store, push } = this.parts;
    // A store told by its methods alone need not have this one.
    const { onRemoval } = store as Partial<TaskStore>;
    if (!push || !onRemoval) return () => undefined;
    return onRemoval.call(store, (key) => {
      if (key.agent === agent) void push.forget(key.id);
    });
  }

  #cutOff(turn: Turn): Promise<void> {
    turn.abort('shut down');
    if (!this.parts.store.durable) return turn.end(TaskState.Failed, 'The agent was shut down');
    turn.answered.reject(new UnavailableError('The agent is shutting down'));
    turn.close();
    return turn.live.settled();
  }

  #open(record: TaskRecord, leave: () => void, webhook?: WantedWebhook): Turn {
    const { push, options } = this.parts;
    const notifier = push?.watch(record, record.version === 0, webhook);
    const onFailure = (error: Error): void => {
      this.#lose(turn, error);
    };
    const live: LiveTask = new LiveTask(record, { ...this.#liveParts(notifier), onFailure });
    const turn: Turn = new Turn(live, options, this.logger, () => {
      leave();
      const forget = () => {
        this.#remove(turn);
      };
      const goesOn = turn.handedOver && !live.ended && !turn.aborted;
      (goesOn ? followHandedOver(this, turn) : live.settled()).then(forget, forget);
    });
    this.#turns.set(live.id, turn);
    return turn;
  }

  #liveParts(notifier: TaskNotifier | undefined): LiveTaskParts {
    const { store, bus, options } = this.parts;
    return { store, bus, notifier, patience: options.storePatience };
  }

  /** The store refused a change of the turn for good. */
  #lose(turn: Turn, error: Error): void {
    const { live } = turn;
    turn.abort('lost');
    turn.close();
    this.#remove(turn);
    if (error instanceof StaleRunError) return;
    if (error instanceof TaskVersionConflictError) {
      this.logger.warn(`Task ${live.id}: was removed while it ran`);
      void this.parts.push?.forget(live.id);
      this.feeds.fail(live.id, new TaskNotFoundError(live.id));
      return;
    }
    this.feeds.fail(live.id, error);
    this.logger.error(`Task ${live.id}: a change could not be stored`, error.stack);
    this.#leased.recover(live, 'The agent could not store its work');
  }

  #remove(turn: Turn): void {
    const { id, notifier } = turn.live;
    if (notifier) this.parts.push?.unwatch(id, notifier);
    if (this.#turns.get(id) === turn) this.#turns.delete(id);
  }
}

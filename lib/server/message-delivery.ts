import {
  InvalidParamsError,
  TaskNotFoundError,
  TaskState,
  type Message,
  type SendMessageRequest,
  type SendMessageResponse,
  type Task,
} from '../protocol/index.js';
import type { CallContext } from './call-context.js';
import { Deferred, within } from './deferred.js';
import type { Follower } from './follower.js';
import { MessageLedger } from './message-ledger.js';
import { MessageStream } from './message-stream.js';
import { newId } from './new-id.js';
import { placedMessage } from './placed-message.js';
import type { AttachedWebhook, WantedWebhook } from './push-notifications.js';
import { handMessage } from './remote-turns.js';
import { RepeatedMessage } from './repeated-message.js';
import { StaleRunError, TaskVersionConflictError } from './store-errors.js';
import { assertIdle } from './task-claims.js';
import type { TaskEngine } from './task-engine.js';
import { isDrivenElsewhere, type TaskRecord, type TurnTerms } from './task-record.js';
import type { TakenMessage } from './task-event-bus.js';
import { nextPause, pauseOf } from './task-pause.js';
import type { TaskScope } from './task-scope.js';
import type { TaskStream } from './task-stream.js';
import type { Turn } from './turn.js';
import { termsOf } from './turn-terms.js';

/** Where a message goes. */
type Destination =
  /** A new task, or a new turn on one that nobody drives. */
  | { readonly kind: 'new' | 'continued'; readonly turn: Turn }
  /** The message came before: a turn on a task that nobody sees yet, or the task. */
  | { readonly kind: 'joined'; readonly turn: Turn }
  | { readonly kind: 'repeated'; readonly repeated: RepeatedMessage }
  /** The turn waits in the store for a process that runs it. */
  | { readonly kind: 'queued'; readonly record: TaskRecord }
  | HandedOn;

/** The agent that is running on the task and waits for an authorization, here or in another process. */
type HandedOn = { readonly webhook: AttachedWebhook | undefined } & (
  | { readonly kind: 'running'; readonly turn: Turn }
  | { readonly kind: 'elsewhere'; readonly record: TaskRecord }
);

/** Brings messages to the agent and gives what comes of them: at once, when done, or as a stream. */
export class MessageDelivery {
  readonly #ledger: MessageLedger;

  constructor(private readonly engine: TaskEngine) {
    this.#ledger = new MessageLedger(engine);
  }

  /** Gives the task as soon as it exists. */
  async sendAndReturn(request: SendMessageRequest, call: CallContext): Promise<Task> {
    const to = await this.#route(request, call);
    if (to.kind === 'repeated') return to.repeated.task;
    if (to.kind === 'queued') {
      await this.engine.dispatch(to.record);
      return to.record.task;
    }
    if (isHandedOn(to)) return (await this.#hand(to, request.message)).task;
    const task = await to.turn.live.appear();
    if (to.kind !== 'joined') this.#run(to.turn, request, call);
    return task;
  }

  /** Waits for a terminal or interrupted state of this turn, or a direct message (§3.2.2). */
  async sendAndWait(request: SendMessageRequest, call: CallContext): Promise<SendMessageResponse> {
    const to = await this.#route(request, call);
    if (to.kind === 'repeated') return to.repeated.wait();
    if (to.kind === 'queued') return { task: await this.#waitQueued(to.record) };
    if (to.kind === 'elsewhere') return { task: await this.#waitElsewhere(to, request.message) };
    const { turn } = to;
    // A turn that runs already has been answered for.
    const isRunning = to.kind === 'running' || to.kind === 'joined';
    const answered = isRunning ? new Deferred<SendMessageResponse>() : turn.answered;
    turn.live.nextPause(answered);
    if (to.kind === 'running') await this.#hand(to, request.message);
    else if (to.kind !== 'joined') this.#run(turn, request, call);
    try {
      // The first to send the message may be answered with no task.
      return await (to.kind === 'joined'
        ? Promise.race([turn.answered.promise, answered.promise])
        : answered.promise);
    } catch (error) {
      return { task: await this.#takenOver(error, turn) };
    }
  }

  /** Follows the task; resolves when the first event is there. */
  async stream(request: SendMessageRequest, call: CallContext): Promise<TaskStream> {
    const to = await this.#route(request, call);
    if (to.kind === 'repeated') return to.repeated.stream(request.configuration?.historyLength);
    const id = 'record' in to ? to.record.id : to.turn.live.id;
    const follower = this.engine.feeds.follow(id, request.configuration?.historyLength);
    try {
      return await this.#begin(follower, to, request, call);
    } catch (error) {
      follower.close();
      throw error;
    }
  }

  async #begin(
    follower: Follower,
    to: Exclude<Destination, { kind: 'repeated' }>,
    request: SendMessageRequest,
    call: CallContext,
  ): Promise<TaskStream> {
    if (to.kind === 'queued') {
      follower.start(to.record.task, to.record.seq);
      await this.engine.dispatch(to.record);
      return follower;
    }
    if (isHandedOn(to)) {
      const { task, seq } = await this.#hand(to, request.message);
      follower.start(task, seq);
      return follower;
    }
    const { turn } = to;
    if (to.kind === 'continued') follower.start(turn.live.snapshot(), turn.live.seq);
    else follower.begin();
    if (to.kind !== 'joined') this.#run(turn, request, call);
    return to.kind === 'continued' ? follower : this.#firstEvent(turn, follower);
  }

  /** A stream that is silent for long makes its task visible, so that keep-alives can flow. */
  async #firstEvent(turn: Turn, follower: Follower): Promise<TaskStream> {
    const { live, answered } = turn;
    const first = Promise.race([live.appeared.promise.then(() => 'task' as const), answered.promise]);
    const what = await within(this.engine.parts.options.silenceTimeout, first);
    if (what === undefined && !live.visible) await live.appear();
    const answer = what ?? (await first);
    if (answer === 'task' || !answer.message) return follower;
    follower.close();
    return new MessageStream(answer.message);
  }

  #run(turn: Turn, { message, configuration, metadata }: SendMessageRequest, call: CallContext): void {
    const { taskId, contextId } = turn.ids;
    this.engine.run(turn, {
      message: placedMessage(message, taskId, contextId),
      acceptedOutputModes: configuration?.acceptedOutputModes,
      metadata,
      call,
    });
  }

  async #route(request: SendMessageRequest, call: CallContext): Promise<Destination> {
    const { message, configuration } = request;
    const scope = await this.engine.scopeOf(call);
    this.engine.assertTakesMessages();
    const terms = termsOf(request, call);
    const config = configuration?.taskPushNotificationConfig;
    const webhook = config && { config, version: call.version };
    if (!message.taskId) {
      const id = newId();
      await this.engine.ready();
      const begin = (): Destination | Promise<Destination> => {
        if (this.engine.queues) {
          const queued = this.engine.enqueue(id, message, scope, terms, webhook);
          return queued.then((record) => ({ kind: 'queued', record }));
        }
        const turn = this.engine.begin(id, message, scope, terms, webhook);
        this.#ledger.watch(turn, message);
        return { kind: 'new', turn };
      };
      return this.#once(message, id, scope, () => this.engine.ownerLimit.admit(scope, begin));
    }
    const record = await this.engine.load(message.taskId, scope);
    if (message.contextId !== undefined && message.contextId !== record.task.contextId) {
      throw new InvalidParamsError([
        { field: 'message.contextId', description: 'is not the context of the task that the message names' },
      ]);
    }
    return this.#once(message, record.id, scope, () => this.#continue(record, message, terms, webhook));
  }

  /** Where a message goes that names a task. */
  async #continue(
    record: TaskRecord,
    message: Message,
    terms: TurnTerms,
    webhook: WantedWebhook | undefined,
  ): Promise<Destination> {
    const turn = this.engine.turnOf(record.task.id);
    if (turn?.open && turn.state === TaskState.AuthRequired) {
      return { kind: 'running', turn, webhook: await this.#attach(record, webhook) };
    }
    if (waitsElsewhere(record, this.engine.worker)) {
      return { kind: 'elsewhere', record, webhook: await this.#attach(record, webhook) };
    }
    assertIdle(record);
    const attached = await this.#attach(record, webhook);
    const begin = async (): Promise<Destination> =>
      this.engine.queues
        ? { kind: 'queued', record: await this.engine.enqueueNext(record, message, terms) }
        : { kind: 'continued', turn: await this.engine.resume(record, message, terms) };
    return orUndo(attached, this.engine.ownerLimit.admit(record, begin));
  }

  /** Takes a message that comes for the first time; one that came before is led to what became of it. */
  async #once(
    message: Message,
    taskId: string,
    scope: TaskScope,
    take: () => Destination | Promise<Destination>,
  ): Promise<Destination> {
    const earlier = await this.#ledger.take(message, taskId, scope);
    if (earlier && 'turn' in earlier) return { kind: 'joined', turn: earlier.turn };
    if (earlier)
      return { kind: 'repeated', repeated: new RepeatedMessage(this.engine, earlier.record, message) };
    try {
      return await take();
    } catch (error) {
      await this.#ledger.giveUp(message, taskId, scope);
      throw error;
    }
  }

  async #attach(
    record: TaskRecord,
    webhook: WantedWebhook | undefined,
  ): Promise<AttachedWebhook | undefined> {
    if (!webhook) return undefined;
    const attached = await this.engine.parts.push?.attach(record, webhook);
    await this.engine.remote.webhooksChanged(record);
    return attached;
  }

  /** Hands a message to an agent that is running. */
  async #hand(to: HandedOn, message: Message): Promise<TakenMessage> {
    const taken =
      to.kind === 'running' ? handMessage(to.turn, message) : this.#handElsewhere(to.record, message);
    try {
      return await orUndo(to.webhook, taken);
    } catch (error) {
      const { id, scope } = to.kind === 'running' ? to.turn.live : { id: to.record.id, scope: to.record };
      await this.#ledger.giveUp(message, id, scope);
      throw error;
    }
  }

  async #handElsewhere(record: TaskRecord, message: Message): Promise<TakenMessage> {
    this.engine.assertAccepting();
    return this.engine.remote.hand(record, message);
  }

  async #waitQueued(record: TaskRecord): Promise<Task> {
    const { id, task, seq } = record;
    const follower = this.engine.feeds.follow(id);
    try {
      follower.start(task, seq);
      await this.engine.dispatch(record);
      return await nextPause(this.engine, follower, id, record);
    } finally {
      follower.close();
    }
  }

  async #waitElsewhere(to: Extract<HandedOn, { kind: 'elsewhere' }>, message: Message): Promise<Task> {
    const { record } = to;
    const { id } = record.task;
    const follower = this.engine.feeds.follow(id);
    try {
      const { task, seq } = await this.#hand(to, message);
      // From there on, and not from the task as it stands now: the agent may have answered already.
      follower.start(task, seq);
      return await nextPause(this.engine, follower, id, record);
    } finally {
      follower.close();
    }
  }

  /** The task as somebody else drives it on, where that is why the turn was lost. */
  async #takenOver(error: unknown, { live }: Turn): Promise<Task> {
    if (error instanceof StaleRunError) return pauseOf(this.engine, live.id, live.scope);
    if (error instanceof TaskVersionConflictError) throw new TaskNotFoundError(live.id);
    throw error;
  }
}

function isHandedOn(to: Destination): to is HandedOn {
  return to.kind === 'running' || to.kind === 'elsewhere';
}

/** What comes of a message; a webhook that came with one that is refused does not stay. */
async function orUndo<T>(webhook: AttachedWebhook | undefined, outcome: T | Promise<T>): Promise<T> {
  try {
    return await outcome;
  } catch (error) {
    await webhook?.undo();
    throw error;
  }
}

function waitsElsewhere({ run, task }: TaskRecord, worker: string): boolean {
  return task.status.state === TaskState.AuthRequired && isDrivenElsewhere(run, worker);
}

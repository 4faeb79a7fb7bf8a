import {
  InvalidParamsError,
  isInterrupted,
  isTerminal,
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
import { MessageStream } from './message-stream.js';
import type { AttachedWebhook, WantedWebhook } from './push-notifications.js';
import { handMessage } from './remote-turns.js';
import { StaleRunError, TaskVersionConflictError } from './store-errors.js';
import { assertIdle, type TaskEngine } from './task-engine.js';
import { isDrivenElsewhere, type TaskRecord } from './task-record.js';
import type { TakenMessage } from './task-event-bus.js';
import type { TaskStream } from './task-stream.js';
import type { Turn } from './turn.js';
import { termsOf } from './turn-terms.js';

/** Where a message goes. */
type Destination =
  /** A new task, or a new turn on one that nobody drives. */
  { readonly kind: 'new' | 'continued'; readonly turn: Turn } | HandedOn;

/** The agent that is running on the task and waits for an authorization, here or in another process. */
type HandedOn = { readonly webhook: AttachedWebhook | undefined } & (
  | { readonly kind: 'running'; readonly turn: Turn }
  | { readonly kind: 'elsewhere'; readonly record: TaskRecord }
);

/** Brings messages to the agent and gives what comes of them: at once, when done, or as a stream. */
export class MessageDelivery {
  constructor(private readonly engine: TaskEngine) {}

  /** Gives the task as soon as it exists. */
  async sendAndReturn(request: SendMessageRequest, call: CallContext): Promise<Task> {
    const to = await this.#route(request, call);
    if (isHandedOn(to)) return (await this.#hand(to, request.message)).task;
    const task = await to.turn.live.appear();
    this.#run(to.turn, request, call);
    return task;
  }

  /** Waits for a terminal or interrupted state of this turn, or a direct message (§3.2.2). */
  async sendAndWait(request: SendMessageRequest, call: CallContext): Promise<SendMessageResponse> {
    const to = await this.#route(request, call);
    if (to.kind === 'elsewhere') return { task: await this.#waitElsewhere(to, request.message) };
    const { turn } = to;
    // A turn that runs already has been answered for.
    const answered = to.kind === 'running' ? new Deferred<SendMessageResponse>() : turn.answered;
    turn.live.nextPause(answered);
    if (to.kind === 'running') await this.#hand(to, request.message);
    else this.#run(turn, request, call);
    try {
      return await answered.promise;
    } catch (error) {
      return { task: await this.#takenOver(error, turn) };
    }
  }

  /** Follows the task; resolves when the first event is there. */
  async stream(request: SendMessageRequest, call: CallContext): Promise<TaskStream> {
    const to = await this.#route(request, call);
    const id = to.kind === 'elsewhere' ? to.record.task.id : to.turn.live.id;
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
    to: Destination,
    request: SendMessageRequest,
    call: CallContext,
  ): Promise<TaskStream> {
    if (isHandedOn(to)) {
      const { task, seq } = await this.#hand(to, request.message);
      follower.start(task, seq);
      return follower;
    }
    const { turn } = to;
    if (to.kind === 'continued') follower.start(turn.live.snapshot(), turn.live.seq);
    else follower.begin();
    this.#run(turn, request, call);
    return to.kind === 'new' ? this.#firstEvent(turn, follower) : follower;
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
      message: { ...message, taskId, contextId },
      acceptedOutputModes: configuration?.acceptedOutputModes,
      metadata,
      call,
    });
  }

  async #route(request: SendMessageRequest, call: CallContext): Promise<Destination> {
    const { message, configuration } = request;
    const scope = await this.engine.scopeOf(call);
    const terms = termsOf(request, call);
    const config = configuration?.taskPushNotificationConfig;
    const webhook = config && { config, version: call.version };
    if (!message.taskId) {
      await this.engine.ready();
      return { kind: 'new', turn: this.engine.begin(message, scope, terms, webhook) };
    }
    const record = await this.engine.load(message.taskId, scope);
    if (message.contextId !== undefined && message.contextId !== record.task.contextId) {
      throw new InvalidParamsError([
        { field: 'message.contextId', description: 'is not the context of the task that the message names' },
      ]);
    }
    const turn = this.engine.turnOf(record.task.id);
    if (turn?.open && turn.state === TaskState.AuthRequired) {
      return { kind: 'running', turn, webhook: await this.#attach(record, webhook) };
    }
    if (waitsElsewhere(record, this.engine.worker)) {
      return { kind: 'elsewhere', record, webhook: await this.#attach(record, webhook) };
    }
    assertIdle(record);
    const attached = await this.#attach(record, webhook);
    return { kind: 'continued', turn: await orUndo(attached, this.engine.resume(record, message, terms)) };
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
  #hand(to: HandedOn, message: Message): Promise<TakenMessage> {
    const taken =
      to.kind === 'running' ? handMessage(to.turn, message) : this.#handElsewhere(to.record, message);
    return orUndo(to.webhook, taken);
  }

  async #handElsewhere(record: TaskRecord, message: Message): Promise<TakenMessage> {
    this.engine.assertAccepting();
    return this.engine.remote.hand(record, message);
  }

  async #waitElsewhere(to: Extract<HandedOn, { kind: 'elsewhere' }>, message: Message): Promise<Task> {
    const { record } = to;
    const { id } = record.task;
    const follower = this.engine.feeds.follow(id);
    try {
      const { task, seq } = await this.#hand(to, message);
      // From there on, and not from the task as it stands now: the agent may have answered already.
      follower.start(task, seq);
      for await (const { statusUpdate } of follower) {
        const state = statusUpdate?.status.state;
        if (state && (isTerminal(state) || isInterrupted(state))) break;
      }
      return (await this.engine.load(id, record)).task;
    } finally {
      follower.close();
    }
  }

  /** The task as somebody else left it, where that is why the turn was lost. */
  async #takenOver(error: unknown, { live }: Turn): Promise<Task> {
    if (error instanceof StaleRunError) return (await this.engine.load(live.id, live.scope)).task;
    if (error instanceof TaskVersionConflictError) throw new TaskNotFoundError(live.id);
    throw error;
  }
}

function isHandedOn(to: Destination): to is HandedOn {
  return to.kind === 'running' || to.kind === 'elsewhere';
}

/** What comes of a message; a webhook that came with one that is refused does not stay. */
async function orUndo<T>(webhook: AttachedWebhook | undefined, outcome: Promise<T>): Promise<T> {
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

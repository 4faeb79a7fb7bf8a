import { randomUUID } from 'node:crypto';
import {
  deepFreeze,
  InternalError,
  isA2AError,
  TaskNotCancelableError,
  TaskState,
  toBytes,
  type Message,
} from '../protocol/index.js';
import { Deferred, within } from './deferred.js';
import { placedMessage } from './placed-message.js';
import type { CancelRequest } from './task-cancellation.js';
import type { TaskEngine } from './task-engine.js';
import type { TakenMessage, TaskSignal, Unsubscribe } from './task-event-bus.js';
import { isDrivenElsewhere, type TaskRecord } from './task-record.js';
import { busy, outOfReach } from './turn-errors.js';
import type { Turn } from './turn.js';

type Reply = Extract<TaskSignal, { type: 'reply' }>;
type Request = Exclude<TaskSignal, { type: 'reply' }>;
type Wish =
  | Pick<Extract<Request, { type: 'cancel' }>, 'type' | 'metadata' | 'call'>
  | Pick<Extract<Request, { type: 'message' }>, 'type' | 'message'>
  | Pick<Extract<Request, { type: 'webhooks' }>, 'type'>;

/** How long a change of webhooks waits for the process that drives the task. */
const WEBHOOKS_TIMEOUT = 1_000;
/** How much longer than the cancel itself its answer may take. */
const ANSWER_MARGIN = 1_000;

/** Turns that another application or process runs on the same store and bus: asks for them, and answers for ours. */
export class RemoteTurns {
  readonly #waiting = new Map<string, Deferred<Reply>>();
  readonly #unsubscribe: Unsubscribe;

  constructor(private readonly engine: TaskEngine) {
    this.#unsubscribe = engine.parts.bus.onSignal(engine.worker, (signal) => {
      if (signal.type === 'reply') this.#waiting.get(signal.requestId)?.resolve(signal);
      else void this.#answer(signal);
    });
  }

  /**
   * Has a turn canceled; `false` if nobody answered.
   *
   * @throws TaskNotCancelableError if its agent refused
   * @throws UnsupportedOperationError if the worker has no turn on the task
   */
  async cancel(record: TaskRecord, request: CancelRequest): Promise<boolean> {
    const reply = await this.#ask(record, { type: 'cancel', ...request });
    if (reply?.refused !== undefined) {
      throw new TaskNotCancelableError(reply.refused, { metadata: { taskId: record.id } });
    }
    if (reply?.gone) throw busy(record.id);
    if (reply?.failed) throw new InternalError();
    return reply !== undefined;
  }

  /**
   * Hands a message to a running agent.
   *
   * @throws UnsupportedOperationError if the agent does not take one now
   * @throws UnavailableError if nobody answered
   */
  async hand(record: TaskRecord, message: Message): Promise<TakenMessage> {
    const reply = await this.#ask(record, { type: 'message', message });
    if (!reply) throw outOfReach(record.id);
    if (!reply.taken) throw busy(record.id);
    return reply.taken;
  }

  /** Tells whoever drives the task that its webhooks were changed. */
  async webhooksChanged(record: TaskRecord): Promise<void> {
    if (!isDrivenElsewhere(record.run, this.engine.worker)) return;
    await this.#ask(record, { type: 'webhooks' }, WEBHOOKS_TIMEOUT);
  }

  close(): void {
    this.#unsubscribe();
  }

  async #ask({ id, run }: TaskRecord, wish: Wish, timeout?: number): Promise<Reply | undefined> {
    if (!run) return undefined;
    const { bus, options } = this.engine.parts;
    const requestId = randomUUID();
    const reply = new Deferred<Reply>();
    this.#waiting.set(requestId, reply);
    try {
      bus.signal(run.worker, { ...wish, requestId, taskId: id, from: this.engine.worker });
      return await within(timeout ?? options.cancelTimeout + ANSWER_MARGIN, reply.promise);
    } finally {
      this.#waiting.delete(requestId);
    }
  }

  async #answer(request: Request): Promise<void> {
    const reply = (result: Omit<Reply, 'type' | 'requestId'>): void => {
      this.engine.parts.bus.signal(request.from, { type: 'reply', requestId: request.requestId, ...result });
    };
    try {
      if (request.type === 'webhooks') {
        await this.engine.parts.push?.reload(request.taskId);
        reply({});
        return;
      }
      const turn = this.engine.turnOf(request.taskId);
      if (!turn?.open) reply({ gone: true });
      else if (request.type === 'message') {
        reply({ taken: await handMessage(turn, request.message) });
      } else {
        await this.engine.cancellation.cancelTurn(turn, request, turn.live.snapshot());
        reply({});
      }
    } catch (error) {
      reply(isA2AError(error) ? { refused: error.message } : { failed: true });
    }
  }
}

/**
 * Gives a message to the running agent, which takes one while it waits for an authorization (§7.6.1). What the agent
 * makes of it comes after what this resolves with.
 *
 * @throws UnsupportedOperationError in any other state
 */
export async function handMessage(turn: Turn, message: Message): Promise<TakenMessage> {
  if (!turn.open || turn.aborted || turn.state !== TaskState.AuthRequired) throw busy(turn.live.id);
  const { taskId, contextId } = turn.ids;
  const known = deepFreeze(placedMessage(message, taskId, contextId));
  await turn.live.change({ message: known });
  const taken = { task: turn.live.snapshot(), seq: turn.live.seq };
  turn.messages.push(toBytes(known));
  return taken;
}

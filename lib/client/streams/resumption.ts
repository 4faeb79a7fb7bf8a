import { isDeepStrictEqual } from 'node:util';
import { isA2AError, type Task } from '../../protocol/index.js';
import type { EventStream, ReceivedEvent } from '../client-binding.js';
import { pause } from '../../net/pause.js';
import { isTransient, retryAfter } from '../timing/transient.js';
import { reconnectDelay, type ReconnectRules } from './reconnect-policy.js';
import { StreamEndedError } from './stream-ended-error.js';
import type { StreamProgress } from './stream-progress.js';
import type { StreamSource } from './stream-source.js';

/** The errors that say that there is no subscription, of this task or at all. */
const NOT_SUBSCRIBABLE: ReadonlySet<string> = new Set([
  'UnsupportedOperationError',
  'MethodNotFoundError',
  'MethodNotAllowedError',
]);

/** Takes a stream up again after it broke, by the rules of its policy. */
export class Resumption {
  /** Attempts since something new came. */
  #attempts = 0;
  #isResumed = false;
  /** Whether the current connection has shown the task as it stands. */
  #hasSnapshot = false;
  /** Whether the current connection has brought more than that. */
  #hasAdvanced = false;
  #lastEventId: string | undefined;
  /** The server's last hint how long to wait, in milliseconds. */
  #hint = 0;
  /** The agent does not let us subscribe, so the task is asked for instead. */
  #polls = false;
  #polled: Task | undefined;

  constructor(
    private readonly source: StreamSource,
    private readonly rules: ReconnectRules,
    private readonly progress: StreamProgress,
    private readonly signal: AbortSignal,
  ) {}

  /** Notes an event that came; `false` for one that a resumed connection only repeats. */
  accepts({ event, id }: ReceivedEvent): boolean {
    if (this.#isResumed && !this.#hasSnapshot && !event.task && this.#isRepeated(id)) return false;
    this.#lastEventId = id ?? this.#lastEventId;
    if (event.task && !this.#hasAdvanced && !this.#hasSnapshot) this.#hasSnapshot = true;
    else this.#hasAdvanced = true;
    return true;
  }

  /**
   * Whether the task, as a resumed connection found it, waits for input: the connection that broke would have ended
   * there, and a new subscription stays open for what the next message brings.
   */
  get hasFoundTurnOver(): boolean {
    return this.#isResumed && !this.#hasAdvanced && this.progress.isTurnOver;
  }

  /**
   * Another stream in the place of one that broke.
   *
   * @param cause why it broke; `undefined` if the agent just closed it
   * @throws StreamEndedError after as many failures in a row as the policy allows
   */
  async resume(cause: unknown, hint: number | undefined): Promise<EventStream> {
    const { taskId } = this.progress;
    this.#hint = hint ?? this.#hint;
    if (this.#hasAdvanced) this.#attempts = 0;
    for (let failure = cause; ;) {
      if (taskId === undefined || this.#attempts >= this.rules.maxAttempts) throw this.ended(failure);
      this.#attempts++;
      const wait = Math.max(this.#hint, retryAfter(failure));
      await pause(reconnectDelay(this.#attempts, this.rules, wait), this.signal);
      try {
        const stream = await this.#attempt(taskId);
        this.#isResumed = true;
        this.#hasSnapshot = false;
        this.#hasAdvanced = false;
        return stream;
      } catch (error) {
        if (this.signal.aborted || !isTransient(error)) throw error;
        failure = error;
      }
    }
  }

  /** The error of a stream that stays broken. */
  ended(cause: unknown): StreamEndedError {
    const { taskId, task } = this.progress;
    const reason = cause instanceof Error ? cause.message : 'the agent closed it';
    const details = {
      attempts: this.#attempts,
      cause,
      ...(taskId !== undefined && { taskId }),
      ...(task && { task }),
    };
    return new StreamEndedError(reason, details);
  }

  async #attempt(taskId: string): Promise<EventStream> {
    if (!this.#polls) {
      try {
        return await this.source.resume(taskId, this.signal, this.#lastEventId);
      } catch (error) {
        // A task that has ended meanwhile, or an agent that does not serve subscriptions: asking for the task tells.
        if (!isA2AError(error) || !NOT_SUBSCRIBABLE.has(error.name)) throw error;
        this.#polls = true;
      }
    }
    return this.#poll(taskId);
  }

  /** The task as it is now, in the form of a stream; one that has not changed since the last time brings nothing. */
  async #poll(taskId: string): Promise<EventStream> {
    const task = await this.source.getTask(taskId, this.signal);
    const before = this.#polled;
    this.#polled = task;
    if (before && isDeepStrictEqual(before, task)) return streamOf([]);
    if (before) this.#attempts = 0;
    return streamOf([{ event: { task } }]);
  }

  #isRepeated(id: string | undefined): boolean {
    if (id === undefined || this.#lastEventId === undefined) return false;
    return (
      id === this.#lastEventId || (isNumber(id) && isNumber(this.#lastEventId) && +id <= +this.#lastEventId)
    );
  }
}

function isNumber(id: string): boolean {
  return /^\d{1,15}$/.test(id);
}

function streamOf(events: readonly ReceivedEvent[]): EventStream {
  return {
    retry: undefined,
    close: () => undefined,
    async *[Symbol.asyncIterator]() {
      yield* events;
    },
  };
}

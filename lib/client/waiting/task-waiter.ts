import type { GetTaskRequest, SendMessageRequest, SendMessageResponse, Task } from '../../protocol/index.js';
import type { CallOptions } from '../client-binding.js';
import { outcomeOf, type Outcome } from '../outcome.js';
import { isTask, type SendResult } from '../results.js';
import { delayBefore, type BackOff } from '../timing/back-off.js';
import { abortable, LONGEST, pause } from '../../net/pause.js';
import { isCutShort, isTransient, retryAfter } from '../timing/transient.js';
import { PollTimeoutError } from './poll-timeout-error.js';
import { pollRules, type WaitOptions } from './wait-options.js';

type SendRequest = SendMessageRequest<Uint8Array | string>;

/** The operations that waiting takes. */
export interface WaitingCalls {
  sendMessage(request: SendRequest, options: CallOptions): Promise<SendResult>;
  getTask(request: GetTaskRequest, options: CallOptions): Promise<Task<Uint8Array>>;
}

/** Waits for one task, from its beginning to its time-out. */
export class TaskWaiter {
  readonly #rules: BackOff;
  readonly #end = new AbortController();
  #lastTask: Task<Uint8Array> | undefined;
  #lastError: unknown;

  /** @throws InvalidParamsError for options without a `timeout` */
  constructor(
    private readonly calls: WaitingCalls,
    private readonly options: CallOptions & WaitOptions,
  ) {
    this.#rules = pollRules(options);
  }

  /**
   * Sends a message and waits for its outcome: the agent's direct answer, or that of its task. A new task is asked for at
   * once. One that is continued may look for a while as it did before, so there the agent's answer is waited for, and the
   * task only asked for if the connection does not last that long.
   */
  send(request: SendRequest): Promise<Outcome> {
    const { tenant, message, configuration } = request;
    const { taskId = '' } = message;
    const returnImmediately = taskId === '';
    const detached = { ...request, configuration: { ...configuration, returnImmediately } };
    const query = (id: string): GetTaskRequest => ({ ...(tenant !== undefined && { tenant }), id });
    // Whether the agent returns at once or not, it may take as long as the caller waits.
    const timeout = Math.min(this.options.timeout, LONGEST);
    return this.#run(async (options) => {
      try {
        const sending = this.calls.sendMessage(detached, { ...options, timeout });
        const sent = await abortable(sending, this.#end.signal);
        if (!isTask(sent)) return { kind: 'message', message: sent };
        return this.#see({ task: sent }) ?? (await this.#poll(query(sent.id), options, 1));
      } catch (error) {
        if (returnImmediately || this.#end.signal.aborted || !isCutShort(error)) throw error;
        this.#lastError = error;
        return this.#poll(query(taskId), options, 1);
      }
    });
  }

  /** Waits for a task that there is already. */
  wait(request: GetTaskRequest): Promise<Outcome> {
    return this.#run((options) => this.#poll(request, options, 0));
  }

  async #run(waiting: (options: CallOptions) => Promise<Outcome>): Promise<Outcome> {
    const { timeout, poll: _, signal, ...options } = this.options;
    const late = new Error('The time to wait has passed');
    const timer = setTimeout(() => this.#end.abort(late), Math.min(timeout, LONGEST));
    const abort = (): void => this.#end.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      if (signal?.aborted) throw signal.reason;
      return await waiting({ ...options, signal: this.#end.signal });
    } catch (error) {
      if (this.#end.signal.reason !== late) throw error;
      throw new PollTimeoutError(timeout, this.#lastTask, this.#lastError);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Asks for the task until it has an outcome, each time after the delay of its attempt; there is none before 0. */
  async #poll(request: GetTaskRequest, options: CallOptions, attempt: number): Promise<Outcome> {
    const { signal } = this.#end;
    const { historyLength } = this.options.poll ?? {};
    const query = { ...request, ...(historyLength !== undefined && { historyLength }) };
    for (let least = 0; ; attempt++) {
      if (attempt > 0) await pause(Math.max(delayBefore(attempt, this.#rules), least), signal);
      try {
        const task = await abortable(this.calls.getTask(query, { retry: false, ...options }), signal);
        const outcome = this.#see({ task });
        if (outcome) return outcome;
        least = 0;
      } catch (error) {
        if (signal.aborted || !isTransient(error)) throw error;
        this.#lastError = error;
        least = retryAfter(error);
      }
    }
  }

  #see(response: SendMessageResponse<Uint8Array>): Outcome | undefined {
    this.#lastTask = response.task;
    this.#lastError = undefined;
    return outcomeOf(response);
  }
}

import type { Logger } from '@nestjs/common';
import {
  isA2AError,
  isCallError,
  isTerminal,
  TaskState,
  type Message,
  type SendMessageResponse,
} from '../protocol/index.js';
import { agentMessage, type TaskIds } from './agent-content.js';
import type { DirectReply } from './agent-executor.js';
import { DefaultTaskUpdater, type UpdaterTarget } from './default-task-updater.js';
import { Deferred } from './deferred.js';
import type { ResolvedEngineOptions } from './engine-options.js';
import type { LiveTask } from './live-task.js';
import { MessageQueue } from './message-queue.js';
import { statusChange, type TaskChange } from './task-changes.js';
import type { TaskUpdater } from './task-updater.js';
import { saidBy, traceOf } from './thrown-value.js';
import { droppedUpdate, TurnAbortedError, TurnEndedError } from './turn-errors.js';

/** Characters of content that may wait for the store before the agent is slowed. */
const QUEUED_SIZE = 1024 * 1024;

/**
 * One run of the executor. It is open until it published a state that ends it, was aborted, or the executor is
 * done; then its updater refuses.
 */
export class Turn implements UpdaterTarget {
  readonly ids: Required<TaskIds>;
  readonly updater: TaskUpdater;
  /** What the send that began the turn is answered: a direct message, the task at its next pause, or an error. */
  readonly answered = new Deferred<SendMessageResponse>();
  /** The executor has returned or thrown, and what follows from that is accepted. */
  readonly executed = new Deferred<void>();
  /** Nothing more can be published. */
  readonly closed = new Deferred<void>();
  /** Set while somebody cancels the turn. */
  cancellation: Promise<void> | undefined;
  // Made when an agent first asks for them: an AbortController is dear, and most turns need neither.
  #controller: AbortController | undefined;
  #messages: MessageQueue | undefined;
  #open = true;
  #aborted: TurnAbortedError | undefined;
  #lastState: TaskState | undefined;
  #handedOver = false;
  #hasRefused = false;
  #deadline: NodeJS.Timeout | undefined;

  constructor(
    readonly live: LiveTask,
    private readonly options: ResolvedEngineOptions,
    private readonly logger: Logger,
    /** Called once, when nothing more can be published. */
    private readonly onClose: () => void,
  ) {
    this.ids = { taskId: live.id, contextId: live.contextId };
    this.updater = new DefaultTaskUpdater(this);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted && !this.#controller.signal.aborted) this.#controller.abort(this.#aborted);
    return this.#controller.signal;
  }

  get messages(): MessageQueue {
    this.#messages ??= new MessageQueue();
    if (!this.#open || this.#aborted) this.#messages.end();
    return this.#messages;
  }

  get open(): boolean {
    return this.#open;
  }

  get aborted(): boolean {
    return this.#aborted !== undefined;
  }

  get handedOver(): boolean {
    return this.#handedOver;
  }

  get state(): TaskState {
    return this.live.state;
  }

  get nesting(): number {
    return this.options.limits.nesting;
  }

  /** Runs the executor and draws the consequences of how it ends. */
  async run(execute: () => Promise<DirectReply | void>): Promise<void> {
    if (this.options.turnTimeout !== undefined) {
      this.#deadline = setTimeout(() => {
        this.#timeOut();
      }, this.options.turnTimeout);
    }
    try {
      this.#returned((await execute()) ?? undefined);
    } catch (error) {
      this.#threw(error);
    } finally {
      this.executed.resolve();
    }
  }

  accept(change: TaskChange): Promise<void> | undefined {
    const state = 'statusUpdate' in change ? change.statusUpdate.status.state : undefined;
    if (!this.#open) throw new TurnEndedError(this.live.id);
    if (this.#aborted && state !== TaskState.Canceled) throw this.#aborted;
    if (state === undefined) {
      this.live.queue(change);
      const isFull =
        this.live.queued >= this.options.limits.queuedEvents || this.live.queuedSize >= QUEUED_SIZE;
      return isFull ? this.live.settled() : undefined;
    }
    this.#lastState = state;
    const ends = isTerminal(state) || state === TaskState.InputRequired;
    const stored = this.live.change(change, ends);
    if (ends) this.close();
    return stored;
  }

  answer(reply: DirectReply): Promise<void> {
    if (!this.#open) throw new TurnEndedError(this.live.id);
    if (this.#aborted) throw this.#aborted;
    const { visible, contextId } = this.live;
    const message = agentMessage(reply, visible ? this.ids : { contextId }, this.nesting);
    if (visible) return this.end(TaskState.Completed, message);
    this.close();
    this.answered.resolve({ message });
    return Promise.resolve();
  }

  handOver(): void {
    if (this.#open) this.#handedOver = true;
  }

  refused(reason: unknown): void {
    // What comes after somebody else has ended the turn is no mistake of the agent.
    if (this.#aborted || this.#hasRefused) return;
    this.#hasRefused = true;
    this.logger.warn(droppedUpdate(this.live.id, reason));
  }

  /** Aborts the signal; from here on only a cancellation can be published. */
  abort(why: TurnAbortedError['why']): void {
    if (this.#aborted) return;
    this.#aborted = new TurnAbortedError(this.live.id, why);
    this.#controller?.abort(this.#aborted);
    // No message is handed to the agent any more, so one that waits for the next must not wait on.
    this.#messages?.end();
  }

  /** Ends the turn with a state of the library's own; nothing if it has ended. */
  end(state: TaskState, said?: string | Message): Promise<void> {
    if (!this.#open) return this.live.settled();
    this.#lastState = state;
    const message = typeof said === 'string' ? agentMessage(said, this.ids, this.nesting) : said;
    const stored = this.live.change(statusChange(this.ids, state, message), true);
    this.close();
    return stored;
  }

  /** Ends the turn without a word. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#deadline);
    this.#messages?.end();
    this.closed.resolve();
    this.onClose();
  }

  #returned(reply: DirectReply | undefined): void {
    if (!this.#open || this.#aborted) {
      if (reply)
        this.logger.warn(`Task ${this.live.id}: a message returned after the end of the turn is dropped`);
      return;
    }
    if (reply) {
      void this.answer(reply).catch(() => undefined);
    } else if (this.#handedOver || this.#lastState === TaskState.AuthRequired) {
      this.close();
      void this.live.release().catch(() => undefined);
    } else {
      this.logger.warn(
        `Task ${this.live.id}: execute() returned, but the task has not ended; await complete(), fail(), reject(), ` +
          `cancel() or requireInput(), return a message, or call handOver()`,
      );
      void this.end(TaskState.Failed, 'The agent stopped without finishing the task').catch(() => undefined);
    }
  }

  #threw(error: unknown): void {
    if (!this.#open || this.#aborted) {
      // A refused update that the agent passes on is the echo of the end of its turn.
      const echo = error instanceof TurnEndedError || error === this.#aborted || this.#aborted !== undefined;
      if (!echo)
        this.logger.warn(
          `Task ${this.live.id}: the agent failed after the end of its turn: ${saidBy(error)}`,
        );
      return;
    }
    // What another agent answered is about the request that it was sent, not about the one that this one was.
    if (!this.live.visible && isA2AError(error) && !isCallError(error)) {
      this.close();
      this.answered.reject(error);
      return;
    }
    this.logger.error(`Task ${this.live.id}: the agent failed`, traceOf(error));
    void this.end(TaskState.Failed, this.#describe(error)).catch(() => undefined);
  }

  #describe(error: unknown): string {
    const general = 'The agent failed';
    if (this.options.hideErrorMessages) return general;
    // Its message may name hosts and say things that are for this agent alone; the log has it.
    if (isCallError(error)) return 'A call to another agent failed';
    return saidBy(error) || general;
  }

  #timeOut(): void {
    if (!this.#open) return;
    this.abort('timed out');
    void this.end(TaskState.Failed, 'The agent took too long').catch(() => undefined);
  }
}

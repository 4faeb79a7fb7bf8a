import {
  FoldedTask,
  isInterrupted,
  isTerminal,
  TaskState,
  taskToBytes,
  toBytes,
  type Message,
  type StreamResponse,
  type Task,
} from '../../protocol/index.js';
import { outcomeOf, type Outcome } from '../outcome.js';
import { BriefTask } from './brief-task.js';

/** How far a stream has come: its events, folded. */
export class StreamProgress {
  #task: FoldedTask | BriefTask | undefined;
  #message: Message | undefined;
  /** A subscription found the task waiting for input, and nothing came of it yet. */
  #isAwaited = false;

  constructor(
    private readonly accumulate: boolean,
    /** The task that a subscription asks for. */
    private readonly askedFor?: string,
  ) {}

  /** The task that the stream is about, once it is known. */
  get taskId(): string | undefined {
    return this.#task?.id ?? this.askedFor;
  }

  get state(): TaskState | undefined {
    return this.#task?.state;
  }

  /** The task as it stands. */
  get task(): Task<Uint8Array> | undefined {
    return this.#task && taskToBytes(this.#task.snapshot());
  }

  /** Whether nothing more can come: a message came, or the task has ended. */
  get isSettled(): boolean {
    return this.#message !== undefined || (this.#task !== undefined && isTerminal(this.#task.state));
  }

  /** Whether the task waits for its client, so that the stream may go on or not. */
  get isPaused(): boolean {
    return this.#task !== undefined && isInterrupted(this.#task.state);
  }

  /**
   * Whether the task waits for input because its turn ended in this stream, so that agents end it here (§11.7). One that
   * was subscribed to while it waited goes on with the next message.
   */
  get isTurnOver(): boolean {
    return this.state === TaskState.InputRequired && !this.#isAwaited;
  }

  /** What the stream amounts to; `undefined` while the task is at work. */
  get outcome(): Outcome | undefined {
    if (this.#message) return outcomeOf({ message: toBytes(this.#message) });
    const { task } = this;
    return task && outcomeOf({ task });
  }

  /** Folds an event. What is about another task is not folded. */
  take(event: StreamResponse): void {
    const { task, message, statusUpdate, artifactUpdate } = event;
    if (message) {
      this.#message = message;
      return;
    }
    const id = task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId;
    if (this.taskId !== undefined && id !== this.taskId) return;
    if (!this.#task) {
      this.#task = this.#begin(event);
      this.#isAwaited = this.askedFor !== undefined && task?.status.state === TaskState.InputRequired;
      if (task) return;
    }
    if (this.#task instanceof BriefTask) this.#task.apply(event);
    else if (artifactUpdate) this.#task.apply({ seq: 0, artifactUpdate });
    else if (statusUpdate) this.#task.apply({ seq: 0, statusUpdate });
    else this.#task.apply({ seq: 0, task });
    if (statusUpdate ?? this.state !== TaskState.InputRequired) this.#isAwaited = false;
  }

  /** The task as it begins; an update before any task says at least whose it is. */
  #begin({ task, statusUpdate, artifactUpdate }: StreamResponse): FoldedTask | BriefTask {
    const { taskId = '', contextId = '' } = statusUpdate ?? artifactUpdate ?? {};
    const known = task ?? {
      id: taskId,
      ...(contextId !== '' && { contextId }),
      status: statusUpdate?.status ?? { state: TaskState.Unspecified },
    };
    return this.accumulate ? FoldedTask.from(known) : new BriefTask(known);
  }
}

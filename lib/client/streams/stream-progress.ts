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
import type { StreamSource } from './stream-source.js';

/** How far a stream has come: its events, folded. */
export class StreamProgress {
  #task: FoldedTask | BriefTask | undefined;
  #message: Message | undefined;
  /** The stream found the task waiting for its client, and nothing came of it yet. */
  #isAwaited = false;

  constructor(
    private readonly accumulate: boolean,
    /** The task that the stream asks for. */
    private readonly asked: Pick<StreamSource, 'taskId' | 'isContinued'> = {},
  ) {}

  /** The task that the stream is about, once it is known. */
  get taskId(): string | undefined {
    return this.#task?.id ?? this.asked.taskId;
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
    // What a message continues begins as it was before: that is no answer to the message.
    const isUnanswered = this.#isAwaited && this.asked.isContinued;
    return this.#task !== undefined && isInterrupted(this.#task.state) && !isUnanswered;
  }

  /**
   * Whether the task waits for input because its turn ended in this stream, so that agents end it here (§11.7). One that
   * waited before goes on with the next message.
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
    if (this.#task && id !== this.#task.id) return;
    if (!this.#task) {
      this.#task = this.#begin(event);
      this.#isAwaited = task !== undefined && this.#wasWaiting(task);
      if (task) return;
    }
    if (this.#task instanceof BriefTask) this.#task.apply(event);
    else if (artifactUpdate) this.#task.apply({ seq: 0, artifactUpdate });
    else if (statusUpdate) this.#task.apply({ seq: 0, statusUpdate });
    else this.#task.apply({ seq: 0, task });
    if (statusUpdate ?? (task && !this.#wasWaiting(task))) this.#isAwaited = false;
  }

  /** Whether a task that the stream shows as it stands waited before the stream was opened. */
  #wasWaiting({ status }: Task): boolean {
    const { taskId, isContinued } = this.asked;
    // What it said then is history once a message continues it, so it has asked anew if it says something.
    return taskId !== undefined && isInterrupted(status.state) && !(isContinued && status.message);
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

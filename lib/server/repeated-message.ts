import {
  isTerminal,
  TaskState,
  type Message,
  type SendMessageResponse,
  type Task,
} from '../protocol/index.js';
import type { TaskEngine } from './task-engine.js';
import { isPaused, pauseOf } from './task-pause.js';
import type { TaskRecord } from './task-record.js';
import type { TaskStream } from './task-stream.js';

/** Answers for a message that was taken before, by the task that came of it. */
export class RepeatedMessage {
  constructor(
    private readonly engine: TaskEngine,
    private readonly record: TaskRecord,
    private readonly message: Message,
  ) {}

  /** The task as it stands. */
  get task(): Task {
    return this.record.task;
  }

  /** The task at the pause of the turn that the message began, or as it stands if that is over. */
  async wait(): Promise<SendMessageResponse> {
    const { id } = this.record;
    return { task: await pauseOf(this.engine, id, this.record, (record) => !this.#isAtWork(record)) };
  }

  /** The task and what follows; it ends where the stream of the first message has ended. */
  async stream(historyLength: number | undefined): Promise<TaskStream> {
    const { id } = this.record;
    const follower = this.engine.feeds.follow(id, historyLength);
    try {
      const record = await this.engine.load(id, this.record);
      follower.start(record.task, record.seq);
      const { state } = record.task.status;
      const waits = state === TaskState.InputRequired && !this.#isAtWork(record);
      if (isTerminal(state) || waits) follower.endAfterFirst();
      return follower;
    } catch (error) {
      follower.close();
      throw error;
    }
  }

  /** Whether the turn that the message began goes on, and has not paused. */
  #isAtWork({ task: { status }, run }: TaskRecord): boolean {
    if (!isPaused(status.state)) return true;
    // A turn on a task that waited: the state is that of the turn before until the agent says something.
    const isOfTurn = run?.terms?.messageId === this.message.messageId;
    return isOfTurn && !isTerminal(status.state) && status.message === undefined;
  }
}

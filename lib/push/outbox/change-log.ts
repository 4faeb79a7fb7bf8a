import { FoldedTask, type StreamResponse, type TaskEvent } from '../../protocol/index.js';
import { systemScope, type SystemScope } from '../../server/task-scope.js';
import type { TaskStore } from '../../server/task-store.js';
import { ChangePayload } from '../change-payload.js';
import type { Change } from './recent-changes.js';

/** Events that are read at once. */
const PAGE = 100;

/**
 * Reads the changes of one task from the log of its store, folding its events on the way: a backlog costs its events once,
 * and not the task again for each of them.
 */
export class ChangeLog {
  readonly #scope: SystemScope;
  /** The task after event `#folded`; absent where the event itself is shown. */
  #task: FoldedTask | undefined;
  #folded = 0;
  /** Number of the last event that was read. */
  #seq = -1;
  /** Events that are read and come next. */
  #events: TaskEvent[] = [];

  constructor(
    private readonly store: TaskStore,
    agent: string,
    private readonly taskId: string,
    private readonly showsTask: boolean,
  ) {
    this.#scope = systemScope(agent);
  }

  /**
   * The first change behind `after`; `undefined` if there is none up to `target`. Where the log does not reach back so far, it is
   * the task as it stands, as the change `target`.
   */
  async next(after: number, target: number): Promise<Change | undefined> {
    if (this.#seq < 0 || this.#seq > after) {
      const stands = await this.#begin(after, target);
      if (stands) return stands;
    }
    while (this.#seq < target) {
      const event = this.#events.shift() ?? (await this.#read());
      if (!event) return undefined;
      this.#fold(event);
      const shown = shownBy(event);
      if (shown && event.seq > after) return this.#change(event.seq, shown);
    }
    return undefined;
  }

  /** Goes to where folding can begin for what comes behind `after`; gives the task as it stands if there is no such place. */
  async #begin(after: number, target: number): Promise<Change | undefined> {
    this.#task = undefined;
    this.#folded = 0;
    this.#seq = this.showsTask ? 0 : after;
    const isLast = this.showsTask && target === after + 1;
    const last = isLast ? await this.store.get(this.taskId, this.#scope) : undefined;
    if (last?.seq === target) {
      // The newest event alone: nothing need be folded.
      this.#seq = after;
      this.#task = FoldedTask.from(last.task);
      this.#folded = target;
    }
    this.#events = [...((await this.#page()) ?? [])];
    if (this.#events[0]?.seq === this.#seq + 1) return undefined;
    this.#seq = -1;
    const task = (last ?? (await this.store.get(this.taskId, this.#scope)))?.task;
    return task && { seq: target, payload: new ChangePayload(() => ({ task })), isArtifact: false };
  }

  async #read(): Promise<TaskEvent | undefined> {
    this.#events = [...((await this.#page()) ?? [])];
    return this.#events.shift();
  }

  #page(): Promise<readonly TaskEvent[] | undefined> {
    return this.store.events(this.taskId, this.#scope, { after: this.#seq, limit: PAGE });
  }

  #fold(event: TaskEvent): void {
    this.#seq = event.seq;
    if (!this.showsTask || event.seq <= this.#folded) return;
    this.#folded = event.seq;
    if (this.#task) this.#task.apply(event);
    else if ('task' in event) this.#task = FoldedTask.from(event.task);
  }

  #change(seq: number, shown: StreamResponse): Change {
    const moment = this.#task?.moment();
    const payload = new ChangePayload(moment ? () => ({ task: moment.toTask() }) : () => shown);
    return { seq, payload, isArtifact: shown.artifactUpdate !== undefined };
  }
}

/** What streams show of an event. */
function shownBy({ seq: _seq, ...payload }: TaskEvent): StreamResponse | undefined {
  return 'message' in payload || 'patch' in payload ? undefined : payload;
}

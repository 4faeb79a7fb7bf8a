import { deepFreeze } from '../codec/index.js';
import type { TaskState } from '../task-state.js';
import type {
  Artifact,
  JsonObject,
  Message,
  Part,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatus,
  TaskStatusUpdateEvent,
} from '../types/index.js';
import { ById } from './by-id.js';
import { mergedMetadata } from './merged-metadata.js';
import { artifactOf, TaskMoment, type ArtifactMoment } from './task-moment.js';
import type { TaskEvent } from './task-event.js';

/**
 * A task that is being folded from its events (§4.2).
 *
 * The cost of an event is its own size, never that of the task: only {@link snapshot} walks the task, on demand.
 * Messages, parts and metadata are shared with the events and frozen, which costs next to nothing where they are
 * frozen already; the objects and arrays above them are made anew for every snapshot, for its owner to change.
 */
export class FoldedTask {
  #id: string;
  #contextId: string | undefined;
  #status: TaskStatus;
  readonly #artifacts = new ById(artifactId);
  readonly #history = new ById(messageId);
  #metadata: JsonObject | undefined;

  private constructor(task: Task) {
    this.#id = task.id;
    this.#contextId = task.contextId;
    this.#status = task.status;
    this.#replace(task);
  }

  static from(task: Task): FoldedTask {
    return new FoldedTask(task);
  }

  get id(): string {
    return this.#id;
  }

  get contextId(): string | undefined {
    return this.#contextId;
  }

  /** The current status; not to be changed. */
  get status(): Readonly<TaskStatus> {
    return this.#status;
  }

  get state(): TaskState {
    return this.#status.state;
  }

  /** Folds one event; what each kind does stands at {@link TaskEvent}. */
  apply(event: TaskEvent): void {
    if ('artifactUpdate' in event) this.#applyArtifact(event.artifactUpdate);
    else if ('statusUpdate' in event) this.#applyStatus(event.statusUpdate);
    else if ('message' in event) this.#applyMessage(event.message);
    else if ('patch' in event) this.#applyPatch(event.patch);
    else this.#replace(event.task);
  }

  /** The task as it stands. `false` leaves the artifacts out, at no cost for them. */
  snapshot(includeArtifacts = true): Task {
    const task = { id: this.#id } as Task;
    if (this.#contextId !== undefined) task.contextId = this.#contextId;
    task.status = { ...this.#status };
    const artifacts = includeArtifacts ? this.#artifacts.entries : [];
    if (artifacts.length > 0) task.artifacts = artifacts.map((artifact) => artifact.snapshot());
    if (this.#history.entries.length > 0) task.history = [...this.#history.entries];
    if (this.#metadata !== undefined) task.metadata = { ...this.#metadata };
    return task;
  }

  /**
   * @internal The task as it stands, to be put together later. It costs the number of artifacts, not what is in them, and shares
   * everything with the task.
   */
  moment(): TaskMoment {
    const { entries } = this.#history;
    const head = { id: this.#id, contextId: this.#contextId, status: this.#status, metadata: this.#metadata };
    const artifacts = this.#artifacts.entries.map((artifact) => artifact.moment());
    return new TaskMoment(head, artifacts, { entries, length: entries.length });
  }

  #replace(task: Task): void {
    this.#id = task.id;
    this.#contextId = task.contextId;
    this.#status = deepFreeze({ ...task.status });
    this.#metadata = task.metadata && deepFreeze({ ...task.metadata });
    this.#artifacts.reset(task.artifacts?.map((artifact) => new FoldedArtifact(artifact)));
    this.#history.reset(task.history?.map(deepFreeze));
  }

  #applyMessage(message: Message): void {
    const { message: superseded, ...status } = this.#status;
    if (superseded) {
      this.#history.add(superseded);
      this.#status = Object.freeze(status);
    }
    // A client may use an id again for other words, and what it said must not be lost; what it only repeats is.
    if (!this.#hasInHistory(message)) this.#history.push(deepFreeze(message));
  }

  #hasInHistory(message: Message): boolean {
    const { messageId } = message;
    if (this.#history.get(messageId) === undefined) return false;
    return this.#history.entries.some(
      (entry) => entry.messageId === messageId && wordsOf(entry) === wordsOf(message),
    );
  }

  #applyPatch({ history = [], metadata }: Pick<Task, 'history' | 'metadata'>): void {
    if (metadata) this.#metadata = deepFreeze(metadata);
    for (const message of history) this.#history.add(deepFreeze(message));
  }

  #applyStatus({ status, metadata }: TaskStatusUpdateEvent): void {
    const before = this.#status.message;
    // The same message said again is still the current one and not superseded.
    if (before && before.messageId !== status.message?.messageId) this.#history.add(before);
    this.#status = deepFreeze(status);
    if (metadata) this.#metadata = deepFreeze(mergedMetadata(this.#metadata, metadata));
  }

  #applyArtifact({ artifact, append }: TaskArtifactUpdateEvent): void {
    const known = this.#artifacts.get(artifact.artifactId);
    if (!known) this.#artifacts.add(new FoldedArtifact(artifact));
    else if (append) known.append(artifact);
    else known.replace(artifact);
  }
}

/** An artifact whose parts grow in place; until it grows, it shares the parts of the event it came from. */
class FoldedArtifact {
  #artifact: Artifact;
  #grown: Part[] | undefined;
  /** Until the artifact changes the next time. */
  #moment: ArtifactMoment | undefined;

  constructor(artifact: Artifact) {
    this.#artifact = deepFreeze(artifact);
  }

  get id(): string {
    return this.#artifact.artifactId;
  }

  replace(artifact: Artifact): void {
    this.#artifact = deepFreeze(artifact);
    this.#grown = undefined;
    this.#moment = undefined;
  }

  append(piece: Artifact): void {
    this.#grown ??= [...this.#artifact.parts];
    for (const part of deepFreeze(piece.parts)) this.#grown.push(part);
    // Fields other than the id and the parts, which stand in the grown list by now.
    if (Object.keys(piece).length > 2) this.#artifact = deepFreeze({ ...this.#artifact, ...piece });
    this.#moment = undefined;
  }

  snapshot(): Artifact {
    return artifactOf(this.#artifact, [...this.#parts]);
  }

  moment(): ArtifactMoment {
    const entries = this.#parts;
    return (this.#moment ??= { artifact: this.#artifact, parts: { entries, length: entries.length } });
  }

  get #parts(): readonly Part[] {
    return this.#grown ?? this.#artifact.parts;
  }
}

// Functions of the module and not of each task: there are many tasks.
function artifactId(artifact: FoldedArtifact): string {
  return artifact.id;
}

function messageId(message: Message): string {
  return message.messageId;
}

/** What a message says, wherever it was said. */
function wordsOf({ taskId: _task, contextId: _context, ...said }: Message): string {
  return JSON.stringify(said);
}

import { TaskState, type Message, type Part, type StreamResponse } from '../protocol/index.js';
import { agentArtifact, agentMessage, type TaskIds } from './agent-content.js';
import { artifactChange, changesOf, statusChange, type TaskChange } from './task-changes.js';
import type { ArtifactOptions, StatusText, TaskUpdater } from './task-updater.js';

/** Where an updater sends what its agent says. */
export interface UpdaterTarget {
  readonly ids: Required<TaskIds>;
  /** The state with everything accepted so far. */
  readonly state: TaskState;
  readonly nesting: number;
  /**
   * Takes a change; resolves when it is stored, or gives `undefined` if it is queued and there is no need to wait. What
   * it rejects with need not be handled. Throws after the end.
   */
  accept(change: TaskChange): Promise<void> | undefined;
  /** Takes a direct message. */
  answer(message: Message): Promise<void>;
  handOver(): void;
  /** Told of what is refused at once. */
  refused(reason: unknown): void;
}

/** The updater that agents get. */
export class DefaultTaskUpdater implements TaskUpdater {
  readonly taskId: string;
  readonly contextId: string;

  constructor(private readonly target: UpdaterTarget) {
    this.taskId = target.ids.taskId;
    this.contextId = target.ids.contextId;
  }

  working(message?: StatusText): Promise<void> {
    return this.#status(TaskState.Working, message);
  }

  requireInput(message: StatusText): Promise<void> {
    return this.#status(TaskState.InputRequired, message);
  }

  requireAuth(message: StatusText): Promise<void> {
    return this.#status(TaskState.AuthRequired, message);
  }

  complete(message?: StatusText): Promise<void> {
    return this.#status(TaskState.Completed, message);
  }

  fail(message?: StatusText): Promise<void> {
    return this.#status(TaskState.Failed, message);
  }

  reject(message?: StatusText): Promise<void> {
    return this.#status(TaskState.Rejected, message);
  }

  cancel(message?: StatusText): Promise<void> {
    return this.#status(TaskState.Canceled, message);
  }

  addArtifact(parts: Part<Uint8Array | string>[], options: ArtifactOptions = {}): Promise<string> {
    return this.#attempt(() => {
      const { stored, artifactId } = this.#accept(parts, options, false);
      return stored ? handled(stored.then(() => artifactId)) : Promise.resolve(artifactId);
    });
  }

  appendArtifact(
    artifactId: string,
    parts: Part<Uint8Array | string>[],
    options: Omit<ArtifactOptions, 'artifactId'> = {},
  ): Promise<void> {
    return this.#attempt(() => this.#accept(parts, { ...options, artifactId }, true).stored ?? DONE);
  }

  publish(event: StreamResponse): Promise<void> {
    const { ids, state, nesting } = this.target;
    return this.#attempt(() => {
      const meaning = changesOf(event, ids, state, nesting);
      if ('message' in meaning) return this.target.answer(meaning.message);
      // Accepted together before the first is awaited, so that nothing comes between them.
      const stored = meaning.changes.map((change) => this.target.accept(change));
      return handled(Promise.all(stored.filter((each) => each !== undefined)).then(() => undefined));
    });
  }

  handOver(): void {
    this.target.handOver();
  }

  #status(state: TaskState, said: StatusText | undefined): Promise<void> {
    const { ids, nesting } = this.target;
    return this.#attempt(() => {
      const message = said === undefined ? undefined : agentMessage(said, ids, nesting);
      return this.target.accept(statusChange(ids, state, message)) ?? DONE;
    });
  }

  #accept(
    parts: Part<Uint8Array | string>[],
    options: ArtifactOptions,
    append: boolean,
  ): { stored: Promise<void> | undefined; artifactId: string } {
    const { ids, nesting } = this.target;
    const artifact = agentArtifact(parts, options, nesting);
    const change = artifactChange(ids, artifact, { append, lastChunk: options.lastChunk });
    return { stored: this.target.accept(change), artifactId: artifact.artifactId };
  }

  /** What is thrown at once is a rejection like any other. */
  #attempt<T>(action: () => Promise<T>): Promise<T> {
    try {
      return action();
    } catch (error) {
      this.target.refused(error);
      return handled(Promise.reject(error as Error));
    }
  }
}

const DONE = Promise.resolve();

/** An agent need not await its updater: a refusal that nobody awaits must not end the process. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

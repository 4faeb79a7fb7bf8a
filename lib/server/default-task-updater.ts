import { TaskState, type Message, type Part, type StreamResponse } from '../protocol/index.js';
import { agentArtifact, agentMessage, type TaskIds } from './agent-content.js';
import { artifactChange, changesOf, statusChange } from './task-changes.js';
import type { TaskChange } from './live-task.js';
import type { ArtifactOptions, StatusText, TaskUpdater } from './task-updater.js';

/** Where an updater sends what its agent says. */
export interface UpdaterTarget {
  readonly ids: Required<TaskIds>;
  /** The state with everything accepted so far. */
  readonly state: TaskState;
  readonly nesting: number;
  /** Takes a change; a state resolves when it is stored, anything else when it is queued. Throws after the end. */
  accept(change: TaskChange): Promise<void>;
  /** Takes a direct message. */
  answer(message: Message): Promise<void>;
  handOver(): void;
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
    return this.#artifact(parts, options, false);
  }

  appendArtifact(
    artifactId: string,
    parts: Part<Uint8Array | string>[],
    options: Omit<ArtifactOptions, 'artifactId'> = {},
  ): Promise<void> {
    return handled(this.#artifact(parts, { ...options, artifactId }, true).then(() => undefined));
  }

  publish(event: StreamResponse): Promise<void> {
    const { ids, state, nesting } = this.target;
    return attempt(async () => {
      const meaning = changesOf(event, ids, state, nesting);
      if ('message' in meaning) return this.target.answer(meaning.message);
      // Accepted together before the first is awaited, so that nothing comes between them.
      await Promise.all(meaning.changes.map((change) => this.target.accept(change)));
    });
  }

  handOver(): void {
    this.target.handOver();
  }

  #status(state: TaskState, said: StatusText | undefined): Promise<void> {
    const { ids, nesting } = this.target;
    return attempt(() => {
      const message = said === undefined ? undefined : agentMessage(said, ids, nesting);
      return this.target.accept(statusChange(ids, state, message));
    });
  }

  #artifact(parts: Part<Uint8Array | string>[], options: ArtifactOptions, append: boolean): Promise<string> {
    const { ids, nesting } = this.target;
    return attempt(async () => {
      const artifact = agentArtifact(parts, options, nesting);
      await this.target.accept(artifactChange(ids, artifact, { append, lastChunk: options.lastChunk }));
      return artifact.artifactId;
    });
  }
}

function attempt<T>(action: () => Promise<T>): Promise<T> {
  return handled((async () => action())());
}

/** An agent need not await its updater: a refusal that nobody awaits must not end the process. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

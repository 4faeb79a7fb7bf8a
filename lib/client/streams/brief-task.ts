import { mergedMetadata, type StreamResponse, type Task, type TaskState } from '../../protocol/index.js';

/** A task of which only id, context, status and metadata are kept: its size does not grow with its stream. */
export class BriefTask {
  #task: Task;

  constructor(task: Task) {
    this.#task = brief(task);
  }

  get id(): string {
    return this.#task.id;
  }

  get state(): TaskState {
    return this.#task.status.state;
  }

  apply({ task, statusUpdate }: StreamResponse): void {
    if (task) this.#task = brief(task);
    else if (statusUpdate) {
      const { status, metadata } = statusUpdate;
      this.#task = brief({ ...this.#task, status, metadata: mergedMetadata(this.#task.metadata, metadata) });
    }
  }

  snapshot(): Task {
    return { ...this.#task };
  }
}

function brief({ id, contextId, status, metadata }: Task): Task {
  return { id, ...(contextId !== undefined && { contextId }), status, ...(metadata && { metadata }) };
}

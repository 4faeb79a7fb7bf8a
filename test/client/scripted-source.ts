import type { EventStream, ReceivedEvent } from '../../lib/client/client-binding.js';
import type { StreamSource } from '../../lib/client/streams/stream-source.js';
import type { Artifact, Message, StreamResponse, Task, TaskState } from '../../lib/protocol/index.js';

/** What one connection brings: events, an error that breaks it, silence. It then ends. */
export type Step = StreamResponse | ReceivedEvent | Error | 'silence';
/** A connection, or the error of making it; a task is the answer to GetTask. */
export type Connection = readonly Step[] | Error;

export interface ConnectionOptions {
  retry?: number;
  isWhole?: boolean;
}

/** A connection with what its server says about it. */
export function connection(steps: readonly Step[], options: ConnectionOptions): readonly Step[] {
  return Object.assign([...steps], { options });
}

/** A source of streams that follows a script: each connection in its turn, each answer to GetTask likewise. */
export class ScriptedSource implements StreamSource {
  /** What was asked for, in order. */
  readonly calls: string[] = [];
  /** How many connections are open. */
  open_ = 0;
  /** How many steps were taken from connections. */
  taken = 0;
  readonly taskId?: string;
  readonly isContinued: boolean;
  readonly #connections: Connection[];
  readonly #tasks: (Task | Error)[];

  constructor(
    connections: readonly Connection[],
    { tasks = [], taskId, isContinued = false }: ScriptedOptions = {},
  ) {
    this.#connections = [...connections];
    this.#tasks = [...tasks];
    this.isContinued = isContinued;
    if (taskId !== undefined) this.taskId = taskId;
  }

  async open(): Promise<EventStream> {
    this.calls.push('open');
    return this.#connect();
  }

  async resume(taskId: string, _signal: AbortSignal, lastEventId?: string): Promise<EventStream> {
    this.calls.push(lastEventId === undefined ? `resume ${taskId}` : `resume ${taskId} after ${lastEventId}`);
    return this.#connect();
  }

  async getTask(taskId: string): Promise<Task> {
    this.calls.push(`get ${taskId}`);
    const task = this.#tasks.shift() ?? new Error('GetTask was not expected');
    if (task instanceof Error) throw task;
    return task;
  }

  #connect(): EventStream {
    const steps = this.#connections.shift() ?? new Error('No connection was expected');
    if (steps instanceof Error) throw steps;
    this.open_++;
    let wake = (): void => undefined;
    let isClosed = false;
    const close = (): void => {
      if (!isClosed) this.open_--;
      isClosed = true;
      wake();
    };
    const { options = {} } = steps as { options?: ConnectionOptions };
    const read = async function* (this: ScriptedSource): AsyncGenerator<ReceivedEvent> {
      for (const step of steps) {
        this.taken++;
        if (step instanceof Error) throw step;
        if (step === 'silence') await new Promise<void>((resolve) => (wake = resolve));
        else yield 'event' in step ? step : { event: step };
        if (isClosed) return;
      }
    };
    return { retry: undefined, ...options, close, [Symbol.asyncIterator]: () => read.call(this) };
  }
}

interface ScriptedOptions {
  tasks?: readonly (Task | Error)[];
  taskId?: string;
  isContinued?: boolean;
}

/** A task without bytes, so that it is one in JSON form and in that of clients. */
export function task(state: TaskState, fields: Partial<Task<never>> = {}): { task: Task<never> } {
  return { task: { id: 't', contextId: 'c', status: { state }, ...fields } };
}

export function status(state: TaskState, text?: string, taskId = 't'): StreamResponse {
  const message: Message | undefined =
    text === undefined ? undefined : { messageId: `m-${text}`, role: 'ROLE_AGENT', parts: [{ text }] };
  return { statusUpdate: { taskId, contextId: 'c', status: { state, ...(message && { message }) } } };
}

export function artifact(
  text: string,
  fields: Partial<Artifact> & { append?: boolean } = {},
): StreamResponse {
  const { append, ...rest } = fields;
  return {
    artifactUpdate: {
      taskId: 't',
      contextId: 'c',
      artifact: { artifactId: 'a', parts: [{ text }], ...rest },
      ...(append !== undefined && { append }),
    },
  };
}

export function message(text: string): { message: Message<never> } {
  return { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } };
}

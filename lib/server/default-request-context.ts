import { toBytes, type JsonObject, type Message, type Task } from '../protocol/index.js';
import type { CallContext } from './call-context.js';
import { dataAs } from './data-part.js';
import type { RequestContext } from './request-context.js';
import type { TaskStore } from './task-store.js';
import type { Turn } from './turn.js';

/** What a turn's context is made from. */
export interface TurnRequest {
  readonly message: Message;
  readonly acceptedOutputModes?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly call: CallContext;
  /** Which attempt at the message it is; absent for the first. */
  readonly attempt?: number;
}

/** The context that agents get. */
export class DefaultRequestContext implements RequestContext {
  readonly acceptedOutputModes: readonly string[];
  readonly metadata: JsonObject;
  readonly call: CallContext;
  readonly attempt: number;
  #message: Message<Uint8Array> | undefined;

  constructor(
    private readonly turn: Turn,
    private readonly request: TurnRequest,
    private readonly store: TaskStore,
  ) {
    this.acceptedOutputModes = request.acceptedOutputModes ?? [];
    this.metadata = request.metadata ?? {};
    this.call = request.call;
    this.attempt = request.attempt ?? 1;
  }

  get message(): Message<Uint8Array> {
    return (this.#message ??= toBytes(this.request.message));
  }

  get text(): string {
    return this.request.message.parts.flatMap(({ text }) => text ?? []).join('\n');
  }

  get taskId(): string {
    return this.turn.live.id;
  }

  get contextId(): string {
    return this.turn.live.contextId;
  }

  get task(): Task | undefined {
    return this.turn.live.visible ? this.turn.live.snapshot() : undefined;
  }

  get sessionKey(): string {
    const { tenant, owner } = this.turn.live.scope;
    return JSON.stringify([tenant ?? null, owner ?? null, this.contextId]);
  }

  get signal(): AbortSignal {
    return this.turn.signal;
  }

  get messages(): AsyncIterable<Message<Uint8Array>> {
    return this.turn.messages;
  }

  async relatedTasks(): Promise<Task[]> {
    const ids = this.request.message.referenceTaskIds ?? [];
    const records = await Promise.all(ids.map((id) => this.store.get(id, this.turn.live.scope)));
    return records.flatMap((record) => record?.task ?? []);
  }

  data<T extends object>(type: new () => T): Promise<T> {
    return dataAs(type, this.request.message);
  }
}

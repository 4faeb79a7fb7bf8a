import type { JsonObject, Message, Task } from '../protocol/index.js';
import type { CallContext } from './call-context.js';

/**
 * What a turn knows of the request that started it.
 *
 * @publicApi
 */
export interface RequestContext {
  /** The message that started the turn; bytes are decoded. */
  readonly message: Message<Uint8Array>;
  /** The text parts of the message, joined by line ends; empty if it has none. */
  readonly text: string;
  readonly taskId: string;
  readonly contextId: string;
  /** The task as it stands, the message included; `undefined` while a new task is not visible yet. */
  readonly task: Task | undefined;
  /** Names the conversation across owners: two owners may use the same `contextId`. */
  readonly sessionKey: string;
  /** Media types that the client can use; empty if it does not say. */
  readonly acceptedOutputModes: readonly string[];
  /** Metadata of the request. */
  readonly metadata: JsonObject;
  /** Who calls, and how. */
  readonly call: CallContext;
  /**
   * Which attempt at the message this is, from 1. It is higher where the process of an earlier attempt went away and the option
   * `recovery` is `'retry'`: what that one published is in {@link task}, and headers of the call are not there any more.
   */
  readonly attempt: number;
  /** Aborts on cancel, deadline, a lost lease and shutdown; never because a client went away. */
  readonly signal: AbortSignal;
  /** Messages that arrive while the turn runs, which happens at `TASK_STATE_AUTH_REQUIRED` (§7.6.1). */
  readonly messages: AsyncIterable<Message<Uint8Array>>;
  /** The tasks that the message refers to and the caller may see (§3.4.3). */
  relatedTasks(): Promise<Task[]>;
  /**
   * The first `data` part of the message as a class-validator DTO.
   *
   * @throws InvalidParamsError with one violation per fault if there is none or it does not fit
   */
  data<T extends object>(type: new () => T): Promise<T>;
}

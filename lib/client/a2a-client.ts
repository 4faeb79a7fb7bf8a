import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  Role,
  taskToBytes,
  toBytes,
  type AgentCard,
  type AgentInterface,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetExtendedAgentCardRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type SendMessageResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
} from '../protocol/index.js';
import type { AgentConnector } from './agent-connection.js';
import { calling, ofCall } from './call-errors.js';
import type { CallOptions } from './client-binding.js';
import { clientProtocolVersion, type ClientProtocolVersion } from './choose-interface.js';
import { ClientCalls } from './client-calls.js';
import { sendRequest, type Sendable } from './messages/user-message.js';
import type { Outcome } from './outcome.js';
import type { SendResult } from './results.js';
import { A2AStream, type StreamOptions } from './streams/a2a-stream.js';
import type { ReconnectPolicy } from './streams/reconnect-policy.js';
import { reconnectRules } from './streams/reconnect-policy.js';
import { sendSource, subscriptionSource, type StreamSource } from './streams/stream-source.js';
import { TaskWaiter } from './waiting/task-waiter.js';
import type { WaitOptions } from './waiting/wait-options.js';

/** How a client behaves, whatever its binding. */
export interface A2AClientOptions {
  /**
   * `true` fails a streaming send to an agent whose card does not declare streaming. By default one unary call is made in
   * its place, and its answer is the only event.
   */
  readonly strictStreaming?: boolean;
  /** How streams that break are taken up again; a number is short for `{ maxAttempts }`. Default: not at all. */
  readonly reconnect?: ReconnectPolicy | number;
}

/** What a text is sent with. */
export interface SendTextOptions extends CallOptions, Pick<SendMessageRequest, 'configuration' | 'tenant'> {
  /** The conversation to go on with. */
  readonly contextId?: string;
  /** The task to go on with. */
  readonly taskId?: string;
}

/**
 * Calls one agent. It needs no teardown, and one client serves any number of calls.
 *
 * Each operation takes one request, as the specification has it, with bytes in `raw` parts. Requests are never changed. It
 * rejects with an `A2AError` and nothing else: that of the agent, or one made on this side (`InvalidParamsError` for a
 * request that cannot be right, `TransportError`, `InvalidAgentResponseError`, `ResponseTooLargeError`, …); but when
 * `options.signal` ends a call, it rejects with the signal's reason.
 *
 * @publicApi
 */
@Injectable()
export class A2AClient {
  // Private at run time too: what a client is made of holds credentials, and objects end up in logs.
  readonly #connector: AgentConnector;
  readonly #calls: ClientCalls;
  readonly #reconnect: ReconnectPolicy | number;

  constructor(connector: AgentConnector, options: A2AClientOptions = {}) {
    // A policy that makes no sense is no surprise for later.
    reconnectRules(options.reconnect);
    this.#connector = connector;
    this.#reconnect = options.reconnect ?? 0;
    this.#calls = new ClientCalls(connector, options.strictStreaming === true);
  }

  /** The agent's card; `undefined` for a client that was made without one. After {@link getExtendedAgentCard} that card. */
  async card(options?: Pick<CallOptions, 'signal'>): Promise<AgentCard | undefined> {
    return calling(async () => {
      const { card } = await this.#connector.connection(options?.signal);
      return card && (await this.#connector.card(options?.signal));
    }, options);
  }

  /** The interface that is called. */
  async agentInterface(options?: Pick<CallOptions, 'signal'>): Promise<AgentInterface> {
    const connecting = () => this.#connector.connection(options?.signal);
    return (await calling(connecting, options)).agentInterface;
  }

  /** The protocol version that is spoken. */
  async version(options?: Pick<CallOptions, 'signal'>): Promise<ClientProtocolVersion> {
    return clientProtocolVersion((await this.agentInterface(options)).protocolVersion) ?? '1.0';
  }

  /** Sends a message (§3.1.1); by default the answer comes when the task is finished or asks back. */
  async sendMessage(
    request: SendMessageRequest<Uint8Array | string>,
    options?: CallOptions,
  ): Promise<SendResult> {
    const { task, message } = await this.#calls.call<SendMessageResponse>('sendMessage', request, options);
    return task ? taskToBytes(task) : toBytes(message);
  }

  /** {@link sendMessage} with a text of the user. */
  sendText(text: string, options: SendTextOptions = {}): Promise<SendResult> {
    const { contextId, taskId, configuration, tenant, ...call } = options;
    const message = {
      messageId: randomUUID(),
      role: Role.User,
      parts: [{ text }],
      ...(contextId !== undefined && { contextId }),
      ...(taskId !== undefined && { taskId }),
    };
    return this.sendMessage(
      {
        message,
        ...(configuration !== undefined && { configuration }),
        ...(tenant !== undefined && { tenant }),
      },
      call,
    );
  }

  /**
   * Sends a message and follows what comes of it (§3.1.2). Nothing is sent before the stream is read.
   *
   * @throws InvalidParamsError for a `reconnect` that makes no sense
   */
  sendMessageStream(request: Sendable, options: CallOptions & StreamOptions = {}): A2AStream {
    const { accumulate, reconnect, ...call } = options;
    return this.#stream(sendSource(this.#calls, sendRequest(request), call), options);
  }

  /**
   * Follows a task that is running (§3.1.6): the first event is the task as it stands.
   *
   * @throws InvalidParamsError for a `reconnect` that makes no sense
   */
  subscribeToTask(request: SubscribeToTaskRequest, options: CallOptions & StreamOptions = {}): A2AStream {
    const { accumulate, reconnect, ...call } = options;
    return this.#stream(subscriptionSource(this.#calls, request, call), options);
  }

  /**
   * Sends a message and waits for its outcome, asking for the task from time to time. The agent is asked to answer at once
   * (`returnImmediately`), so no connection is held meanwhile.
   *
   * @throws PollTimeoutError when the time has passed, with the task as it was last seen
   */
  async sendAndWait(request: Sendable, options: CallOptions & WaitOptions): Promise<Outcome> {
    return calling(() => new TaskWaiter(this, options).send(sendRequest(request)), options);
  }

  /**
   * Waits until a task has ended or waits for its client. Overload and lost connections on the way are sat out.
   *
   * @throws PollTimeoutError when the time has passed, with the task as it was last seen
   */
  async waitForTask(task: string | GetTaskRequest, options: CallOptions & WaitOptions): Promise<Outcome> {
    const request = typeof task === 'string' ? { id: task } : task;
    return calling(() => new TaskWaiter(this, options).wait(request), options);
  }

  /** The task as it stands (§3.1.3). */
  async getTask(request: GetTaskRequest, options?: CallOptions): Promise<Task<Uint8Array>> {
    return taskToBytes(await this.#calls.call<Task>('getTask', request, options));
  }

  /** One page of the caller's tasks, newest first (§3.1.4); `nextPageToken` is empty on the last one. */
  async listTasks(
    request: ListTasksRequest = {},
    options?: CallOptions,
  ): Promise<ListTasksResponse<Uint8Array>> {
    const page = await this.#calls.call<ListTasksResponse>('listTasks', request, options);
    return { ...page, tasks: page.tasks.map(taskToBytes) };
  }

  /** All tasks that match, page by page as they are read. Ends where an agent gives a page token for the second time. */
  async *listAllTasks(
    request: ListTasksRequest = {},
    options?: CallOptions,
  ): AsyncGenerator<Task<Uint8Array>, void, undefined> {
    const seen = new Set<string>();
    let pageToken = request.pageToken ?? '';
    do {
      seen.add(pageToken);
      const page = await this.listTasks({ ...request, pageToken }, options);
      yield* page.tasks;
      pageToken = page.nextPageToken;
    } while (pageToken !== '' && !seen.has(pageToken));
  }

  /** Asks the agent to stop a task (§3.1.5). */
  async cancelTask(request: CancelTaskRequest, options?: CallOptions): Promise<Task<Uint8Array>> {
    return taskToBytes(await this.#calls.call<Task>('cancelTask', request, options));
  }

  /** Registers a webhook for a task (§3.1.7); the answer has the id that the agent gave it. */
  createTaskPushNotificationConfig(
    request: TaskPushNotificationConfig,
    options?: CallOptions,
  ): Promise<TaskPushNotificationConfig> {
    return this.#calls.call('createTaskPushNotificationConfig', request, options);
  }

  /** One webhook of a task (§3.1.8). */
  getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
    options?: CallOptions,
  ): Promise<TaskPushNotificationConfig> {
    return this.#calls.call('getTaskPushNotificationConfig', request, options);
  }

  /** One page of the webhooks of a task (§3.1.9). */
  listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest,
    options?: CallOptions,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.#calls.call('listTaskPushNotificationConfigs', request, options);
  }

  /** Removes a webhook (§3.1.10); doing so twice is no error. */
  async deleteTaskPushNotificationConfig(
    request: DeleteTaskPushNotificationConfigRequest,
    options?: CallOptions,
  ): Promise<void> {
    await this.#calls.call('deleteTaskPushNotificationConfig', request, options);
  }

  /**
   * The card for callers who are known to the agent (§3.1.11). From then on it is the card that this client goes by.
   *
   * @throws UnsupportedOperationError if the card does not declare it
   */
  async getExtendedAgentCard(
    request: GetExtendedAgentCardRequest = {},
    options?: CallOptions,
  ): Promise<AgentCard> {
    const card = await this.#calls.call<AgentCard>('getExtendedAgentCard', request, options);
    await calling(() => this.#connector.useCard(card));
    return card;
  }

  #stream(source: StreamSource, options: StreamOptions): A2AStream {
    try {
      return new A2AStream(source, {
        ...options,
        reconnect: options.reconnect ?? this.#reconnect,
      });
    } catch (error) {
      throw ofCall(error);
    }
  }
}

import { Injectable } from '@nestjs/common';
import {
  ContentTypeNotSupportedError,
  InvalidParamsError,
  isTerminal,
  UnsupportedOperationError,
  type AgentCard,
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
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
} from '../protocol/index.js';
import { A2ARequestHandler } from './a2a-request-handler.js';
import type { CallContext } from './call-context.js';
import { EventReplay, replayPosition } from './event-replay.js';
import type { Follower } from './follower.js';
import { withHistoryLength } from './history-length.js';
import { MessageDelivery } from './message-delivery.js';
import { TaskEngine } from './task-engine.js';
import { TaskListing } from './task-listing.js';
import type { TaskRecord } from './task-record.js';
import type { TaskStream } from './task-stream.js';
import { WebhookOperations } from './webhook-operations.js';

/**
 * The operations on top of a {@link TaskEngine}: keeps the tasks, runs the executor, fans out what it publishes.
 *
 * Extend it to change one operation and keep the rest:
 *
 * ```ts
 * class MyHandler extends DefaultRequestHandler {
 *   override async getTask(request: GetTaskRequest, context: CallContext) {
 *     return redact(await super.getTask(request, context));
 *   }
 * }
 * ```
 *
 * @publicApi
 */
@Injectable()
export class DefaultRequestHandler extends A2ARequestHandler {
  readonly #engine: TaskEngine;
  readonly #delivery: MessageDelivery;
  readonly #listing: TaskListing;
  readonly #webhooks: WebhookOperations;

  constructor(engine: TaskEngine) {
    super();
    this.#engine = engine;
    this.#delivery = new MessageDelivery(engine);
    this.#listing = new TaskListing(engine);
    this.#webhooks = new WebhookOperations(engine);
  }

  override async sendMessage(
    request: SendMessageRequest,
    context: CallContext,
  ): Promise<SendMessageResponse> {
    await this.#check(request, context);
    const { returnImmediately, historyLength } = request.configuration ?? {};
    const answer = returnImmediately
      ? { task: await this.#delivery.sendAndReturn(request, context) }
      : await this.#delivery.sendAndWait(request, context);
    return answer.task ? { task: withHistoryLength(answer.task, historyLength) } : answer;
  }

  override async sendStreamingMessage(
    request: SendMessageRequest,
    context: CallContext,
  ): Promise<AsyncIterable<StreamResponse>> {
    await this.#check(request, context);
    return this.#delivery.stream(request, context);
  }

  override async getTask({ id, historyLength }: GetTaskRequest, context: CallContext): Promise<Task> {
    const { task } = await this.#engine.load(id, await this.#engine.scopeOf(context));
    return withHistoryLength(task, historyLength);
  }

  override async listTasks(request: ListTasksRequest, context: CallContext): Promise<ListTasksResponse> {
    return this.#listing.list(request, await this.#engine.scopeOf(context));
  }

  override async cancelTask({ id, metadata = {} }: CancelTaskRequest, context: CallContext): Promise<Task> {
    const scope = await this.#engine.scopeOf(context);
    return this.#engine.cancellation.cancel(id, scope, { metadata, call: context });
  }

  override async subscribeToTask(
    { id }: SubscribeToTaskRequest,
    context: CallContext,
  ): Promise<AsyncIterable<StreamResponse>> {
    this.#engine.assertAccepting();
    const scope = await this.#engine.scopeOf(context);
    // Attached before the snapshot is read: what happens meanwhile is on the stream, what happened before in the task.
    const follower = this.#engine.feeds.follow(id);
    try {
      const record = await this.#engine.load(id, scope);
      const { task, seq } = record;
      const replay = await this.#replay(record, follower, context);
      if (replay) return replay;
      if (isTerminal(task.status.state)) {
        throw new UnsupportedOperationError('The task has ended, there is nothing to follow', {
          metadata: { taskId: id },
        });
      }
      follower.start(task, seq);
      return follower;
    } catch (error) {
      follower.close();
      throw error;
    }
  }

  override createTaskPushNotificationConfig(
    request: TaskPushNotificationConfig,
    context: CallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.#webhooks.create(request, context);
  }

  override getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
    context: CallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.#webhooks.get(request, context);
  }

  override listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest,
    context: CallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.#webhooks.list(request, context);
  }

  override deleteTaskPushNotificationConfig(
    request: DeleteTaskPushNotificationConfigRequest,
    context: CallContext,
  ): Promise<void> {
    return this.#webhooks.delete(request, context);
  }

  override async getExtendedAgentCard(
    request: GetExtendedAgentCardRequest,
    context: CallContext,
  ): Promise<AgentCard> {
    const { extendedCard } = this.#engine.parts;
    return extendedCard ? extendedCard(context) : super.getExtendedAgentCard(request, context);
  }

  /** What came behind the last event that the caller has, where it asks for that and the store can tell. */
  async #replay(
    record: TaskRecord,
    follower: Follower,
    context: CallContext,
  ): Promise<TaskStream | undefined> {
    const { store } = this.#engine.parts;
    const after = store.keepsEvents ? replayPosition(context) : undefined;
    if (after === undefined) return undefined;
    // A task that has ended has nothing more for a caller who saw its end.
    if (after === record.seq && isTerminal(record.task.status.state)) return undefined;
    return EventReplay.open(store, record, follower, after);
  }

  async #check(request: SendMessageRequest, context: CallContext): Promise<void> {
    const { message } = request;
    const { partsPerMessage } = this.#engine.parts.options.limits;
    if (message.parts.length > partsPerMessage) {
      throw new InvalidParamsError([
        { field: 'message.parts', description: `has more than ${partsPerMessage} parts` },
      ]);
    }
    this.#webhooks.checkInline(request, context);
    if (this.#engine.parts.acceptsMediaType) await this.#checkMediaTypes(message);
  }

  async #checkMediaTypes({ parts }: SendMessageRequest['message']): Promise<void> {
    const { acceptsMediaType } = this.#engine.parts;
    if (!acceptsMediaType) return;
    for (const [index, { mediaType }] of parts.entries()) {
      if (!mediaType || (await acceptsMediaType(mediaType))) continue;
      throw new ContentTypeNotSupportedError(
        `message.parts[${index}]: the agent does not accept ${mediaType}`,
        {
          metadata: { mediaType },
        },
      );
    }
  }
}

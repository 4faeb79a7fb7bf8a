import {
  AgentCard,
  Message,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
  type Part,
} from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { startExpress } from './start-express.js';

/** What the agent does is the first word of the message. */
class Executor implements AgentExecutor {
  readonly #waiting = new Map<string, () => void>();

  async execute(
    { taskId, contextId, userMessage, task }: RequestContext,
    bus: ExecutionEventBus,
  ): Promise<void> {
    const ids = { taskId, contextId };
    const text = textOf(userMessage.parts[0]);
    const status = (state: string, said?: string) =>
      TaskStatusUpdateEvent.fromJSON({
        ...ids,
        status: {
          state,
          timestamp: new Date().toISOString(),
          ...(said && { message: agentMessage(said, ids) }),
        },
      });
    if (text.startsWith('reply')) {
      bus.publish(AgentEvent.message(Message.fromJSON({ ...agentMessage('a reply', {}), contextId })));
      bus.finished();
      return;
    }
    bus.publish(
      AgentEvent.task(
        task ??
          Task.fromJSON({
            id: taskId,
            contextId,
            status: { state: 'TASK_STATE_SUBMITTED' },
            history: [Message.toJSON(userMessage)],
          }),
      ),
    );
    bus.publish(AgentEvent.statusUpdate(status('TASK_STATE_WORKING')));
    if (text.startsWith('ask')) {
      bus.publish(AgentEvent.statusUpdate(status('TASK_STATE_INPUT_REQUIRED', 'which?')));
      bus.finished();
      return;
    }
    if (text.startsWith('wait')) await new Promise<void>((resolve) => this.#waiting.set(taskId, resolve));
    else {
      const count = Number(/^chunks:(\d+)/.exec(text)?.[1] ?? 1);
      for (let i = 0; i < count; i++) {
        const update = TaskArtifactUpdateEvent.fromJSON({
          ...ids,
          artifact: { artifactId: 'a', parts: [] },
          append: i > 0,
        });
        update.artifact!.parts = userMessage.parts;
        bus.publish(AgentEvent.artifactUpdate(update));
      }
      bus.publish(AgentEvent.statusUpdate(status('TASK_STATE_COMPLETED', 'done')));
    }
    bus.finished();
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const canceled = TaskStatusUpdateEvent.fromJSON({
      taskId,
      contextId: '',
      status: { state: 'TASK_STATE_CANCELED' },
    });
    bus.publish(AgentEvent.statusUpdate(canceled));
    this.#waiting.get(taskId)?.();
    bus.finished();
  }
}

/**
 * An agent of `@a2a-js/sdk` with both bindings, on a free port; closed when the test is over.
 *
 * @param serves03 also serves clients of 0.3
 */
export async function startA2aJsAgent(serves03 = false): Promise<string> {
  const { app, url } = await startExpress();
  const versions = serves03 ? ['1.0', '0.3'] : ['1.0'];
  const card = AgentCard.fromJSON({
    name: 'Agent of the SDK',
    description: 'Echoes',
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    supportedInterfaces: versions.flatMap((protocolVersion) => [
      { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion },
      { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion },
    ]),
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 's', name: 'S', description: 'd', tags: ['t'] }],
  });
  const extended = AgentCard.fromJSON({ ...(AgentCard.toJSON(card) as object), name: 'Extended' });
  const handler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    new Executor(),
    undefined,
    new InMemoryPushNotificationStore(),
    { send: async () => undefined },
    async () => extended,
  );
  const legacyCompat = { enabled: serves03 };
  const options = { requestHandler: handler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler, legacyCompat }));
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/rest', restHandler(options));
  return url;
}

function agentMessage(text: string, ids: object): object {
  return { messageId: `a-${Math.random()}`, role: 'ROLE_AGENT', parts: [{ text }], ...ids };
}

function textOf(part: Part | undefined): string {
  return part?.content?.$case === 'text' ? part.content.value : '';
}

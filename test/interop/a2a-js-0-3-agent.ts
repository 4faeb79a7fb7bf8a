import type { AgentCard, Message, Part, TaskStatusUpdateEvent } from 'a2a-js-sdk-0.3';
import {
  DefaultPushNotificationSender,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from 'a2a-js-sdk-0.3/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from 'a2a-js-sdk-0.3/server/express';
import { randomUUID } from 'node:crypto';
import { startExpress } from './start-express.js';

type Ids = Pick<TaskStatusUpdateEvent, 'taskId' | 'contextId'>;

/** What the agent does is the first word of the message. */
class Executor implements AgentExecutor {
  readonly #waiting = new Map<string, () => void>();

  async execute(
    { taskId, contextId, userMessage, task }: RequestContext,
    bus: ExecutionEventBus,
  ): Promise<void> {
    const ids = { taskId, contextId };
    const text = textOf(userMessage.parts[0]);
    if (text.startsWith('reply')) {
      bus.publish(agentMessage('a reply', { contextId }));
      bus.finished();
      return;
    }
    bus.publish(
      task ?? { kind: 'task', id: taskId, contextId, status: { state: 'submitted' }, history: [userMessage] },
    );
    bus.publish(status(ids, 'working'));
    if (text.startsWith('ask')) {
      bus.publish(status(ids, 'input-required', agentMessage('which?', ids)));
      bus.finished();
      return;
    }
    if (text.startsWith('wait')) await new Promise<void>((resolve) => this.#waiting.set(taskId, resolve));
    else {
      const count = Number(/^chunks:(\d+)/.exec(text)?.[1] ?? 1);
      for (let i = 0; i < count; i++) {
        // The SDK appends to the list that it is given.
        const artifact = { artifactId: 'a', parts: [...userMessage.parts] };
        bus.publish({ kind: 'artifact-update', ...ids, artifact, append: i > 0 });
      }
      bus.publish(status(ids, 'completed', agentMessage('done', ids)));
    }
    bus.finished();
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    bus.publish(status({ taskId, contextId: '' }, 'canceled'));
    this.#waiting.get(taskId)?.();
    bus.finished();
  }
}

/** An agent of the SDK of 0.3 with both bindings, on a free port; closed when the test is over. */
export async function startA2aJs03Agent(): Promise<string> {
  const { app, url } = await startExpress();
  const card: AgentCard = {
    protocolVersion: '0.3.0',
    name: 'Agent of the SDK',
    description: 'Echoes',
    version: '1.0.0',
    url: `${url}/rpc`,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url: `${url}/rpc`, transport: 'JSONRPC' },
      { url: `${url}/rest`, transport: 'HTTP+JSON' },
    ],
    capabilities: { streaming: true, pushNotifications: true },
    supportsAuthenticatedExtendedCard: true,
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 's', name: 'S', description: 'd', tags: ['t'] }],
  };
  const webhooks = new InMemoryPushNotificationStore();
  const handler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    new Executor(),
    undefined,
    webhooks,
    new DefaultPushNotificationSender(webhooks),
    async () => ({ ...card, name: 'Extended' }),
  );
  const options = { requestHandler: handler, userBuilder: UserBuilder.noAuthentication };
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler }));
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/rest', restHandler(options));
  return url;
}

function status(ids: Ids, state: TaskStatusUpdateEvent['status']['state'], message?: Message) {
  const timestamp = new Date().toISOString();
  const final = state !== 'working';
  return {
    kind: 'status-update' as const,
    ...ids,
    status: { state, timestamp, ...(message && { message }) },
    final,
  };
}

function agentMessage(text: string, ids: Partial<Ids>): Message {
  return { kind: 'message', messageId: randomUUID(), role: 'agent', parts: [{ kind: 'text', text }], ...ids };
}

function textOf(part: Part | undefined): string {
  return part?.kind === 'text' ? part.text : '';
}

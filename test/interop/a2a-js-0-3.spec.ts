import {
  CancelTaskRequest,
  GetTaskRequest,
  SendMessageRequest,
  TaskPushNotificationConfig,
  TaskState,
  type Part,
  type Task,
} from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { INestApplication } from '@nestjs/common';
import type { Message, Part as OldPart, Task as OldTask } from 'a2a-js-sdk-0.3';
import {
  ClientFactory as OldClientFactory,
  ClientFactoryOptions as OldClientFactoryOptions,
  JsonRpcTransportFactory as OldJsonRpc,
  RestTransportFactory as OldRest,
  TaskNotFoundError as OldTaskNotFoundError,
} from 'a2a-js-sdk-0.3/client';
import type { AgentCard } from 'nest-a2a';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFixtureAgent } from '../fixture/start-fixture-agent.js';
import { Webhook } from '../support/webhook.js';

/** What the three clients do, in the words of the test. */
interface Conversation {
  /** Sends a text and gives the state and the texts of the task; `taskId` continues one. */
  send(text: string, taskId?: string): Promise<Seen>;
  /** What a stream shows: the states, and texts of artifacts. */
  stream(text: string): Promise<string[]>;
  /** Sends without waiting, and then cancels. */
  cancel(text: string): Promise<string>;
  get(id: string): Promise<Seen>;
  /** Makes a webhook for a task and says what is known of it. */
  webhook(taskId: string, url: string): Promise<{ url: string; token: string | undefined }>;
  /** The class of the error for a task that is not there. */
  readonly notFound: new (...given: never[]) => Error;
}

interface Seen {
  readonly id: string;
  readonly state: string;
  readonly texts: string[];
  /** The text of the status message. */
  readonly says: string;
}

let app: INestApplication;
let url: string;

/** The client of 1.3.0 by the interfaces of one version. */
async function current(binding: 'JSONRPC' | 'HTTP+JSON', version: '1.0' | '0.3'): Promise<Conversation> {
  const legacyCompat = { enabled: version === '0.3' };
  const transport =
    binding === 'JSONRPC'
      ? new JsonRpcTransportFactory({ legacyCompat })
      : new RestTransportFactory({ legacyCompat });
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [transport],
    preferredTransports: [binding],
    cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
  });
  const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as AgentCard;
  // It prefers 1.0: what is left of the card is what an agent of 0.3 alone would serve.
  const { supportedInterfaces: _interfaces, ...old } = card;
  const factory = new ClientFactory(options);
  const client =
    version === '1.0' ? await factory.createFromUrl(url) : await factory.createFromAgentCard(old as never);
  expect([client.protocolVersion, client.transport.protocolName]).toEqual([version, binding]);
  const textOf = ({ content }: Part) => (content?.$case === 'text' ? content.value : '');
  const seen = (task: Task): Seen => ({
    id: task.id,
    state: TaskState[task.status!.state].replace('TASK_STATE_', '').toLowerCase().replace('_', '-'),
    texts: task.artifacts.flatMap(({ parts }) => parts.map(textOf)),
    says: task.status?.message?.parts.map(textOf).join('') ?? '',
  });
  const request = (text: string, taskId = '', configuration = {}) =>
    SendMessageRequest.fromJSON({
      message: { messageId: `m-${text}`, role: 'ROLE_USER', taskId, parts: [{ text }] },
      configuration,
    });
  return {
    send: async (text, taskId) => seen((await client.sendMessage(request(text, taskId))) as Task),
    stream: async (text) => {
      const events: string[] = [];
      for await (const { payload } of client.sendMessageStream(request(text))) {
        if (payload?.$case === 'artifactUpdate') events.push(...payload.value.artifact!.parts.map(textOf));
        else if (payload?.$case !== 'message') events.push(TaskState[payload!.value.status!.state]);
      }
      return events.map((event) => event.replace('TASK_STATE_', '').toLowerCase());
    },
    cancel: async (text) => {
      const { id } = (await client.sendMessage(request(text, '', { returnImmediately: true }))) as Task;
      return seen(await client.cancelTask(CancelTaskRequest.fromJSON({ id }))).state;
    },
    get: async (id) => seen(await client.getTask(GetTaskRequest.fromJSON({ id }))),
    webhook: async (taskId, hook) => {
      const config = { taskId, url: hook, token: 'tk' };
      const made = await client.createTaskPushNotificationConfig(TaskPushNotificationConfig.fromJSON(config));
      return { url: made.url, token: made.token };
    },
    notFound: TaskNotFoundError,
  };
}

/** The client of 0.3.14. */
async function old(binding: 'JSONRPC' | 'HTTP+JSON'): Promise<Conversation> {
  const options = OldClientFactoryOptions.createFrom(OldClientFactoryOptions.default, {
    transports: [binding === 'JSONRPC' ? new OldJsonRpc() : new OldRest()],
    preferredTransports: [binding],
  });
  const client = await new OldClientFactory({ ...options, transports: options.transports }).createFromUrl(
    url,
  );
  const card = await client.getAgentCard();
  expect([card.name, card.protocolVersion]).toEqual(['Fixture Agent', '0.3.0']);
  const textOf = (part: OldPart) => (part.kind === 'text' ? part.text : '');
  const seen = (task: OldTask): Seen => ({
    id: task.id,
    state: task.status.state,
    texts: task.artifacts?.flatMap(({ parts }) => parts.map(textOf)) ?? [],
    says: task.status.message?.parts.map(textOf).join('') ?? '',
  });
  const params = (text: string, taskId?: string, configuration = {}) => ({
    message: {
      kind: 'message',
      messageId: `m-${text}`,
      role: 'user',
      parts: [{ kind: 'text', text }],
      ...(taskId && { taskId }),
    } as Message,
    configuration,
  });
  return {
    send: async (text, taskId) => seen((await client.sendMessage(params(text, taskId))) as OldTask),
    stream: async (text) => {
      const events: string[] = [];
      for await (const event of client.sendMessageStream(params(text))) {
        if (event.kind === 'artifact-update') events.push(...event.artifact.parts.map(textOf));
        else if (event.kind !== 'message') events.push(event.status.state);
      }
      return events;
    },
    cancel: async (text) => {
      const sent = await client.sendMessage(params(text, undefined, { blocking: false }));
      return seen(await client.cancelTask({ id: (sent as OldTask).id })).state;
    },
    get: async (id) => seen(await client.getTask({ id })),
    webhook: async (taskId, hook) => {
      const { pushNotificationConfig: made } = await client.setTaskPushNotificationConfig({
        taskId,
        pushNotificationConfig: { url: hook, token: 'tk' },
      });
      return { url: made.url, token: made.token };
    },
    notFound: OldTaskNotFoundError,
  };
}

describe.each(['express', 'fastify'] as const)('one agent on %s for clients of both versions', (adapter) => {
  beforeAll(async () => {
    app = await startFixtureAgent({ adapter, profile: 'compat' });
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  describe.each([
    ['0.3.14 over JSON-RPC', () => old('JSONRPC'), 'task'],
    ['0.3.14 over HTTP+JSON', () => old('HTTP+JSON'), 'task'],
    ['1.3.0 as 0.3 over JSON-RPC', () => current('JSONRPC', '0.3'), 'task'],
    ['1.3.0 as 0.3 over HTTP+JSON', () => current('HTTP+JSON', '0.3'), 'task'],
    ['1.3.0 as 1.0 over JSON-RPC', () => current('JSONRPC', '1.0'), undefined],
    ['1.3.0 as 1.0 over HTTP+JSON', () => current('HTTP+JSON', '1.0'), undefined],
  ] as const)('a2a-js %s', (_title, connect, pushedKind) => {
    it('O-V03-01, O-V03-02, O-V03-03: holds a conversation with it', async () => {
      const client = await connect();
      const echoed = await client.send('echo this');
      expect(echoed).toMatchObject({ state: 'completed', texts: ['echo this'] });
      expect(await client.get(echoed.id)).toEqual(echoed);

      const asking = await client.send('ask:which colour?');
      expect(asking).toMatchObject({ state: 'input-required', says: 'which colour?' });
      const webhook = await Webhook.start();
      expect(await client.webhook(asking.id, webhook.url)).toEqual({ url: webhook.url, token: 'tk' });
      expect(await client.send('blue', asking.id)).toMatchObject({
        id: asking.id,
        state: 'completed',
        texts: ['answer: blue'],
      });
      await expect.poll(() => stateIn(webhook.posts.at(-1)?.body)).toMatch(/completed/i);
      expect(webhook.posts.at(-1)?.body.kind).toBe(pushedKind);
      expect(webhook.posts.at(-1)?.headers['x-a2a-notification-token']).toBe('tk');

      expect(await client.stream('stream this')).toEqual([
        'submitted',
        'working',
        'stream this',
        'completed',
      ]);
      expect(await client.cancel('wait')).toBe('canceled');
      await expect(client.get('nothing')).rejects.toThrow(client.notFound);
    });
  });
});

function stateIn(body: { status?: { state: string }; task?: { status: { state: string } } } = {}): string {
  return (body.status ?? body.task?.status)?.state ?? '';
}

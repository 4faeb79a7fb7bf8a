import {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  SendMessageRequest,
  SubscribeToTaskRequest,
  TaskPushNotificationConfig,
  TaskState,
  type Message,
  type Part,
  type StreamResponse,
  type Task,
} from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
  ServiceParameters,
  withA2AExtensions,
  withA2AVersion,
  type Client,
} from '@a2a-js/sdk/client';
import {
  ContentTypeNotSupportedError,
  ExtensionSupportRequiredError,
  PushNotificationNotSupportedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { INestApplication } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import { startFixtureAgent } from '../fixture/start-fixture-agent.js';
import { Webhook } from '../support/webhook.js';

const TRANSPORTS = { 'HTTP+JSON': RestTransportFactory, JSONRPC: JsonRpcTransportFactory };

describe.each([
  ['express', 'HTTP+JSON'],
  ['fastify', 'HTTP+JSON'],
  ['express', 'JSONRPC'],
  ['fastify', 'JSONRPC'],
] as const)('the client of @a2a-js/sdk against an agent on %s over %s', (adapter, binding) => {
  let app: INestApplication | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  /** A client that knows nothing but the address of the host. */
  async function connect(
    profile: 'default' | 'extension' | 'strict' | 'minimal' = 'default',
    polling = false,
  ) {
    app = await startFixtureAgent({ adapter, profile });
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new TRANSPORTS[binding]()],
      preferredTransports: [binding],
      clientConfig: { polling },
    });
    return new ClientFactory(options).createFromUrl(await app.getUrl());
  }

  it('finds the agent by its card', async () => {
    const client = await connect();
    const card = await client.getAgentCard();
    expect(card.name).toBe('Fixture Agent');
    expect(card.capabilities).toMatchObject({ streaming: true });
    expect(client.protocolVersion).toBe('1.0');
    expect(client.transport.protocolName).toBe(binding);
  });

  it('sends a message and gets the finished task', async () => {
    const client = await connect();
    const task = taskOf(await client.sendMessage(message('echo this')));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(texts(task)).toEqual(['echo this']);
    expect(task.history.flatMap(({ parts }) => parts.map(textOf))).toEqual(['echo this']);
  });

  it('gets a direct message', async () => {
    const client = await connect();
    const reply = (await client.sendMessage(message('reply:at once'))) as Message;
    expect(reply.parts.map(textOf)).toEqual(['at once']);
    expect(reply.contextId).not.toBe('');
  });

  it('gets a task at once if it polls', async () => {
    const client = await connect('default', true);
    const { id, status } = taskOf(await client.sendMessage(message('wait')));
    expect([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING]).toContain(status?.state);
    expect((await client.getTask(GetTaskRequest.fromJSON({ id }))).id).toBe(id);
    await client.cancelTask(CancelTaskRequest.fromJSON({ id }));
  });

  it('gets every kind of part', async () => {
    const client = await connect();
    const part = async (id: string): Promise<Part> => {
      const { artifacts } = taskOf(await client.sendMessage(message('x', { messageId: `${id}-1` })));
      return artifacts[0]!.parts[0]!;
    };
    const file = await part('tck-artifact-file');
    expect(file).toMatchObject({
      filename: 'output.txt',
      mediaType: 'text/plain',
      content: { $case: 'raw' },
    });
    expect(Buffer.from(file.content?.value as Uint8Array).toString()).toBe('Generated file content\n');
    expect((await part('tck-artifact-file-url')).content).toEqual({
      $case: 'url',
      value: 'https://example.com/output.txt',
    });
    expect((await part('tck-artifact-data')).content).toEqual({
      $case: 'data',
      value: { key: 'value', count: 42 },
    });
  });

  it('goes on with a task that asked back', async () => {
    const client = await connect();
    const asking = taskOf(await client.sendMessage(message('ask:which colour?')));
    expect(asking.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(asking.status?.message?.parts.map(textOf)).toEqual(['which colour?']);
    const done = taskOf(await client.sendMessage(message('blue', { taskId: asking.id })));
    expect(done.id).toBe(asking.id);
    expect(texts(done)).toEqual(['answer: blue']);
  });

  it('streams a message', async () => {
    const client = await connect();
    const events = await all(client.sendMessageStream(message('chunks:20')));
    expect(events.map(({ payload }) => payload?.$case)).toEqual([
      'task',
      'statusUpdate',
      ...Array<string>(20).fill('artifactUpdate'),
      'statusUpdate',
    ]);
    const chunks = events.flatMap(({ payload }) =>
      payload?.$case === 'artifactUpdate' ? (payload.value.artifact?.parts.map(textOf) ?? []) : [],
    );
    expect(chunks.map((chunk) => Number(chunk.slice(1, 7)))).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it('streams a direct message', async () => {
    const client = await connect();
    const events = await all(client.sendMessageStream(message('reply:at once')));
    expect(events.map(({ payload }) => payload?.$case)).toEqual(['message']);
  });

  it('falls back to one answer where streaming is withheld', async () => {
    const client = await connect('minimal');
    const events = await all(client.sendMessageStream(message('echo')));
    expect(events.map(({ payload }) => payload?.$case)).toEqual(['task']);
  });

  it('follows a task that runs, and cancels it', async () => {
    const client = await connect();
    const sending = client.sendMessageStream(message('wait'));
    const { id } = startOf(await sending.next());
    const following = client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }));
    expect(startOf(await following.next()).id).toBe(id);

    const canceled = await client.cancelTask(CancelTaskRequest.fromJSON({ id }));
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    for (const events of [await all(sending), await all(following)]) {
      const { payload } = events.at(-1)!;
      expect(payload?.$case === 'statusUpdate' && payload.value.status?.state).toBe(
        TaskState.TASK_STATE_CANCELED,
      );
    }
  });

  it('gets a task with as much history as it asks for', async () => {
    const client = await connect();
    const { id } = taskOf(await client.sendMessage(message('echo')));
    expect((await client.getTask(GetTaskRequest.fromJSON({ id }))).history).toHaveLength(1);
    expect((await client.getTask(GetTaskRequest.fromJSON({ id, historyLength: 0 }))).history).toEqual([]);
  });

  it('lists tasks page by page', async () => {
    const client = await connect();
    const contextId = 'a context';
    for (let i = 0; i < 3; i += 1) await client.sendMessage(message(`echo ${i}`, { contextId }));
    await client.sendMessage(message('elsewhere'));

    const first = await client.listTasks(
      ListTasksRequest.fromJSON({ contextId, pageSize: 2, includeArtifacts: true }),
    );
    expect(first).toMatchObject({ totalSize: 3, pageSize: 2 });
    const second = await client.listTasks(
      ListTasksRequest.fromJSON({
        contextId,
        pageSize: 2,
        includeArtifacts: true,
        pageToken: first.nextPageToken,
      }),
    );
    expect(second.nextPageToken).toBe('');
    expect([...first.tasks, ...second.tasks].flatMap(texts).sort()).toEqual(['echo 0', 'echo 1', 'echo 2']);
    const running = ListTasksRequest.fromJSON({ status: 'TASK_STATE_WORKING' });
    expect((await client.listTasks(running)).tasks).toEqual([]);
  });

  it('stays within its tenant', async () => {
    const client = await connect();
    const { id } = taskOf(await client.sendMessage(message('echo', {}, 'acme')));
    expect((await client.getTask(GetTaskRequest.fromJSON({ id, tenant: 'acme' }))).id).toBe(id);
    await expect(client.getTask(GetTaskRequest.fromJSON({ id, tenant: 'other' }))).rejects.toThrow(
      TaskNotFoundError,
    );
    await expect(client.getTask(GetTaskRequest.fromJSON({ id }))).rejects.toThrow(TaskNotFoundError);
  });

  it('understands errors', async () => {
    const client = await connect();
    const { id } = taskOf(await client.sendMessage(message('echo')));
    await expect(client.getTask(GetTaskRequest.fromJSON({ id: 'nothing' }))).rejects.toThrow(
      TaskNotFoundError,
    );
    await expect(client.cancelTask(CancelTaskRequest.fromJSON({ id }))).rejects.toThrow(
      TaskNotCancelableError,
    );
    await expect(client.sendMessage(message('more', { taskId: id }))).rejects.toThrow(
      UnsupportedOperationError,
    );
    await expect(all(client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id })))).rejects.toThrow(
      UnsupportedOperationError,
    );
    await expect(client.listTasks(ListTasksRequest.fromJSON({ pageSize: 1_000 }))).rejects.toThrow(
      'pageSize',
    );
  });

  it('keeps webhooks', async () => {
    const client = await connect();
    const webhook = await Webhook.start();
    const { id: taskId } = taskOf(await client.sendMessage(message('ask:which colour?')));
    const created = await client.createTaskPushNotificationConfig(
      TaskPushNotificationConfig.fromJSON({ taskId, url: webhook.url, token: 'tk' }),
    );
    const { id } = created;
    expect([id, created.taskId, created.token]).toEqual([expect.any(String), taskId, 'tk']);
    const request = GetTaskPushNotificationConfigRequest.fromJSON({ taskId, id });
    expect(await client.getTaskPushNotificationConfig(request)).toEqual(created);
    const list = ListTaskPushNotificationConfigsRequest.fromJSON({ taskId });
    expect((await client.listTaskPushNotificationConfig(list)).configs).toEqual([created]);
    await client.sendMessage(message('blue', { taskId }));
    await expect.poll(() => webhook.states.at(-1)).toBe('COMPLETED 1');
    await client.deleteTaskPushNotificationConfig(
      DeleteTaskPushNotificationConfigRequest.fromJSON({ taskId, id }),
    );
    expect((await client.listTaskPushNotificationConfig(list)).configs).toEqual([]);
  });

  it('understands that an agent has no push notifications', async () => {
    const client = await connect('minimal');
    await expect(
      // Past the client's own check of the card.
      client.transport.getTaskPushNotificationConfig(
        GetTaskPushNotificationConfigRequest.fromJSON({ taskId: 't', id: 'c' }),
        { serviceParameters: ServiceParameters.create(withA2AVersion('1.0')) },
      ),
    ).rejects.toThrow(PushNotificationNotSupportedError);
  });

  it('understands that a media type is refused', async () => {
    const client = await connect('strict');
    const request = message('x');
    request.message!.parts[0]!.mediaType = 'image/png';
    await expect(client.sendMessage(request)).rejects.toThrow(ContentTypeNotSupportedError);
  });

  it('activates an extension that the agent requires', async () => {
    const client = await connect('extension');
    await expect(client.sendMessage(message('echo'))).rejects.toThrow(ExtensionSupportRequiredError);
    const serviceParameters = ServiceParameters.create(withA2AExtensions('urn:a2a:tck:required-extension'));
    const task = taskOf(await client.sendMessage(message('context'), { serviceParameters }));
    expect(task.artifacts[0]?.parts[0]?.content?.value).toMatchObject({
      extensions: ['urn:a2a:tck:required-extension'],
    });
  });
});

let messages = 0;

function message(text: string, fields: object = {}, tenant?: string): SendMessageRequest {
  messages += 1;
  const common = { messageId: `m-${messages}`, role: 'ROLE_USER', parts: [{ text }] };
  return SendMessageRequest.fromJSON({ tenant, message: { ...common, ...fields } });
}

function taskOf(result: Awaited<ReturnType<Client['sendMessage']>>): Task {
  if (!('status' in result)) throw new Error('a message came where a task was expected');
  return result;
}

function startOf({ value }: IteratorResult<StreamResponse, void>): Task {
  if (value?.payload?.$case !== 'task') throw new Error('the stream does not start with a task');
  return value.payload.value;
}

function textOf({ content }: Part): string {
  return content?.$case === 'text' ? content.value : '';
}

function texts({ artifacts }: Task): string[] {
  return artifacts.flatMap(({ parts }) => parts.map(textOf));
}

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

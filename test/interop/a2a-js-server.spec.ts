import { afterEach, describe, expect, it } from 'vitest';
import {
  A2AClientFactory,
  A2AWebhookModule,
  isMessage,
  isTask,
  Role,
  textOf,
  type A2AClient,
  type A2AWebhookHandler,
  type SendResult,
  type StreamResponse,
  type Task,
} from 'nest-a2a';
import { all, errorOf } from '../client/wire-server.js';
import { startApp, stopApps } from '../module/start-app.js';
import { deferred } from '../support/index.js';
import { startA2aJs03Agent } from './a2a-js-0-3-agent.js';
import { startA2aJsAgent } from './a2a-js-agent.js';

/** What the agents do differently, none of which the protocol rules out. */
interface Peer {
  readonly peer: string;
  readonly version: '1.0' | '0.3';
  readonly binding: 'HTTP+JSON' | 'JSONRPC';
  readonly start: () => Promise<string>;
  /** Parts of files have no name in the proto of 0.3, which HTTP+JSON is written by. */
  readonly namesFiles: boolean;
  /** A task that is over is one event of a subscription, and no error. */
  readonly showsEndedTasks?: boolean;
  /** What a message to a task that is over is refused with. */
  readonly errorOfMore?: string;
  /** What a subscription to a task that is not there is refused with. */
  readonly errorOfNoStream?: string;
}

const PEERS = (['HTTP+JSON', 'JSONRPC'] as const).flatMap((binding): Peer[] => {
  const as03 = { version: '0.3', binding, namesFiles: binding === 'JSONRPC' } as const;
  return [
    { peer: 'the SDK 1.3', version: '1.0', binding, start: () => startA2aJsAgent(), namesFiles: true },
    { peer: 'the SDK 1.3 for clients of 0.3', ...as03, start: () => startA2aJsAgent(true) },
    {
      ...{ peer: 'the SDK 0.3', ...as03, start: startA2aJs03Agent },
      showsEndedTasks: true,
      errorOfMore: 'InvalidRequestError',
      // It stumbles over its own error there.
      ...(binding === 'HTTP+JSON' && { errorOfNoStream: 'InternalError' }),
    },
  ];
});

describe.each(PEERS)(
  'a client against an agent of $peer over $binding',
  ({ start, version, binding, namesFiles, showsEndedTasks, ...errors }) => {
    const { errorOfMore = 'UnsupportedOperationError', errorOfNoStream = 'TaskNotFoundError' } = errors;
    const connect = async (): Promise<A2AClient> =>
      new A2AClientFactory().connect(await start(), { bindings: [binding], protocolVersion: version });

    it('finds it by its card', async () => {
      const client = await connect();
      expect((await client.card())?.name).toBe('Agent of the SDK');
      expect((await client.agentInterface()).protocolBinding).toBe(binding);
      expect(await client.version()).toBe(version);
      expect((await client.getExtendedAgentCard()).name).toBe('Extended');
      expect((await client.card())?.name).toBe('Extended');
    });

    it('sends, and gets tasks and messages with every kind of part', async () => {
      const client = await connect();
      const parts = [
        { text: 'echo' },
        { raw: new Uint8Array([0, 255]), mediaType: 'x/y', ...(namesFiles && { filename: 'a.bin' }) },
        { url: 'https://x.example/a' },
        { data: { a: [1, null, 'b'] } },
      ];
      const task = taskOf(await client.sendMessage({ message: { messageId: 'm', role: Role.User, parts } }));
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(task.artifacts?.[0]?.parts).toMatchObject(parts);
      const reply = await client.sendText('reply');
      expect(isMessage(reply) && textOf(reply)).toBe('a reply');
    });

    it('streams', async () => {
      const client = await connect();
      const stream = client.sendMessageStream('chunks:20');
      const events = await all(stream);
      expect(events.map((event) => Object.keys(event)[0])).toEqual([
        'task',
        'statusUpdate',
        ...Array<string>(20).fill('artifactUpdate'),
        'statusUpdate',
      ]);
      expect(stream.outcome?.kind).toBe('completed');
      expect(stream.task?.artifacts?.[0]?.parts).toHaveLength(20);
      expect((await all(client.sendMessageStream('reply')))[0]?.message).toBeDefined();
    });

    it('follows what runs, and cancels it', async () => {
      const client = await connect();
      const sending = client.sendMessageStream('wait');
      const { id } = (await sending.next()).value!.task!;
      const following = client.subscribeToTask({ id });
      expect((await following.next()).value?.task?.id).toBe(id);
      expect((await client.cancelTask({ id })).status.state).toBe('TASK_STATE_CANCELED');
      expect((await following.result()).kind).toBe('canceled');
      expect((await sending.result()).kind).toBe('canceled');
    });

    it('waits, and goes on with a task that asks', async () => {
      const client = await connect();
      const asked = await client.sendAndWait('ask', { timeout: 5_000, poll: { interval: 10 } });
      expect(asked.kind).toBe('input-required');
      const { id, contextId } = asked.task!;
      const done = taskOf(await client.sendText('that', { taskId: id, contextId: contextId! }));
      expect([done.id, done.status.state]).toEqual([id, 'TASK_STATE_COMPLETED']);
    });

    it('gets', async () => {
      const client = await connect();
      const { id } = taskOf(await client.sendText('echo'));
      expect((await client.getTask({ id, historyLength: 0 })).history ?? []).toEqual([]);
      expect((await client.getTask({ id, historyLength: 5 })).history).not.toHaveLength(0);
    });

    it.runIf(version === '1.0')('lists', async () => {
      const client = await connect();
      const ids: string[] = [];
      for (let i = 0; i < 3; i++) ids.push(taskOf(await client.sendText(`${i}`, { contextId: 'c' })).id);
      const page = await client.listTasks({ contextId: 'c', pageSize: 2 });
      expect(page).toMatchObject({ totalSize: 3, pageSize: 2 });
      expect(
        (await all(client.listAllTasks({ contextId: 'c', pageSize: 2 }))).map(({ id }) => id).sort(),
      ).toEqual(ids.sort());
    });

    it.runIf(version === '0.3')('O-70, O-V03-05: does not list what cannot be listed', async () => {
      const error = await errorOf((await connect()).listTasks());
      expect(error).toMatchObject({ name: 'UnsupportedOperationError', metadata: {} });
    });

    it('makes, reads and removes webhooks', async () => {
      const client = await connect();
      const { id: taskId } = taskOf(await client.sendText('echo'));
      const config = {
        taskId,
        url: 'https://hook.example.com',
        token: 'x',
        authentication: { scheme: 'Bearer', credentials: 'y' },
      };
      const made = await client.createTaskPushNotificationConfig(config);
      expect(made).toMatchObject(config);
      const id = made.id!;
      expect(await client.getTaskPushNotificationConfig({ taskId, id })).toMatchObject({ ...config, id });
      expect((await client.listTaskPushNotificationConfigs({ taskId })).configs).toHaveLength(1);
      await client.deleteTaskPushNotificationConfig({ taskId, id });
      expect((await client.listTaskPushNotificationConfigs({ taskId })).configs).toEqual([]);
    });

    it('understands its errors', async () => {
      const client = await connect();
      const { id } = taskOf(await client.sendText('echo'));
      const names = await Promise.all(
        [
          client.getTask({ id: 'none' }),
          client.cancelTask({ id }),
          client.sendText('more', { taskId: id }),
          all(client.subscribeToTask({ id: 'none' })),
        ].map(async (work) => (await errorOf(work)).name as string),
      );
      expect(names).toEqual(['TaskNotFoundError', 'TaskNotCancelableError', errorOfMore, errorOfNoStream]);
      const following = all(client.subscribeToTask({ id }));
      if (showsEndedTasks) expect(await following).toHaveLength(1);
      else expect(await errorOf(following)).toMatchObject({ name: 'UnsupportedOperationError' });
    });
  },
);

describe('a webhook of an application', () => {
  afterEach(stopApps);

  it.each(['HTTP+JSON', 'JSONRPC'] as const)(
    'O-30, O-32, O-69: is told by an agent of the SDK 0.3 that was called over %s',
    async (binding) => {
      const told = deferred<StreamResponse<Uint8Array>>();
      const handler: A2AWebhookHandler = {
        onNotification: (event) => {
          if (event.task?.status.state === 'TASK_STATE_COMPLETED') told.resolve(event);
        },
      };
      const webhook = A2AWebhookModule.forRoot({ path: 'hook', handler, token: 'tk' });
      const { url } = await startApp({ imports: [webhook] });
      const client = await new A2AClientFactory().connect(await startA2aJs03Agent(), { bindings: [binding] });
      const message = { messageId: 'm', role: Role.User, parts: [{ text: 'echo' }] };
      const taskPushNotificationConfig = { url: `${url}/hook`, token: 'tk' };
      const sent = await client.sendMessage({ message, configuration: { taskPushNotificationConfig } });
      const { task } = await told.promise;
      expect(task).toMatchObject({ id: taskOf(sent).id, artifacts: [{ parts: [{ text: 'echo' }] }] });
    },
  );
});

function taskOf(result: SendResult): Task<Uint8Array> {
  if (!isTask(result)) throw new Error('a message came where a task was expected');
  return result;
}

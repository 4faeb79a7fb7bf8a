import { describe, expect, it } from 'vitest';
import { isMessage, isTask, Role, type DirectReply, type SendResult, type Task } from 'nest-a2a';
import { CONFIG, OwnHandler } from '../handler/own-handler.js';
import {
  describeAgent,
  describeAgentInPairs,
  untilAborted,
  type AgentOptions,
  type AgentTarget,
} from '../support/index.js';
import { connectTo } from './connect.js';
import { all, errorOf } from './wire-server.js';

describeAgent('every operation of a client', (target) => everyOperation(target, '1.0'));
// Either adapter and either binding is enough: what differs is the wording.
describeAgentInPairs('O-4: every operation of a client of 0.3', (target) => everyOperation(target, '0.3'));

/** The same in either version, but for what 0.3 has no words for. */
function everyOperation(target: AgentTarget, protocolVersion: '1.0' | '0.3'): void {
  const isOld = protocolVersion === '0.3';
  const start = async (options: AgentOptions = {}, path = '') => {
    const agent = await target.start({
      ...(options.handler === undefined && {
        execute: async (context, task): Promise<DirectReply | void> => {
          if (context.text === 'hello') return { parts: [{ text: 'hello yourself' }] };
          await task.working();
          if (context.text === 'wait') await untilAborted(context.signal);
          if (context.text === 'ask') return task.requireInput('which?');
          await task.addArtifact(context.message.parts);
          await task.complete();
        },
      }),
      ...(isOld && { compat: { v0_3: true } }),
      ...options,
    });
    return connectTo(`${agent.http.origin}/a2a${path}`, target.binding, { protocolVersion });
  };

  it('S-11, S-14: sends, and gets a task or a message, with bytes in both directions', async () => {
    const client = await start();
    const namesFiles = !isOld || target.binding === 'json-rpc';
    const parts = [
      { raw: new Uint8Array([0, 255, 7]), ...(namesFiles && { filename: 'a.bin' }) },
      { data: { a: [null] } },
    ];
    const task = taskOf(
      await client.sendMessage({
        message: { messageId: 'm', role: Role.User, parts },
        configuration: { acceptedOutputModes: ['text/plain'], historyLength: 0 },
      }),
    );
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts?.[0]?.parts).toEqual(parts);
    expect(task.history).toBeUndefined();
    const reply = await client.sendText('hello');
    expect(isMessage(reply) && reply.parts).toEqual([{ text: 'hello yourself' }]);
  });

  it('S-19, S-21: streams, and follows what runs', async () => {
    const client = await start();
    const sending = client.sendMessageStream('wait');
    const { value: first } = await sending.next();
    const { id } = first!.task!;
    const following = client.subscribeToTask({ id });
    expect((await following.next()).value?.task?.id).toBe(id);
    expect((await client.cancelTask({ id })).status.state).toBe('TASK_STATE_CANCELED');
    for (const stream of [sending, following]) {
      const rest = await all(stream);
      expect(rest.at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_CANCELED');
    }
    expect((await errorOf(all(client.subscribeToTask({ id })))).name).toBe('UnsupportedOperationError');
  });

  it('S-16, S-17, S-18: gets, lists and cancels', async () => {
    const client = await start();
    const tasks = [];
    for (let i = 0; i < 5; i++) tasks.push(taskOf(await client.sendText(`${i}`, { contextId: 'c 1/&' })));
    await client.sendText('elsewhere');
    const { id } = tasks[0]!;
    expect((await client.getTask({ id })).history).toHaveLength(1);
    expect((await client.getTask({ id, historyLength: 0 })).history).toBeUndefined();
    expect((await errorOf(client.cancelTask({ id }))).name).toBe('TaskNotCancelableError');
    expect(await errorOf(client.getTask({ id: 'a/b:c' }))).toMatchObject({
      name: 'TaskNotFoundError',
      metadata: { taskId: 'a/b:c' },
    });
    if (isOld) return;
    const page = await client.listTasks({ contextId: 'c 1/&', pageSize: 2, includeArtifacts: true });
    expect(page).toMatchObject({ totalSize: 5, pageSize: 2 });
    expect(page.tasks[0]?.artifacts).toHaveLength(1);
    const listed = await all(client.listAllTasks({ contextId: 'c 1/&', pageSize: 2 }));
    expect(listed.map((task) => task.id).sort()).toEqual(tasks.map((task) => task.id).sort());
    expect((await errorOf(client.listTasks({ pageToken: 'none of theirs' }))).name).toBe(
      'InvalidParamsError',
    );
  });

  it('S-67, S-80: goes on with a task that asks', async () => {
    const client = await start();
    const { id, status, contextId } = taskOf(await client.sendText('ask'));
    expect(status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: 'which?' }] },
    });
    expect(
      taskOf(await client.sendText('that', { taskId: id, contextId: contextId! })).artifacts,
    ).toHaveLength(1);
    expect((await errorOf(client.sendText('more', { taskId: id }))).name).toBe('UnsupportedOperationError');
  });

  it('S-27, S-28, S-29: makes, reads and removes webhooks', async () => {
    const handler = new OwnHandler();
    const client = await start({ handler });
    const request = {
      taskId: 't1',
      url: 'https://hook.example.com',
      authentication: { scheme: 'Bearer', credentials: 'x' },
    };
    expect(await client.createTaskPushNotificationConfig(request)).toEqual(CONFIG);
    expect(await client.getTaskPushNotificationConfig({ taskId: 't1', id: 'c1' })).toEqual(CONFIG);
    expect(await client.listTaskPushNotificationConfigs({ taskId: 't1' })).toEqual({
      configs: [CONFIG],
      nextPageToken: '',
    });
    await client.deleteTaskPushNotificationConfig({ taskId: 't1', id: 'c1' });
    expect(handler.calls.map(([, seen]) => seen)).toEqual([
      request,
      { taskId: 't1', id: 'c1' },
      // All of them are one answer there.
      { taskId: 't1', ...(isOld && { pageSize: 1_000 }) },
      { taskId: 't1', id: 'c1' },
    ]);
  });

  it('S-55, S-106: is told what is not there', async () => {
    const client = await start({ capabilities: { pushNotifications: false } });
    const push = client.createTaskPushNotificationConfig({ taskId: 't', url: 'https://x.example' });
    expect((await errorOf(push)).name).toBe('PushNotificationNotSupportedError');
    expect((await errorOf(client.getExtendedAgentCard())).name).toBe('UnsupportedOperationError');
  });

  it.skipIf(isOld)('O-8, O-60: stays within a tenant', async () => {
    const client = await start({ tenants: ['a c'] });
    const { id } = taskOf(
      await client.sendMessage({
        tenant: 'a c',
        message: { messageId: 'm', role: Role.User, parts: [{ text: '' }] },
      }),
    );
    expect((await client.getTask({ tenant: 'a c', id })).id).toBe(id);
    expect((await errorOf(client.getTask({ id }))).name).toBe('TaskNotFoundError');
  });
}

describe('what a send was answered with', () => {
  it('is told apart', () => {
    const task = { id: 't', status: { state: 'TASK_STATE_WORKING' } } as const;
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [] } as SendResult;
    expect([isTask(task), isMessage(task), isTask(message), isMessage(message)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});

function taskOf(result: SendResult): Task<Uint8Array> {
  if (!isTask(result)) throw new Error('a message came where a task was expected');
  return result;
}

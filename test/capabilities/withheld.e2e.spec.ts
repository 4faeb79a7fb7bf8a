import { expect, it, vi } from 'vitest';
import { A2ARequestHandler, type SendMessageRequest, type SendMessageResponse } from 'nest-a2a';
import { describeAgent } from '../support/index.js';
import { callAny, reasonsOfAll } from '../support/operations.js';
import { echo, makeTasks } from '../support/task-makers.js';

const PUSH_OPERATIONS = [
  'createTaskPushNotificationConfig',
  'getTaskPushNotificationConfig',
  'listTaskPushNotificationConfigs',
  'deleteTaskPushNotificationConfig',
] as const;

/** Answers nothing but messages. */
class MinimalHandler extends A2ARequestHandler {
  override async sendMessage({ message }: SendMessageRequest): Promise<SendMessageResponse> {
    return { message: { ...message, role: 'ROLE_AGENT' } };
  }
}

describeAgent('Operations that an agent does not have', (target) => {
  it('O-PUSH-10, S-118: without push all four operations refuse, also for tasks that do not exist', async () => {
    const execute = vi.fn(echo);
    const agent = await target.start({ execute, capabilities: { pushNotifications: false } });
    const [task] = await makeTasks(agent, 1);
    for (const taskId of [task?.id, 'nope']) {
      for (const operation of PUSH_OPERATIONS) {
        const { error } = await callAny(agent, operation, {
          taskId,
          id: 'c1',
          url: 'https://hook.example.com',
        });
        expect([error?.httpStatus, error?.code, error?.reason]).toEqual([
          400,
          -32003,
          'PUSH_NOTIFICATION_NOT_SUPPORTED',
        ]);
        // Before the request is looked at.
        expect(
          (await callAny(agent, operation, { taskId, id: 'c1', url: 5, pageSize: 'x' })).error?.code,
        ).toBe(-32003);
      }
    }
    expect((await agent.card()).capabilities.pushNotifications).toBe(false);
  });

  it('O-PUSH-10, S-118: a push config that comes with a message is refused, and nothing is started or kept', async () => {
    const execute = vi.fn(echo);
    const agent = await target.start({ execute, capabilities: { pushNotifications: false } });
    const taskPushNotificationConfig = { url: 'https://hook.example.com' };
    for (const call of [
      agent.send('hi', { taskPushNotificationConfig }),
      agent.send('hi', { taskPushNotificationConfig, returnImmediately: true }),
      agent.stream('hi', { taskPushNotificationConfig }),
    ]) {
      expect((await call).error?.reason).toBe('PUSH_NOTIFICATION_NOT_SUPPORTED');
    }
    expect(execute).not.toHaveBeenCalled();
    expect((await agent.list().result()).totalSize).toBe(0);
    // `null` is none (O-PUSH-11).
    await agent.send('hi', { taskPushNotificationConfig: null } as object).task();
  });

  it('S-118, O-ERR-05: without streaming both of its operations refuse, and the card says so', async () => {
    const agent = await target.start({ execute: echo, capabilities: { streaming: false } });
    const [task] = await makeTasks(agent, 1);
    for (const id of [task!.id, 'nope']) {
      expect((await agent.subscribe(id).error()).reason).toBe('UNSUPPORTED_OPERATION');
    }
    const error = await agent.stream('hi').error();
    expect([error.httpStatus, error.code, error.reason]).toEqual([400, -32004, 'UNSUPPORTED_OPERATION']);
    expect((await agent.card()).capabilities).toMatchObject({ streaming: false });
    expect((await agent.list().result()).totalSize).toBe(1);
  });

  it('O-CARD-05, S-105: without an extended card the operation is unsupported and the card says so', async () => {
    const agent = await target.start({ execute: echo });
    const error = await agent.call('getExtendedAgentCard', {}).error();
    expect([error.httpStatus, error.code, error.reason]).toEqual([400, -32004, 'UNSUPPORTED_OPERATION']);
    expect((await agent.card()).capabilities).toMatchObject({ extendedAgentCard: false });
  });

  it('S-55: what a handler does not define is refused; a push operation by its own error', async () => {
    const agent = await target.start({ handler: MinimalHandler });
    const reasons = await reasonsOfAll(agent);
    expect(reasons).toEqual({
      sendMessage: undefined,
      sendStreamingMessage: 'UNSUPPORTED_OPERATION',
      getTask: 'UNSUPPORTED_OPERATION',
      listTasks: 'UNSUPPORTED_OPERATION',
      cancelTask: 'UNSUPPORTED_OPERATION',
      subscribeToTask: 'UNSUPPORTED_OPERATION',
      createTaskPushNotificationConfig: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
      getTaskPushNotificationConfig: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
      listTaskPushNotificationConfigs: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
      deleteTaskPushNotificationConfig: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
      getExtendedAgentCard: 'UNSUPPORTED_OPERATION',
    });
    expect((await agent.card()).capabilities).toEqual({
      streaming: false,
      pushNotifications: false,
      extendedAgentCard: false,
    });
  });
});

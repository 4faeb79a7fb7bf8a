import { DefaultRequestHandler, type CallContext, type SendMessageRequest } from 'nest-a2a';
import { expect, it, vi } from 'vitest';
import { describeAgent, EventStream, statusOf, summary, textOf } from '../support/index.js';
import { callAny, OPERATIONS, REQUESTS } from '../support/operations.js';
import { echo } from '../support/task-makers.js';
import { CONFIG, OwnHandler, TASK } from './own-handler.js';

describeAgent('An own handler', (target) => {
  it('S-8, S-50, S-53: answers every operation, and knows who calls and how', async () => {
    const handler = new OwnHandler();
    const agent = await target.start({
      handler,
      tenants: ['acme'],
      card: { name: 'Own', description: '', version: '1', capabilities: { extensions: [{ uri: 'urn:x' }] } },
    });
    const answers: Record<string, unknown> = {};
    for (const operation of OPERATIONS.filter((name) => name !== 'getExtendedAgentCard')) {
      const request = { ...REQUESTS[operation], tenant: 'acme' };
      const headers = { 'X-Odd-Name': 'kept', 'A2A-Extensions': 'urn:x, urn:y', 'A2A-Version': '1.0.7' };
      const { result, error } = await callAny(agent, operation, request, headers);
      expect([operation, error]).toEqual([operation, undefined]);
      answers[operation] = result instanceof EventStream ? summary(await result.events()) : result;
      const [name, seen, context] = handler.calls.at(-1)!;
      expect([name, seen]).toEqual([operation, expect.objectContaining(REQUESTS[operation])]);
      expect(context).toMatchObject({ tenant: 'acme', version: '1.0', extensions: ['urn:x'], scopes: [] });
      expect(context.headers['x-odd-name']).toBe('kept');
      expect(context).not.toHaveProperty('identity');
    }
    expect(answers).toEqual({
      sendMessage: { message: { messageId: 'r1', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } },
      sendStreamingMessage: ['task WORKING', 'COMPLETED'],
      getTask: TASK,
      listTasks: { tasks: [TASK], nextPageToken: '', pageSize: 50, totalSize: 1 },
      cancelTask: { ...TASK, status: { state: 'TASK_STATE_CANCELED' } },
      subscribeToTask: ['task WORKING', 'COMPLETED'],
      createTaskPushNotificationConfig: CONFIG,
      getTaskPushNotificationConfig: CONFIG,
      listTaskPushNotificationConfigs: { configs: [CONFIG], nextPageToken: '' },
      deleteTaskPushNotificationConfig: {},
    });
    expect((await agent.card()).capabilities).toMatchObject({
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: false,
    });
    expect((await agent.with({ 'A2A-Extensions': '' }).get('t2').error()).reason).toBe('TASK_NOT_FOUND');
  });

  it('S-58, S-118: what it could do is withheld by the option, in the card and on the wire', async () => {
    const handler = new OwnHandler();
    const agent = await target.start({
      handler,
      capabilities: { streaming: false, pushNotifications: false },
    });
    expect((await agent.card()).capabilities).toEqual({
      streaming: false,
      pushNotifications: false,
      extendedAgentCard: false,
    });
    for (const operation of OPERATIONS) await callAny(agent, operation);
    const inline = { ...REQUESTS.sendMessage, configuration: { taskPushNotificationConfig: CONFIG } };
    expect((await callAny(agent, 'sendMessage', inline)).error?.reason).toBe(
      'PUSH_NOTIFICATION_NOT_SUPPORTED',
    );
    const called = handler.calls.map(([operation]) => operation);
    expect(called).toEqual(['sendMessage', 'getTask', 'listTasks', 'cancelTask']);
  });

  it('S-50: may change what the default one streams, and leaves the task as it is', async () => {
    class Shouting extends DefaultRequestHandler {
      override async sendStreamingMessage(request: SendMessageRequest, context: CallContext) {
        const events = await super.sendStreamingMessage(request, context);
        return (async function* () {
          for await (const event of events) {
            const { artifactUpdate } = event;
            if (!artifactUpdate) {
              yield event;
              continue;
            }
            const parts = [{ text: textOf(artifactUpdate.artifact).toUpperCase() }];
            yield { artifactUpdate: { ...artifactUpdate, artifact: { ...artifactUpdate.artifact, parts } } };
          }
        })();
      }
    }
    const agent = await target.start({
      handler: Shouting,
      executor: {
        execute: async ({ text }, task) => {
          await task.addArtifact([{ text }], { artifactId: 'a1' });
          await task.complete();
        },
      },
    });
    const events = await (await agent.stream('hello').result()).events();
    expect(summary(events)).toEqual(['task SUBMITTED', 'a1: HELLO', 'COMPLETED']);
    const stored = await agent.get(events[0]!.task!.id).result();
    expect(textOf(stored.artifacts?.[0])).toBe('hello');
  });

  it('an answer of its own that is no message is an invalid response in either binding', async () => {
    for (const answer of [undefined, null, 5, 'text', true, []]) {
      class Untyped extends DefaultRequestHandler {
        override sendMessage = () => Promise.resolve(answer as never);
        override getTask = () => Promise.resolve(answer as never);
      }
      const agent = await target.start({ handler: Untyped, execute: echo });
      for (const call of [agent.send('hi'), agent.get('t1')]) {
        expect(await call.error()).toMatchObject({ httpStatus: 500, reason: 'INVALID_AGENT_RESPONSE' });
      }
    }
  });

  it('what it streams that is no event is an invalid response, and its generator is ended', async () => {
    const good = { message: { messageId: 'r1', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } };
    const circular: Record<string, unknown> = {};
    circular.message = circular;
    for (const bad of [undefined, null, 5, 'text', {}, { message: null }, circular, { message: { n: 1n } }]) {
      for (const before of [[], [good]]) {
        const ended = vi.fn();
        class Untyped extends DefaultRequestHandler {
          override sendStreamingMessage = async () =>
            (async function* () {
              try {
                yield* before as never[];
                yield bad as never;
                yield good as never;
              } finally {
                ended();
              }
            })();
        }
        const agent = await target.start({ handler: Untyped, execute: echo });
        const { result, error } = await agent.stream('hi');
        expect(await result?.events()).toEqual(before.length > 0 ? [good] : undefined);
        expect(result?.failure ?? error).toMatchObject({ httpStatus: 500, status: 'INTERNAL' });
        await expect.poll(() => [ended.mock.calls.length, agent.openStreams]).toEqual([1, 0]);
      }
    }
  });

  it('S-62: is not asked what the checks before it refuse', async () => {
    const requests: SendMessageRequest[] = [];
    class Careless extends DefaultRequestHandler {
      override async sendMessage(request: SendMessageRequest, context: CallContext) {
        requests.push(request);
        return super.sendMessage(request, context);
      }
    }
    const agent = await target.start({ handler: Careless, execute: echo });
    await agent.call('sendMessage', { message: {} }).error();
    await agent.send('hi', { headers: { 'A2A-Version': '0.1' } }).error();
    await agent.call('sendMessage', { ...REQUESTS.sendMessage, tenant: 'x' }).error();
    expect(requests).toEqual([]);
    expect(statusOf(await agent.send('hi').task())).toBe('COMPLETED: hi');
    expect(requests).toHaveLength(1);
  });
});

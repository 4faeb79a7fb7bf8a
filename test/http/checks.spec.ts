import { afterEach, describe, expect, it } from 'vitest';
import type { AgentExtension } from '../../lib/protocol/index.js';
import { EchoHandler, MESSAGE } from './echo-handler.js';
import {
  ADAPTERS,
  startAgent,
  stopAgents,
  type AgentSetup,
  type Answer,
  type TestAgent,
} from './start-agent.js';

afterEach(stopAgents);

const X = 'https://e.example/x/v1';
const Y = 'https://e.example/y/v1';

/** Every operation, with bodies that would not pass the next check. */
const OPERATIONS: [string, string, string][] = [
  ['sendMessage', 'POST', '/message:send'],
  ['sendStreamingMessage', 'POST', '/message:stream'],
  ['getTask', 'GET', '/tasks/nope?historyLength=-1'],
  ['listTasks', 'GET', '/tasks?pageSize=x'],
  ['cancelTask', 'POST', '/tasks/nope:cancel'],
  ['subscribeToTask', 'GET', '/tasks/nope:subscribe'],
  ['subscribeToTask', 'POST', '/tasks/nope:subscribe'],
  ['createTaskPushNotificationConfig', 'POST', '/tasks/nope/pushNotificationConfigs'],
  ['getTaskPushNotificationConfig', 'GET', '/tasks/nope/pushNotificationConfigs/c'],
  ['listTaskPushNotificationConfigs', 'GET', '/tasks/nope/pushNotificationConfigs?pageSize=x'],
  ['deleteTaskPushNotificationConfig', 'DELETE', '/tasks/nope/pushNotificationConfigs/c'],
  ['getExtendedAgentCard', 'GET', '/extendedAgentCard'],
  // What is wrong with a path is as much a matter of the request as what is wrong with a body.
  ['getTask', 'GET', '/tasks/%zz'],
  ['cancelTask', 'POST', '/tasks/%E4%B8:cancel'],
  ['subscribeToTask', 'GET', '/tasks/%:subscribe'],
  ['listTaskPushNotificationConfigs', 'GET', '/tasks/%zz/pushNotificationConfigs'],
  ['deleteTaskPushNotificationConfig', 'DELETE', '/tasks/t/pushNotificationConfigs/%c0'],
];

async function reasonOf(response: Answer) {
  expect(response.headers.get('content-type')).toBe('application/a2a+json');
  const { error } = await response.json();
  return { status: response.status, reason: error.details[0]?.reason, message: error.message as string };
}

describe.each(ADAPTERS)('Checks on %s', (adapter) => {
  const start = async (setup: Partial<AgentSetup> = {}) => {
    const handler = new EchoHandler();
    return { handler, agent: await startAgent({ adapter, handler, ...setup }) };
  };
  const call = (agent: TestAgent, method: string, path: string, headers: Record<string, string>) =>
    agent.fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(method === 'POST' && { body: '{"a":' }),
    });

  it.each([{}, { 'A2A-Version': '' }, { 'A2A-Version': ' ' }])(
    'O-VER-01: %o means 0.3, which is not served',
    async (headers) => {
      const { agent, handler } = await start();
      const response = await fetch(`${agent.base}/tasks/t1`, { headers: headers as Record<string, string> });
      const { status, reason, message } = await reasonOf(response);
      expect([status, reason]).toEqual([400, 'VERSION_NOT_SUPPORTED']);
      expect(message).toContain('0.3');
      expect(message).toContain('served: 1.0');
      expect(message).toContain('A2A-Version: 1.0');
      expect(handler.calls).toEqual([]);
    },
  );

  it('O-VER-02: another version is refused by every operation before anything else', async () => {
    const { agent, handler } = await start({
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
      extensions: [{ uri: X, required: true }],
    });
    for (const [, method, path] of OPERATIONS) {
      for (const version of ['9.9', '2', '1.0-beta', 'x']) {
        const answer = await reasonOf(await call(agent, method, path, { 'A2A-Version': version }));
        expect([path, answer.status, answer.reason]).toEqual([path, 400, 'VERSION_NOT_SUPPORTED']);
        expect(answer.message).toContain('served: 1.0');
      }
    }
    expect(handler.calls).toEqual([]);
  });

  it('O-VER-03: the version may come in the query string, in any case', async () => {
    const { agent, handler } = await start();
    for (const query of ['A2A-Version=1.0', 'a2a-version=1.0', 'A2A-VERSION=1.0.3&historyLength=1']) {
      const response = await fetch(`${agent.base}/tasks/t1?${query}`);
      expect(response.status).toBe(200);
      expect(handler.last?.context.version).toBe('1.0');
    }
    const header = await fetch(`${agent.base}/tasks/t1?A2A-Version=1.0`, {
      headers: { 'A2A-Version': '9.9' },
    });
    expect((await reasonOf(header)).reason).toBe('VERSION_NOT_SUPPORTED');
  });

  it('O-VER-05: the handler sees Major.Minor', async () => {
    const { agent, handler } = await start();
    await agent.fetch('/tasks/t1', { headers: { 'A2A-Version': '1.0.7' } });
    expect(handler.last?.context.version).toBe('1.0');
  });

  it('O-EXT-05: a required extension is asked for by every operation, before streams begin', async () => {
    const { agent, handler } = await start({
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
      extensions: [{ uri: Y }, { uri: X, required: true }],
    });
    for (const [, method, path] of OPERATIONS) {
      const { status, reason, message } = await reasonOf(
        await call(agent, method, path, { 'A2A-Extensions': Y }),
      );
      expect([path, status, reason]).toEqual([path, 400, 'EXTENSION_SUPPORT_REQUIRED']);
      expect(message).toContain(X);
    }
    expect(handler.calls).toEqual([]);
  });

  it('O-EXT-01: a required extension that is asked for is active and echoed', async () => {
    const { agent, handler } = await start({ extensions: [{ uri: X, required: true }] });
    expect((await agent.post('/message:send', { message: MESSAGE })).status).toBe(400);
    const response = await agent.post(
      '/message:send',
      { message: MESSAGE },
      { headers: { 'A2A-Extensions': X } },
    );
    expect([response.status, response.headers.get('a2a-extensions')]).toEqual([200, X]);
    expect(handler.calls).toHaveLength(1);
    expect(handler.last?.context.extensions).toEqual([X]);
  });

  it('O-EXT-02: an extension that nobody declares is ignored', async () => {
    const extensions: AgentExtension[] = [{ uri: X }, { uri: Y }];
    const { agent, handler } = await start({ extensions });
    const asked = `https://nobody.example/y/v1, ${Y} ,${X}`;
    const response = await agent.fetch('/tasks/t1', { headers: { 'A2A-Extensions': asked } });
    expect([response.status, response.headers.get('a2a-extensions')]).toEqual([200, `${X}, ${Y}`]);
    expect(handler.last?.context.extensions).toEqual([X, Y]);
    const none = await agent.fetch('/tasks/t1', {
      headers: { 'A2A-Extensions': 'https://nobody.example/y/v1' },
    });
    expect([none.status, none.headers.get('a2a-extensions')]).toEqual([200, null]);
    expect(handler.last?.context.extensions).toEqual([]);
  });

  it('O-EXT-04: extensions named in a message switch nothing on, and stay as they are', async () => {
    const { agent, handler } = await start({ extensions: [{ uri: X }] });
    const response = await agent.post('/message:send', { message: { ...MESSAGE, extensions: [X] } });
    expect(response.headers.get('a2a-extensions')).toBeNull();
    expect(handler.last?.context.extensions).toEqual([]);
    expect(handler.last?.request.message.extensions).toEqual([X]);
  });

  it('says what the agent is not capable of before it looks at the request', async () => {
    const { agent, handler } = await start({
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    });
    for (const [operation, method, path] of OPERATIONS) {
      const answer = await reasonOf(await call(agent, method, path, {}));
      const expected = operation.includes('Push')
        ? 'PUSH_NOTIFICATION_NOT_SUPPORTED'
        : /Stream|subscribe|Card/.test(operation)
          ? 'UNSUPPORTED_OPERATION'
          : undefined;
      if (operation !== 'getTask') expect([operation, answer.reason]).toEqual([operation, expected]);
      expect(answer.status).toBe(400);
    }
    expect(handler.calls).toEqual([]);
  });

  it('S-118: refuses a webhook that comes with a message when there is no push', async () => {
    const { agent, handler } = await start({ capabilities: { pushNotifications: false } });
    const configuration = { taskPushNotificationConfig: { url: 'https://hook.example.com' } };
    for (const path of ['/message:send', '/message:stream']) {
      const { reason } = await reasonOf(await agent.post(path, { message: MESSAGE, configuration }));
      expect(reason).toBe('PUSH_NOTIFICATION_NOT_SUPPORTED');
    }
    expect(handler.calls).toEqual([]);
  });

  it('O-PART-06: no handler hears a message in the role of an agent; that is told before its tenant', async () => {
    const { agent, handler } = await start({ tenants: ['acme'] });
    for (const path of ['/message:send', '/message:stream', '/acme/message:send']) {
      for (const role of ['ROLE_AGENT', 2]) {
        const answer = await agent.post(path, { message: { ...MESSAGE, role }, tenant: 'globex' });
        const { error } = await answer.json();
        expect([path, error.code, error.details[0].fieldViolations[0].field]).toEqual([
          path,
          400,
          'message.role',
        ]);
      }
    }
    expect(handler.calls).toEqual([]);
  });

  it('S-53: gives the handler the headers in lower case', async () => {
    const { agent, handler } = await start();
    await agent.fetch('/tasks/t1', { headers: { 'X-Custom': 'a', Authorization: 'Bearer x' } });
    expect(handler.last?.context).toMatchObject({
      headers: { 'x-custom': 'a', authorization: 'Bearer x' },
      scopes: [],
      extensions: [],
      version: '1.0',
    });
    expect(handler.last?.context.identity).toBeUndefined();
  });
});

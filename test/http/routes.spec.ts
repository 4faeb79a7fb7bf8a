import { afterEach, describe, expect, it } from 'vitest';
import { EchoHandler, MESSAGE } from './echo-handler.js';
import { ADAPTERS, startAgent, stopAgents } from './start-agent.js';

afterEach(stopAgents);

describe.each(ADAPTERS)('Routes on %s', (adapter) => {
  const start = async (setup = {}) => {
    const handler = new EchoHandler();
    return { handler, agent: await startAgent({ adapter, handler, ...setup }) };
  };

  it.each([false, true])(
    'serves every operation with 200 and the media type of A2A (testing: %s)',
    async (testing) => {
      const { agent, handler } = await start({ isTestingModule: testing });
      const body = { message: MESSAGE };
      const config = { url: 'https://hook.example.com' };
      const calls: [string, Promise<Response>][] = [
        ['sendMessage', agent.post('/message:send', body)],
        ['sendStreamingMessage', agent.post('/message:stream', body)],
        ['getTask', agent.fetch('/tasks/t1')],
        ['listTasks', agent.fetch('/tasks')],
        ['cancelTask', agent.fetch('/tasks/t1:cancel', { method: 'POST' })],
        ['subscribeToTask', agent.fetch('/tasks/t1:subscribe')],
        ['createTaskPushNotificationConfig', agent.post('/tasks/t1/pushNotificationConfigs', config)],
        ['getTaskPushNotificationConfig', agent.fetch('/tasks/t1/pushNotificationConfigs/c1')],
        ['listTaskPushNotificationConfigs', agent.fetch('/tasks/t1/pushNotificationConfigs')],
        [
          'deleteTaskPushNotificationConfig',
          agent.fetch('/tasks/t1/pushNotificationConfigs/c1', { method: 'DELETE' }),
        ],
        ['getExtendedAgentCard', agent.fetch('/extendedAgentCard')],
      ];
      for (const [operation, answer] of calls) {
        const response = await answer;
        const text = await response.text();
        expect([operation, response.status, text.includes('error')]).toEqual([operation, 200, false]);
        const isStream = operation === 'subscribeToTask' || operation === 'sendStreamingMessage';
        expect(response.headers.get('content-type')).toBe(
          isStream ? 'text/event-stream' : 'application/a2a+json',
        );
      }
      expect(new Set(handler.calls.map(({ operation }) => operation))).toEqual(
        new Set(calls.map(([name]) => name)),
      );
    },
  );
});

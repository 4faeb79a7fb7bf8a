import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { A2AClient } from '../../client/a2a-client.js';
import type { AgentEvent } from '../../client/results.js';
import {
  TaskNotCancelableError,
  TaskNotFoundError,
  UnavailableError,
  type Task,
} from '../../protocol/index.js';
import { Reply } from './reply.js';
import { ScriptedAgent } from './scripted-agent.js';
import { Step } from './step.js';

const task: Task = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } };
const done: Task = { ...task, status: { state: 'TASK_STATE_COMPLETED' } };
const config = { taskId: 't-1', id: 'p-1', url: 'https://hook.example' };
const finished = { statusUpdate: { taskId: 't-1', contextId: 'c-1', status: done.status } };

describe.each([
  ['http-json', '1.0'],
  ['json-rpc', '1.0'],
  ['http-json', '0.3'],
  ['json-rpc', '0.3'],
] as const)('a client of a ScriptedAgent over %s %s', (binding, protocolVersion) => {
  const listsTasks = protocolVersion === '1.0';
  let agent: ScriptedAgent;
  let client: A2AClient;

  beforeEach(() => {
    agent = new ScriptedAgent({ binding, protocolVersion });
    client = agent.client({ headers: { 'x-a': '1' }, retry: false });
  });
  afterEach(() => agent.assertDone());

  it('O-79, O-80: every operation gets what was scripted for it', async () => {
    agent.on('sendMessage').reply({ task });
    agent.on('getTask').reply(task);
    if (listsTasks)
      agent.on('listTasks').reply({ tasks: [task], nextPageToken: '', pageSize: 50, totalSize: 1 });
    agent.on('cancelTask').reply(done);
    agent.on('createTaskPushNotificationConfig').reply(config);
    agent.on('getTaskPushNotificationConfig').reply(config);
    agent.on('listTaskPushNotificationConfigs').reply({ configs: [config], nextPageToken: '' });
    agent.on('deleteTaskPushNotificationConfig').reply({});
    agent.on('getExtendedAgentCard').reply(agent.card);
    agent.on('sendStreamingMessage').stream({ task }, finished);
    agent.on('subscribeToTask').stream({ task }, finished);

    const address = { taskId: 't-1', id: 'p-1' };
    expect(await client.sendText('hi')).toEqual(task);
    expect(await client.getTask({ id: 't-1' })).toEqual(task);
    if (listsTasks) expect((await client.listTasks()).tasks).toEqual([task]);
    else await expect(client.listTasks()).rejects.toMatchObject({ name: 'UnsupportedOperationError' });
    expect(await client.cancelTask({ id: 't-1' })).toEqual(done);
    expect(await client.createTaskPushNotificationConfig(config)).toEqual(config);
    expect(await client.getTaskPushNotificationConfig(address)).toEqual(config);
    expect((await client.listTaskPushNotificationConfigs({ taskId: 't-1' })).configs).toEqual([config]);
    await client.deleteTaskPushNotificationConfig(address);
    expect(await client.getExtendedAgentCard()).toEqual(agent.card);
    expect(await all(client.sendMessageStream('hi'))).toEqual([{ task }, finished]);
    expect(await all(client.subscribeToTask({ id: 't-1' }))).toEqual([{ task }, finished]);
    expect(agent.requests.map(({ operation }) => operation)).toEqual([
      'sendMessage',
      'getTask',
      ...(listsTasks ? ['listTasks'] : []),
      'cancelTask',
      'createTaskPushNotificationConfig',
      'getTaskPushNotificationConfig',
      'listTaskPushNotificationConfigs',
      'deleteTaskPushNotificationConfig',
      'getExtendedAgentCard',
      'sendStreamingMessage',
      'subscribeToTask',
    ]);
  });

  it('O-80: what the client sent can be looked at', async () => {
    agent.on('sendMessage').reply({ task });
    await client.sendText('hi', { contextId: 'c-1', extensions: ['urn:x'] });
    const [sent] = agent.requestsFor('sendMessage');
    expect(sent?.request.message).toMatchObject({ contextId: 'c-1', parts: [{ text: 'hi' }] });
    expect(sent?.headers).toMatchObject({
      'a2a-version': protocolVersion,
      'a2a-extensions': 'urn:x',
      'x-a': '1',
    });
  });

  it('O-80: errors of the agent are what the client throws', async () => {
    agent.on('cancelTask').error(new TaskNotCancelableError()).error(new UnavailableError('away'));
    await expect(client.cancelTask({ id: 't' })).rejects.toThrow(TaskNotCancelableError);
    await expect(client.cancelTask({ id: 't' })).rejects.toMatchObject({ name: 'UnavailableError' });
    agent.on('subscribeToTask').error(new TaskNotFoundError('t'));
    await expect(all(client.subscribeToTask({ id: 't' }))).rejects.toThrow(TaskNotFoundError);
    agent.on('sendStreamingMessage').stream({ task }, Step.error(new UnavailableError('away')));
    await expect(all(client.sendMessageStream('hi'))).rejects.toMatchObject({ message: 'away' });
  });

  it('O-80: faults of the connection are what the client throws', async () => {
    agent.on('getTask').refuse().drop().http({ status: 502, body: '<html>' }).hang();
    await expect(client.getTask({ id: 't' })).rejects.toMatchObject({ errno: 'ECONNREFUSED', unsent: true });
    await expect(client.getTask({ id: 't' })).rejects.toMatchObject({ errno: 'ECONNRESET' });
    await expect(client.getTask({ id: 't' })).rejects.toMatchObject({ name: 'UnavailableError' });
    await expect(client.getTask({ id: 't' }, { timeout: 10 })).rejects.toMatchObject({ timedOut: true });
  });

  it('O-80: a dropped stream can be taken up again, with the id that was seen last', async () => {
    agent.on('sendStreamingMessage').stream(Step.event({ task }, { id: '4', retry: 1 }), Step.drop());
    agent.on('subscribeToTask').stream({ task: done });
    const stream = client.sendMessageStream('hi', { reconnect: { maxAttempts: 1, delay: 0 } });
    expect(await stream.result()).toMatchObject({ kind: 'completed' });
    expect(agent.requestsFor('subscribeToTask')[0]).toMatchObject({
      request: { id: 't-1' },
      headers: { 'last-event-id': '4' },
    });
  });

  it('O-80: a stream in pieces of a byte is the same stream', async () => {
    const parts = [{ text: 'grüße' }];
    const update = { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'a', parts } };
    const steps = [{ task }, Step.comment(), { artifactUpdate: update }, finished];
    agent.on('sendStreamingMessage').answer(Reply.stream(steps, { chunkSize: 1 }));
    expect(await all(client.sendMessageStream('hi'))).toEqual([
      { task },
      { artifactUpdate: update },
      finished,
    ]);
  });

  it('leaving a stream closes it', async () => {
    agent.on('sendStreamingMessage').stream({ task }, Step.hang());
    const stream = client.sendMessageStream('hi');
    await stream.next();
    expect(agent.requests[0]?.isClosed).toBe(false);
    stream.close();
    await agent.requests[0]?.closed;
  });

  it('a request that nothing was scripted for says so', async () => {
    await expect(client.getTask({ id: 't' })).rejects.toThrow('no reply to getTask number 1');
    expect(() => agent.assertDone()).toThrow('no reply to getTask number 1');
    agent = new ScriptedAgent();
  });
});

async function all(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

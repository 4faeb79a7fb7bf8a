import { expect, it } from 'vitest';
import {
  A2AClientFactory,
  AgentCardResolver,
  InternalError,
  TaskNotFoundError,
  UnavailableError,
  type A2AClient,
  type TaskUpdater,
} from 'nest-a2a';
import { OwnHandler } from '../handler/own-handler.js';
import { all, errorOf, json, raw, startServer, stream, type Answer } from '../client/wire-server.js';
import { connectTo } from '../client/connect.js';
import { describeAgent, textOf, untilAborted } from '../support/index.js';

const CHALLENGE = { 'www-authenticate': 'Bearer realm="secret-realm"' };
const refuse = (name: number, status: string): Answer =>
  json({ error: { code: name, status, message: 'secret-host said no' } }, name, CHALLENGE);
const WAIT = { timeout: 20, poll: { interval: 1 } };

/** Whatever a client can fail with. */
const CALLS: Record<string, [Answer, (client: A2AClient, url: string) => Promise<unknown>]> = {
  'a 401': [refuse(401, 'UNAUTHENTICATED'), (client) => client.sendText('x')],
  'a 401 of a stream': [refuse(401, 'UNAUTHENTICATED'), (client) => all(client.sendMessageStream('x'))],
  'a 403': [refuse(403, 'PERMISSION_DENIED'), (client) => client.listTasks()],
  'an unknown task': [refuse(404, 'NOT_FOUND'), (client) => client.getTask({ id: 't' })],
  'a 429': [refuse(429, 'RESOURCE_EXHAUSTED'), (client) => client.cancelTask({ id: 't' })],
  'a gateway': [raw(503, '<h1>secret-host</h1>'), (client) => client.sendText('x')],
  'an answer that is none': [raw(200, 'secret-host'), (client) => client.sendText('x')],
  'a request that cannot be': [json({}), (client) => client.getTask({ id: '' })],
  'a stream of no task': [json({}), (client) => all(client.subscribeToTask({ id: '' }))],
  'a policy that cannot be': [json({}), async (client) => client.sendMessageStream('x', { reconnect: -1 })],
  'a cut stream': [stream(': nothing\n\n'), (client) => client.sendMessageStream('x').result()],
  'a wait that is over': [
    json({ id: 't', status: { state: 'TASK_STATE_WORKING' } }),
    (client) => client.waitForTask('t', WAIT),
  ],
  'a wait without an end': [json({}), (client) => client.sendAndWait('x', { timeout: NaN })],
  'a card that is none': [raw(200, '{}'), (_, url) => new A2AClientFactory().connect(url)],
  'a card for others': [refuse(401, 'UNAUTHENTICATED'), (_, url) => new AgentCardResolver().resolve(url)],
  'no agent': [json({}), () => new A2AClientFactory().connect('http://127.0.0.1:1')],
};

describeAgent('The error of a call to another agent', (target) => {
  const agentThat = async (
    answer: Answer,
    call: (client: A2AClient, url: string, task: TaskUpdater) => Promise<unknown>,
  ) => {
    const peer = await startServer(answer);
    const client = connectTo(peer.url, 'http-json', { settings: { retry: false } });
    return target.start({
      execute: async (_context, task) => {
        await call(client, peer.url, task);
      },
    });
  };

  it.each(Object.entries(CALLS))(
    'S-70, S-71: %s is not the answer of the agent that lets it through',
    async (_, [answer, call]) => {
      const agent = await agentThat(answer, call);
      const { status } = await agent.send('go').task();
      expect(status.state).toBe('TASK_STATE_FAILED');
      expect(textOf(status.message)).toBe('A call to another agent failed');
    },
  );

  it('S-71: says nothing of it when the task is at work already', async () => {
    const agent = await agentThat(refuse(401, 'UNAUTHENTICATED'), async (client, _url, task) => {
      await task.working();
      await client.sendText('x');
    });
    expect(textOf((await agent.send('go').task()).status.message)).toBe('A call to another agent failed');
  });

  it('S-71: an error of its own that it makes of that is its answer', async () => {
    const agent = await agentThat(refuse(404, 'NOT_FOUND'), async (client) => {
      const cause = await errorOf(client.getTask({ id: 't' }));
      throw new TaskNotFoundError('its own', { cause });
    });
    expect(await agent.send('go').error()).toMatchObject({
      httpStatus: 404,
      metadata: { taskId: 'its own' },
    });
  });

  it('S-71: the reason with which it ended the call itself is its own', async () => {
    for (const call of [
      (client: A2AClient, signal: AbortSignal) => client.sendText('x', { signal }),
      (client: A2AClient, signal: AbortSignal) => all(client.sendMessageStream('x', { signal })),
      (client: A2AClient, signal: AbortSignal) => client.sendAndWait('x', { timeout: 9_999, signal }),
    ]) {
      const calls = new AbortController();
      const agent = await agentThat(
        () => calls.abort(new UnavailableError('closed for today')),
        (client) => call(client, calls.signal),
      );
      expect(await agent.send('go').error()).toMatchObject({ httpStatus: 503, message: 'closed for today' });
    }
  });

  it('S-17: in a cancel hook another agent that refuses is a refusal, in words of its own', async () => {
    const peer = await startServer(refuse(401, 'UNAUTHENTICATED'));
    const client = connectTo(peer.url, 'http-json', { settings: { retry: false } });
    const agent = await target.start({
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
      cancel: async () => {
        await client.cancelTask({ id: 't' });
      },
    });
    const { id } = await agent.send('go', { returnImmediately: true }).task();
    const failed = await agent.cancel(id).error();
    expect(failed).toMatchObject({ httpStatus: 500 });
    expect(JSON.stringify(failed)).not.toContain('secret');
    peer.answer = json({ error: { code: 400, status: 'FAILED_PRECONDITION', message: 'secret-host' } }, 400);
    const refused = await agent.cancel(id).error();
    expect(refused).toMatchObject({ reason: 'TASK_NOT_CANCELABLE', message: 'The task cannot be canceled' });
  });

  it('S-63: of an own handler it is no challenge to the caller, but may be about the task', async () => {
    const peer = await startServer(refuse(401, 'UNAUTHENTICATED'));
    const client = connectTo(peer.url, 'http-json', { settings: { retry: false } });
    class Gateway extends OwnHandler {
      override async getTask(): Promise<never> {
        throw await errorOf(client.getTask({ id: 't' }));
      }
    }
    const agent = await target.start({ handler: Gateway });
    const refused = await agent.get('t').error();
    expect(refused).toMatchObject({ httpStatus: 500, message: new InternalError().message });
    expect(refused.headers['www-authenticate']).toBeUndefined();
    peer.answer = refuse(404, 'NOT_FOUND');
    expect((await agent.get('t').error()).reason).toBe('TASK_NOT_FOUND');
  });
});

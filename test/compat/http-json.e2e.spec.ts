import type { AgentExecutor, Task } from 'nest-a2a';
import { describe, expect, it } from 'vitest';
import { LOOPBACK } from '../support/webhook.js';
import { startAgent, type AdapterName, type AgentOptions } from '../support/index.js';
import { Calls03, message03, restMessage03 } from './calls-03.js';

const talk: AgentExecutor['execute'] = async ({ text, signal }, task) => {
  if (text === 'hello') return { messageId: 'r', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } as never;
  if (text === 'wait') {
    await task.working();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return;
  }
  await task.addArtifact([{ text }, { data: { a: 1 } }, { url: 'https://f.example', mediaType: 'a/b' }]);
  await task.complete();
};

const start = async (adapter: AdapterName, options: AgentOptions = {}) => {
  const agent = await startAgent({
    adapter,
    binding: 'http-json',
    compat: { v0_3: true },
    execute: talk,
    pushNotifications: LOOPBACK,
    ...options,
  });
  return { agent, calls: new Calls03(agent) };
};

describe.each(['express', 'fastify'] as const)('HTTP+JSON of 0.3 on %s', (adapter) => {
  it('O-V03-01: a conversation through every route, in the form of the proto', async () => {
    const { agent, calls } = await start(adapter);
    const sent = await calls.rest('POST', '/message:send', { message: restMessage03('x') });
    expect(sent.status).toBe(200);
    expect(sent.headers['content-type']).toBe('application/json');
    const { task } = sent.json;
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [
        {
          parts: [
            { text: 'x' },
            { data: { data: { a: 1 } } },
            { file: { fileWithUri: 'https://f.example', mimeType: 'a/b' } },
          ],
        },
      ],
      history: [{ messageId: 'm-x', role: 'ROLE_USER', content: [{ text: 'x' }] }],
    });
    expect((await calls.rest('GET', `/tasks/${task.id}?historyLength=0`)).json).toEqual({
      ...task,
      history: undefined,
    });
    const hello = await calls.rest('POST', '/message:send', { message: message03('hello') });
    expect(hello.json.message).toMatchObject({ role: 'ROLE_AGENT', content: [{ text: 'hi' }] });

    const configuration = { historyLength: 5 };
    const waiting = await calls.rest('POST', '/message:send', {
      message: restMessage03('wait'),
      configuration,
    });
    const { id } = waiting.json.task;
    const pushNotificationConfig = { id: 'w', url: 'http://127.0.0.1:1/' };
    const kept = { name: `tasks/${id}/pushNotificationConfigs/w`, pushNotificationConfig };
    const configs = `/tasks/${id}/pushNotificationConfigs`;
    expect((await calls.rest('POST', configs, kept)).json).toEqual(kept);
    expect((await calls.rest('POST', configs, { config: { pushNotificationConfig } })).json).toEqual(kept);
    expect((await calls.rest('GET', `${configs}/w`)).json).toEqual(kept);
    expect((await calls.rest('GET', configs)).json).toEqual({ configs: [kept] });
    expect(await calls.rest('DELETE', `${configs}/w`)).toMatchObject({ status: 200, json: {} });
    expect((await calls.rest('GET', configs)).json).toEqual({ configs: [] });

    const subscribed = calls.events(calls.rest('GET', `/tasks/${id}:subscribe`));
    const posted = calls.events(calls.rest('POST', `/tasks/${id}:subscribe`));
    await expect.poll(() => agent.openStreams, { interval: 5 }).toBe(2);
    expect((await calls.rest('POST', `/tasks/${id}:cancel`)).json.status.state).toBe('TASK_STATE_CANCELLED');
    for (const events of [await subscribed, await posted])
      expect(events.at(-1)).toMatchObject({
        statusUpdate: { final: true, status: { state: 'TASK_STATE_CANCELLED' } },
      });
  });

  it('O-71: a stream says with "final" that it ends', async () => {
    const { calls } = await start(adapter);
    const events = await calls.events(calls.rest('POST', '/message:stream', { message: restMessage03('x') }));
    expect(events.map((event) => Object.keys(event)[0])).toEqual(['task', 'artifactUpdate', 'statusUpdate']);
    expect(events[2].statusUpdate.final).toBe(true);
  });

  it('O-V03-05, O-V03-07: errors are a code and a message', async () => {
    const { calls } = await start(adapter);
    expect(await calls.rest('GET', '/tasks/x')).toMatchObject({
      status: 404,
      json: { code: -32001, message: 'Task not found: x' },
    });
    const bad = await calls.rest('POST', '/message:send', { message: { content: [{}] } });
    expect(bad.status).toBe(400);
    expect(bad.json.code).toBe(-32602);
    expect(bad.json.data.map(({ field }: { field: string }) => field)).toEqual([
      'message.messageId',
      'message.role',
      'message.content[0]',
    ]);
    const broken = await calls.rest('GET', '/tasks/x?historyLength=-1');
    expect(broken.json).toMatchObject({ code: -32602, data: [{ field: 'historyLength' }] });
    for (const path of ['/tasks', '/extendedAgentCard', '/tasks/x/', ''])
      expect(await calls.rest('GET', path)).toMatchObject({
        status: 404,
        headers: { 'content-type': 'application/json' },
        json: { code: -32601, message: 'Not found' },
      });
    expect(await calls.rest('GET', '/message:send')).toMatchObject({
      status: 405,
      headers: { allow: 'POST', 'content-type': 'application/json' },
      json: { code: 405 },
    });
    expect(await calls.rest('GET', '/tasks/%zz')).toMatchObject({
      status: 400,
      json: { code: -32602, data: [{ field: 'id' }] },
    });
  });

  it('O-67: tenants and pages, which 0.3 does not know, are ignored wherever they stand', async () => {
    const { agent, calls } = await start(adapter, { tenants: ['acme'] });
    const request = {
      tenant: 'acme',
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'wait' }] },
      configuration: { returnImmediately: true },
    } as const;
    const { task } = await agent.call<{ task: Task }>('sendMessage', request).result();
    const theirs = task.id;
    const ids = `/tasks/${theirs}`;
    for (const [method, path, body] of [
      ['GET', `${ids}?tenant=acme`],
      ['GET', `${ids}/pushNotificationConfigs?tenant=acme`],
      ['GET', `${ids}:subscribe?tenant=acme`],
      ['POST', `${ids}:subscribe?tenant=acme`, { tenant: 'acme' }],
      ['POST', `${ids}:cancel`, { tenant: 'acme' }],
    ] as const)
      expect((await calls.rest(method, path, body)).json).toMatchObject({ code: -32001 });
    expect((await calls.rpc('tasks/get', { id: theirs, tenant: 'acme' })).json.error.code).toBe(-32001);

    const mine = await calls.rest('POST', '/message:send?tenant=acme', {
      message: restMessage03('x'),
      tenant: 'globex',
    });
    const { id } = mine.json.task;
    expect((await calls.rest('GET', `/tasks/${id}?tenant=5`)).status).toBe(200);
    const configs = `/tasks/${id}/pushNotificationConfigs`;
    for (const each of ['a', 'b', 'c'])
      await calls.rest('POST', configs, { pushNotificationConfig: { id: each, url: 'http://127.0.0.1:1/' } });
    for (const query of ['?pageSize=1', '?pageSize=-1', '?pageToken=x'])
      expect((await calls.rest('GET', configs + query)).json.configs).toHaveLength(3);
  });

  it('O-VER-01, §3.6.2: a path belongs to one version, and no version means 0.3', async () => {
    const { agent, calls } = await start(adapter);
    const old = await calls.rest('GET', '/tasks/x', undefined, { 'A2A-Version': '1.0' });
    expect(old).toMatchObject({ status: 400, json: { code: -32009 } });
    expect(old.json.message).toContain('what it calls is of version 0.3');
    for (const version of ['', '0.3', '0.3.0'])
      expect((await calls.rest('GET', '/tasks/x', undefined, { 'A2A-Version': version })).status).toBe(404);
    const { error } = await agent.withoutVersion().get('x');
    expect(error).toMatchObject({
      reason: 'VERSION_NOT_SUPPORTED',
      metadata: { supportedVersions: '1.0, 0.3' },
    });
    expect(error?.message).toContain('Send the header "A2A-Version: 1.0"');
  });

  it('the tenant "v1" is reserved, and no other', async () => {
    const { agent, calls } = await start(adapter, { tenants: true });
    expect((await calls.rest('GET', '/tasks')).status).toBe(404);
    expect((await calls.rest('GET', '/.well-known/agent-card.json')).status).toBe(404);
    expect((await calls.rest('POST', '/message:send', { message: restMessage03('x') })).status).toBe(200);
    expect((await agent.request('GET', '/a2a/v2/tasks')).status).toBe(200);
    expect((await agent.request('GET', '/a2a/%761/tasks')).status).toBe(404);
    expect((await agent.list({ tenant: 'v1' })).error?.violations[0]?.field).toBe('tenant');
    await expect(start(adapter, { tenants: ['a', 'v1'] })).rejects.toThrow('tenants[1] must not be "v1"');
    await expect(start(adapter, { tenants: ['a', 'v1'], compat: {} })).resolves.toBeDefined();
  });

  it('S-64: without the option there is nothing of 0.3', async () => {
    const { agent, calls } = await start(adapter, { compat: { v0_3: false } });
    expect((await calls.rest('GET', '/tasks/x')).status).toBe(404);
    const rpc = await calls.rpc('tasks/get', { id: 'x' });
    expect(rpc.json.error).toMatchObject({ code: -32009, message: expect.stringContaining('served: 1.0') });
    expect(await agent.card()).not.toHaveProperty('protocolVersion');
    expect((await agent.card()).supportedInterfaces).toHaveLength(2);
  });

  it('one of the bindings can be served alone', async () => {
    const rpc = await start(adapter, { bindings: ['json-rpc'] });
    expect((await rpc.calls.rest('GET', '/tasks/x')).status).toBe(404);
    expect((await rpc.calls.rpc('tasks/get', { id: 'x' })).json.error.code).toBe(-32001);
    expect(await rpc.agent.card()).toMatchObject({ preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' });
    const rest = await start(adapter, { bindings: ['http-json'] });
    expect((await rest.calls.rest('GET', '/tasks/x')).json.code).toBe(-32001);
    expect(await rest.agent.card()).toMatchObject({ preferredTransport: 'HTTP+JSON' });
  });
});

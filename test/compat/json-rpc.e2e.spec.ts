import type { AgentExecutor } from 'nest-a2a';
import { describe, expect, it } from 'vitest';
import { LOOPBACK, Webhook } from '../support/webhook.js';
import { startAgent, type AdapterName, type AgentOptions } from '../support/index.js';
import { Calls03, message03 } from './calls-03.js';

const talk: AgentExecutor['execute'] = async ({ text, message, signal }, task) => {
  if (text === 'hello') return { messageId: 'r', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } as never;
  if (text === 'ask') return task.requireInput([{ text: 'Which?' }]);
  if (text === 'data') {
    await task.addArtifact([{ data: 5 }, { data: [1] }, { data: null }, { data: { a: 1 } }]);
    return task.complete();
  }
  if (text === 'wait') {
    await task.working();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return;
  }
  await task.addArtifact([{ text: `${text}${message.parts.length}` }]);
  await task.complete();
};

const start = async (adapter: AdapterName, options: AgentOptions = {}) => {
  const agent = await startAgent({
    adapter,
    binding: 'json-rpc',
    compat: { v0_3: true },
    execute: talk,
    pushNotifications: LOOPBACK,
    ...options,
  });
  return { agent, calls: new Calls03(agent) };
};

describe.each(['express', 'fastify'] as const)('JSON-RPC of 0.3 on %s', (adapter) => {
  it('O-V03-03, O-64: a conversation through every method, without a version header', async () => {
    const { calls } = await start(adapter);
    const { json: sent } = await calls.rpc('message/send', { message: message03('x') });
    expect(sent).toMatchObject({ jsonrpc: '2.0', id: 7 });
    const task = sent.result;
    expect(task).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ kind: 'text', text: 'x1' }] }],
      history: [{ kind: 'message', role: 'user', messageId: 'm-x' }],
    });
    const { json: got } = await calls.rpc('tasks/get', { id: task.id, historyLength: 0 });
    expect(got.result).toEqual({ ...task, history: undefined });

    const { json: asked } = await calls.rpc('message/send', { message: message03('ask') });
    expect(asked.result.status).toMatchObject({
      state: 'input-required',
      message: { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'Which?' }] },
    });
    const webhook = { url: 'http://127.0.0.1:1/hook', token: 't', authentication: { schemes: ['Bearer'] } };
    const of = { id: asked.result.id };
    const set = await calls.rpc('tasks/pushNotificationConfig/set', {
      taskId: of.id,
      pushNotificationConfig: { id: 'w', ...webhook },
    });
    const kept = { taskId: of.id, pushNotificationConfig: { id: 'w', ...webhook } };
    expect(set.json.result).toEqual(kept);
    expect((await calls.rpc('tasks/pushNotificationConfig/get', of)).json.result).toEqual(kept);
    const one = { ...of, pushNotificationConfigId: 'w' };
    expect((await calls.rpc('tasks/pushNotificationConfig/get', one)).json.result).toEqual(kept);
    expect((await calls.rpc('tasks/pushNotificationConfig/list', of)).json.result).toEqual([kept]);
    expect((await calls.rpc('tasks/pushNotificationConfig/delete', one)).json).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: null,
    });
    expect((await calls.rpc('tasks/pushNotificationConfig/get', of)).json.error.code).toBe(-32001);
    expect((await calls.rpc('tasks/cancel', of)).json.result.status.state).toBe('canceled');
  });

  it('O-71: a stream says with "final" that it ends', async () => {
    const { calls } = await start(adapter);
    const events = await calls.events(calls.rpc('message/stream', { message: message03('x') }));
    expect(events.every(({ jsonrpc, id }) => jsonrpc === '2.0' && id === 7)).toBe(true);
    expect(events.map(({ result }) => [result.kind, result.final])).toEqual([
      ['task', undefined],
      ['artifact-update', undefined],
      ['status-update', true],
    ]);
    const asked = await calls.events(calls.rpc('message/stream', { message: message03('ask') }));
    expect(asked.at(-1).result).toMatchObject({ final: true, status: { state: 'input-required' } });
    const hello = await calls.events(calls.rpc('message/stream', { message: message03('hello') }));
    expect(hello).toMatchObject([{ result: { kind: 'message', role: 'agent' } }]);
  });

  it('O-V03-04: values that are no objects come inside of one', async () => {
    const { calls } = await start(adapter);
    const { json } = await calls.rpc('message/send', { message: message03('data') });
    const wrapped = { data_part_compat: true };
    expect(json.result.artifacts[0].parts).toEqual([
      { kind: 'data', data: { value: 5 }, metadata: wrapped },
      { kind: 'data', data: { value: [1] }, metadata: wrapped },
      { kind: 'data', data: { value: null }, metadata: wrapped },
      { kind: 'data', data: { a: 1 } },
    ]);
  });

  it('O-V03-05, O-V03-07, O-V03-10: errors have the code and the message of 0.3, and no details of 1.0', async () => {
    const { calls } = await start(adapter);
    const error = async (method: string, params?: unknown) => {
      const { status, json } = await calls.rpc(method, params);
      expect(status).toBe(200);
      return json.error;
    };
    expect(await error('tasks/get', { id: 'x' })).toEqual({ code: -32001, message: 'Task not found: x' });
    expect(await error('tasks/list', {})).toEqual({
      code: -32601,
      message: 'Method not found: "tasks/list"',
    });
    expect((await error('tasks/get', [])).code).toBe(-32602);
    expect((await error('tasks/get', {})).data).toEqual([
      { field: 'id', description: 'is required and must be a string' },
    ]);
    const video = await error('message/send', {
      message: message03('x', { parts: [{ kind: 'video', x: 1 }] }),
    });
    expect(video).toMatchObject({ code: -32602, data: [{ field: 'message.parts[0].kind' }] });
    expect(await error('tasks/cancel', { id: 'x', metadata: 1 })).toMatchObject({ code: -32602 });
  });

  it('parameters of the other version are an error that names the version', async () => {
    const { calls } = await start(adapter);
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] };
    const old = await calls.rpc('message/send', { message });
    expect(old.json.error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/protocol version 0\.3.*message\.role.*as in version 1\.0/) as string,
    });
    const set = await calls.rpc('tasks/pushNotificationConfig/set', {
      taskId: 't',
      url: 'https://h.example',
    });
    expect(set.json.error.message).toContain('protocol version 0.3');
    const now = await calls.rpc('SendMessage', { message: message03('x') }, { 'A2A-Version': '1.0' });
    expect(now.json.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('not "user" as in protocol version 0.3') as string,
    });
  });

  it('O-VER-01, §3.6.2: a method belongs to one version, and no version means 0.3', async () => {
    const { calls } = await start(adapter);
    const codeOf = async (method: string, version: string | undefined) => {
      const headers: Record<string, string> = version === undefined ? {} : { 'A2A-Version': version };
      const { json } = await calls.rpc(method, { id: 'x' }, headers);
      return [json.error.code, json.error.message];
    };
    for (const version of [undefined, '', '0.3', '0.3.0'])
      expect((await codeOf('tasks/get', version))[0]).toBe(-32001);
    expect((await codeOf('GetTask', '1.0'))[0]).toBe(-32001);
    expect(await codeOf('GetTask', undefined)).toEqual([
      -32009,
      'A request without the header A2A-Version means version 0.3, and what it calls is of version 1.0; served: 1.0, 0.3. Send the header "A2A-Version: 1.0".',
    ]);
    expect(await codeOf('tasks/get', '1.0')).toEqual([-32009, expect.stringContaining('is of version 0.3')]);
    for (const method of ['GetTask', 'tasks/get'])
      expect(await codeOf(method, '9.9')).toEqual([-32009, expect.stringContaining('served: 1.0, 0.3')]);
  });

  it('O-69: a webhook is told in the version that it was made with', async () => {
    const { agent, calls } = await start(adapter);
    const [old, now] = [await Webhook.start(), await Webhook.start()];
    const { json } = await calls.rpc('message/send', {
      message: message03('wait'),
      configuration: { blocking: false, pushNotificationConfig: { url: old.url, token: 'secret' } },
    });
    const { id } = json.result;
    await agent.call('createTaskPushNotificationConfig', { taskId: id, url: now.url });
    await calls.rpc('tasks/cancel', { id });
    await expect.poll(() => old.posts.at(-1)?.body.kind).toBe('task');
    await expect.poll(() => (old.posts.at(-1)?.body.status as { state: string }).state).toBe('canceled');
    expect(old.posts.at(-1)?.headers).toMatchObject({
      'content-type': 'application/json',
      'a2a-version': '0.3',
      'x-a2a-notification-token': 'secret',
    });
    await expect.poll(() => now.states.at(-1)).toBe('CANCELED');
    expect(now.posts.at(-1)?.headers).toMatchObject({
      'content-type': 'application/a2a+json',
      'a2a-version': '1.0',
    });
  });

  it('O-71: what is refused behind the translation is named as 0.3 names it', async () => {
    const { calls } = await start(adapter);
    const faults = async (more: object, configuration?: object) =>
      (await calls.rpc('message/send', { message: message03('x', more), configuration })).json.error;
    const role = { field: 'message.role', description: 'must be "user" in a message from a client' };
    expect(await faults({ role: 'agent' })).toMatchObject({ code: -32602, data: [role] });
    const webhook = await faults({}, { pushNotificationConfig: { url: 'nowhere' } });
    expect(webhook.data).toMatchObject([{ field: 'configuration.pushNotificationConfig.url' }]);
    expect(webhook.message).toContain('configuration.pushNotificationConfig.url');
  });

  it('O-65: "blocking" false answers at once, and absent waits', async () => {
    const { calls } = await start(adapter);
    const state = async (configuration?: object) =>
      (await calls.rpc('message/send', { message: message03('x'), configuration })).json.result.status.state;
    expect(await state({ blocking: false })).toBe('submitted');
    expect(await state({ historyLength: 1 })).toBe('completed');
    expect(await state()).toBe('completed');
  });
});

import { describe, expect, it } from 'vitest';
import { basic, bearer, JWT, tokenOf } from '../auth/tokens.js';
import { startAgent, type AdapterName, type AgentOptions } from '../support/index.js';
import { Calls03, message03, restMessage03 } from './calls-03.js';

const REQUIRED = 'https://e.example/x/v1';
const OPTIONAL = 'https://e.example/y/v1';

/** Shows what the executor sees of its caller. */
const reporting: AgentOptions['execute'] = async ({ call }, task) => {
  const { identity = 'nobody', version, extensions } = call;
  await task.complete([{ data: { identity, version, extensions: [...extensions] } }]);
};

const start = async (adapter: AdapterName, options: AgentOptions) => {
  const agent = await startAgent({
    adapter,
    binding: 'http-json',
    compat: { v0_3: true },
    execute: reporting,
    ...options,
  });
  return { agent, calls: new Calls03(agent) };
};

const BINDINGS = ['JSON-RPC', 'HTTP+JSON'] as const;
type Headers = Record<string, string>;

async function send(calls: Calls03, binding: (typeof BINDINGS)[number], headers: Headers = {}) {
  const isRpc = binding === 'JSON-RPC';
  const answer = isRpc
    ? await calls.rpc('message/send', { message: message03('x') }, headers)
    : await calls.rest('POST', '/message:send', { message: restMessage03('x') }, headers);
  const task = isRpc ? answer.json.result : answer.json.task;
  const [part] = task?.status.message[isRpc ? 'parts' : 'content'] ?? [];
  return { ...answer, task, seen: isRpc ? part?.data : part?.data.data };
}

describe.each(['express', 'fastify'] as const)('callers of 0.3 on %s', (adapter) => {
  it.each(BINDINGS)('O-AUTH-06: are the same as in 1.0, and own what they make, over %s', async (binding) => {
    const auth = [
      { jwt: JWT },
      { basic: { allowPlainText: true, users: { 'user-b': 'plain:p' } } },
    ] as AgentOptions['auth'];
    const { agent, calls } = await start(adapter, { auth });
    const headers = bearer(await tokenOf('user-a'));
    const { task, seen } = await send(calls, binding, headers);
    expect(seen).toMatchObject({ identity: 'user-a', version: '0.3' });
    const now = await agent.send('x', { headers }).task();
    expect(now.status.message?.parts[0]?.data).toMatchObject({ identity: 'user-a', version: '1.0' });

    const mine = await agent.with(headers).list().result();
    expect(mine.tasks.map(({ id }) => id).sort()).toEqual([task.id, now.id].sort());
    const other = basic('user-b', 'p');
    expect((await agent.with(other).list().result()).totalSize).toBe(0);
    expect((await calls.rpc('tasks/get', { id: task.id }, other)).json.error.code).toBe(-32001);
    expect((await calls.rest('GET', `/tasks/${task.id}`, undefined, other)).status).toBe(404);
    expect((await calls.rest('GET', `/tasks/${now.id}`, undefined, headers)).json.id).toBe(now.id);

    const refused = await send(calls, binding, { Authorization: 'Bearer nothing' });
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('Bearer');
    // Before anything else is looked at.
    expect((await calls.rpc('nothing', undefined)).status).toBe(401);
    expect((await calls.rest('GET', '/tasks/x', undefined, { 'A2A-Version': '9' })).json).toMatchObject({
      code: 401,
    });
  });

  it.each(BINDINGS)(
    'O-V03-06: name extensions in either header, and read them in the same, over %s',
    async (binding) => {
      const extensions = [{ uri: REQUIRED, required: true }, { uri: OPTIONAL }];
      const card = { name: 'X', description: '', version: '1', capabilities: { extensions } };
      const { agent, calls } = await start(adapter, { card });
      const both = `${REQUIRED}, ${OPTIONAL}`;
      for (const name of ['X-A2A-Extensions', 'A2A-Extensions']) {
        const { seen, headers } = await send(calls, binding, { [name]: both });
        expect(seen.extensions).toEqual([REQUIRED, OPTIONAL]);
        const named = ['x-a2a-extensions', 'a2a-extensions'].filter((each) => headers[each] !== undefined);
        expect(named).toEqual([name.toLowerCase()]);
        expect(headers[name.toLowerCase()]).toBe(both);
      }
      const { headers } = await send(calls, binding, {
        'X-A2A-Extensions': REQUIRED,
        'A2A-Extensions': OPTIONAL,
      });
      expect([headers['x-a2a-extensions'], headers['a2a-extensions']]).toEqual([both, both]);
      const missing = await send(calls, binding);
      expect(missing.json.error ?? missing.json).toMatchObject({
        code: -32008,
        message: expect.stringContaining(REQUIRED) as string,
      });
      // A client of 1.0 that knows the old header is understood too.
      expect((await agent.send('x', { headers: { 'X-A2A-Extensions': REQUIRED } }).task()).status.state).toBe(
        'TASK_STATE_COMPLETED',
      );
    },
  );

  it.each(BINDINGS)('meet the same limits over %s', async (binding) => {
    const { calls } = await start(adapter, { limits: { bodySize: 200, nesting: 10, partsPerMessage: 1 } });
    const large = message03('x'.repeat(300));
    const status =
      binding === 'JSON-RPC'
        ? (await calls.rpc('message/send', { message: large })).status
        : (await calls.rest('POST', '/message:send', { message: large })).status;
    expect(status).toBe(413);
  });

  it('a required extension, a version and a capability are checked before the request', async () => {
    const { calls } = await start(adapter, { capabilities: { streaming: false, pushNotifications: false } });
    const rpc = async (method: string) => (await calls.rpc(method, {})).json.error.code;
    expect(await rpc('message/stream')).toBe(-32004);
    expect(await rpc('tasks/pushNotificationConfig/set')).toBe(-32003);
    expect(await rpc('agent/getAuthenticatedExtendedCard')).toBe(-32004);
    expect((await calls.rest('POST', '/message:stream', {})).json.code).toBe(-32004);
    expect((await calls.rest('POST', '/tasks/x/pushNotificationConfigs', {})).json.code).toBe(-32003);
    const inline = { configuration: { pushNotificationConfig: { url: 'https://h.example' } } };
    const { json } = await calls.rpc('message/send', { message: message03('x'), ...inline });
    expect(json.error.code).toBe(-32003);
  });
});

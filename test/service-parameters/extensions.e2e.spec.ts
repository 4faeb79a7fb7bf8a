import { expect, it, vi } from 'vitest';
import { describeHttp } from '../support/describe-http.js';
import type { Headers } from '../support/binding.driver.js';
import { describeAgent, statusOf, type AgentOptions } from '../support/index.js';
import { callAny, forAll, OPERATIONS, reasonsOfAll, REQUESTS } from '../support/operations.js';
import { echo } from '../support/task-makers.js';

const REQUIRED = 'https://e.example/x/v1';
const OPTIONAL = 'https://e.example/y/v1';
const UNKNOWN = 'https://nobody.example/z/v1';

function card(...extensions: { uri: string; required?: boolean }[]): Pick<AgentOptions, 'card'> {
  return { card: { name: 'Extended', description: '', version: '1', capabilities: { extensions } } };
}

/** Answers with the extensions that the agent sees. */
const reporting: AgentOptions['execute'] = async ({ call }, task) => {
  await task.complete(`[${call.extensions.join(' ')}]`);
};

describeAgent('A2A-Extensions', (target) => {
  it('O-EXT-01, S-U7: a required extension that is not asked for is an error that names it, and nothing happens', async () => {
    const execute = vi.fn(reporting);
    const agent = await target.start({
      execute,
      ...card({ uri: REQUIRED, required: true }, { uri: OPTIONAL }),
    });
    for (const headers of [{}, { 'A2A-Extensions': OPTIONAL }, { 'A2A-Extensions': '' }] as Headers[]) {
      const error = await agent.send('hi', { headers }).error();
      expect([error.httpStatus, error.code, error.reason]).toEqual([
        400,
        -32008,
        'EXTENSION_SUPPORT_REQUIRED',
      ]);
      expect(error.message).toContain(REQUIRED);
      expect(error.metadata).toEqual({ extensions: REQUIRED });
    }
    expect(execute).not.toHaveBeenCalled();
    const willing = agent.with({ 'A2A-Extensions': REQUIRED });
    expect((await willing.list().result()).totalSize).toBe(0);
    expect(statusOf(await willing.send('hi').task())).toBe(`COMPLETED: [${REQUIRED}]`);
  });

  it('O-EXT-05: it is required on every operation, before a stream starts, and never for the card', async () => {
    const agent = await target.start({ execute: echo, ...card({ uri: REQUIRED, required: true }) });
    expect(await reasonsOfAll(agent)).toEqual(forAll('EXTENSION_SUPPORT_REQUIRED'));
    expect((await agent.card()).capabilities.extensions).toEqual([{ uri: REQUIRED, required: true }]);
    // The capability and the request come after it, the version before it.
    const broken = await agent.call('sendMessage', {}, {}).error();
    expect(broken.reason).toBe('EXTENSION_SUPPORT_REQUIRED');
    expect((await agent.send('hi', { headers: { 'A2A-Version': '9.9' } }).error()).reason).toBe(
      'VERSION_NOT_SUPPORTED',
    );
    const willing = await reasonsOfAll(agent.with({ 'A2A-Extensions': REQUIRED }));
    expect(Object.values(willing)).not.toContain('EXTENSION_SUPPORT_REQUIRED');
  });

  it('O-EXT-04: a list in the message switches nothing on, and is kept as it is', async () => {
    const agent = await target.start({ execute: reporting, ...card({ uri: OPTIONAL }) });
    const message = { extensions: [OPTIONAL, UNKNOWN], metadata: { [OPTIONAL]: { k: 1 } } };
    const task = await agent.send('hi', { message }).task();
    expect(statusOf(task)).toBe('COMPLETED: []');
    expect(task.history?.[0]).toMatchObject(message);
  });

  it('every operation of an agent with an optional extension works without it', async () => {
    const agent = await target.start({ execute: echo, ...card({ uri: OPTIONAL }) });
    for (const operation of OPERATIONS) {
      const { error } = await callAny(agent, operation);
      expect(error?.reason).not.toBe('EXTENSION_SUPPORT_REQUIRED');
    }
  });
});

describeHttp('A2A-Extensions in headers', (target) => {
  it.each([
    ['an unknown one', UNKNOWN, '[]', undefined],
    ['a declared one', OPTIONAL, `[${OPTIONAL}]`, OPTIONAL],
    ['both', `${UNKNOWN} ,${OPTIONAL}, ${OPTIONAL}`, `[${OPTIONAL}]`, OPTIONAL],
    ['repeated headers', [UNKNOWN, OPTIONAL], `[${OPTIONAL}]`, OPTIONAL],
    ['another case', OPTIONAL.toUpperCase(), '[]', undefined],
    ['commas only', ' , ,', '[]', undefined],
  ])(
    'O-EXT-02: of what is asked for only what is declared is active and echoed: %s',
    async (_what, asked, seen, echoed) => {
      const agent = await target.start({ execute: reporting, ...card({ uri: OPTIONAL }) });
      const sent = await agent.request('POST', '/a2a/message:send', {
        headers: { 'A2A-Extensions': asked, 'Content-Type': 'application/json' },
        body: REQUESTS.sendMessage,
      });
      expect(statusOf(sent.json.task)).toBe(`COMPLETED: ${seen}`);
      expect(sent.headers['a2a-extensions']).toBe(echoed);
      const headers = { 'A2A-Extensions': asked };
      const stream = await agent.stream('hi', { headers }).result();
      await stream.events();
      expect(stream.headers['a2a-extensions']).toBe(echoed);
      const listed = await agent.request('GET', '/a2a/tasks', { headers });
      expect([listed.status, listed.headers['a2a-extensions']]).toEqual([200, echoed]);
    },
  );

  it('O-EXT-02: an answer that is an error names them as well, whatever is wrong after they are settled', async () => {
    const agent = await target.start({
      execute: echo,
      ...card({ uri: OPTIONAL }),
      capabilities: { pushNotifications: false },
    });
    const headers = { 'A2A-Extensions': OPTIONAL, 'Content-Type': 'application/json' };
    const rpc = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: { id: 'nope' } });
    for (const [method, path, body] of [
      ['GET', '/tasks/nope', undefined],
      ['GET', '/tasks?pageSize=x', undefined],
      ['POST', '/tasks/nope:subscribe', {}],
      ['POST', '/message:send', {}],
      ['GET', '/tasks/nope/pushNotificationConfigs', undefined],
      ['POST', '', rpc('GetTask')],
      ['POST', '', rpc('SendStreamingMessage')],
    ] as const) {
      const answer = await agent.request(method, `/a2a${path}`, { headers, body });
      expect([path, answer.json.error.code !== undefined]).toEqual([path, true]);
      expect([path, answer.headers['a2a-extensions']]).toEqual([path, OPTIONAL]);
      const other = { ...headers, 'A2A-Version': '9.9' };
      const refused = await agent.request(method, `/a2a${path}`, { headers: other, body });
      expect(refused.headers['a2a-extensions']).toBeUndefined();
    }
  });
});

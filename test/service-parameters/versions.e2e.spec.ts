import { InMemoryTaskStore, TaskEngine } from 'nest-a2a';
import { expect, it, vi } from 'vitest';
import { describeAgent, statusOf } from '../support/index.js';
import { callAny, forAll, OPERATIONS, reasonsOfAll } from '../support/operations.js';
import { describeHttp } from '../support/describe-http.js';
import { echo } from '../support/task-makers.js';

describeAgent('A2A-Version', (target) => {
  it.each([
    ['9.9', /Version "9\.9"/],
    ['0.3', /Version "0\.3"/],
    ['1', /Version "1"/],
    ['1.1', /Version "1\.1"/],
    ['latest', /Version "latest"/],
    ['1.0, 0.3', /Version "1\.0, 0\.3"/],
    ['1.0.x', /Version "1\.0\.x"/],
    ['', /0\.3/],
    ['  ', /0\.3/],
  ])(
    'O-VER-01, O-VER-02, S-64: %j is refused on every operation, before anything else is done',
    async (version, names) => {
      const execute = vi.fn(echo);
      const store = new InMemoryTaskStore();
      const touched = (['get', 'put', 'list', 'remove'] as const).map((method) => vi.spyOn(store, method));
      const agent = await target.start({ execute, taskStore: store });
      for (const operation of OPERATIONS) {
        // An invalid request as well: the version comes first.
        for (const request of [undefined, { message: {}, pageSize: 0, id: 't1', taskId: 't1' }]) {
          const { error } = await callAny(agent, operation, request, { 'A2A-Version': version });
          expect([operation, error?.reason, error?.httpStatus]).toEqual([
            operation,
            'VERSION_NOT_SUPPORTED',
            400,
          ]);
          expect(error?.message).toMatch(names);
          expect(error?.message).toContain('served: 1.0');
          expect(error?.metadata).toEqual({ supportedVersions: '1.0' });
        }
      }
      expect(execute).not.toHaveBeenCalled();
      for (const method of touched) expect(method).not.toHaveBeenCalled();
    },
  );

  it('O-VER-01: no header at all means 0.3, and the card needs none', async () => {
    const agent = (await target.start({ execute: echo })).withoutVersion();
    expect(await reasonsOfAll(agent)).toEqual(forAll('VERSION_NOT_SUPPORTED'));
    expect((await agent.card()).name).toBe('Test Agent');
    expect((await agent.request('GET', '/a2a/.well-known/agent-card.json')).status).toBe(200);
  });

  it.each(['1.0', '1.0.3', ' 1.0 '])('S-U4, O-VER-05: %j is 1.0, which the agent sees', async (version) => {
    const agent = await target.start({ execute: async ({ call }, task) => task.complete(call.version) });
    const headers = { 'A2A-Version': version };
    expect(statusOf(await agent.send('hi', { headers }).task())).toBe('COMPLETED: 1.0');
    expect(agent.app.get(TaskEngine).runningTurns).toBe(0);
  });
});

describeHttp('A2A-Version in the query string', (target) => {
  it('O-VER-03: counts like the header, in any case, where the header says nothing', async () => {
    const agent = (await target.start({ execute: echo })).withoutVersion();
    const { id } = await agent.with({ 'A2A-Version': '1.0' }).send('hi').task();
    const get = (query: string, headers: Record<string, string> = {}) =>
      agent.request('GET', `/a2a/tasks/${id}?${query}`, { headers });
    for (const query of [
      'A2A-Version=1.0',
      'a2a-version=1.0',
      'A2A-VERSION=1.0.2',
      'historyLength=0&a2a-Version=1.0',
    ]) {
      expect([query, (await get(query)).status]).toEqual([query, 200]);
    }
    expect((await get('A2A-Version=1.0', { 'A2A-Version': '' })).status).toBe(200);
    for (const [query, headers] of [
      ['A2A-Version=9.9', {}],
      ['A2A-Version=', {}],
      ['version=1.0', {}],
      ['A2A-Version=1.0', { 'A2A-Version': '9.9' }],
    ] as const) {
      const { status, json } = await get(query, headers);
      expect([query, status, json.error?.details[0].reason]).toEqual([query, 400, 'VERSION_NOT_SUPPORTED']);
    }
    const body = { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] } };
    const headers = { 'Content-Type': 'application/json' };
    const sent = await agent.request('POST', '/a2a/message:send?a2a-version=1.0', { headers, body });
    expect(sent.json.task.status.state).toBe('TASK_STATE_COMPLETED');
  });
});

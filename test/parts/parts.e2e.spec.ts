import type { JsonObject, Part, Task } from 'nest-a2a';
import { expect, it } from 'vitest';
import { describeAgent, statusOf, type TestAgent } from '../support/index.js';

const PART_FIELDS = { filename: 'a.bin', mediaType: 'text/plain', metadata: { k: null } };

describeAgent('Parts', (target) => {
  /** An agent that gives back the parts it gets, as an artifact. */
  const echoing = (seen: unknown[] = []) =>
    target.start({
      execute: async ({ message }, task) => {
        seen.push(message);
        await task.addArtifact(message.parts, { artifactId: 'a1' });
        await task.complete();
      },
    });
  const send = (agent: TestAgent, parts: unknown, more: object = {}) =>
    agent.call<{ task: Task }>('sendMessage', {
      message: { messageId: 'm-1', role: 'ROLE_USER', parts },
      ...more,
    });
  /** The parts as the answer, the stored task, a listing and a stream show them; all must be the same. */
  const roundTrip = async (agent: TestAgent, parts: unknown) => {
    const { task } = await send(agent, parts).result();
    const stored = await agent.get(task.id).result();
    expect(stored).toEqual(task);
    const { tasks } = await agent.list({ includeArtifacts: true, pageSize: 1 }).result();
    expect(tasks[0]).toEqual(task);
    const streamed = await (await agent.stream(parts as Part[]).result()).folded();
    expect(streamed.artifacts).toEqual(task.artifacts);
    expect(task.artifacts?.[0]?.parts).toEqual(task.history?.[0]?.parts);
    return task.artifacts?.[0]?.parts;
  };
  const refused = async (agent: TestAgent, parts: unknown) => {
    const error = await send(agent, parts).error();
    expect([error.httpStatus, error.code]).toEqual([400, -32602]);
    expect((await agent.list().result()).totalSize).toBe(0);
    return error.violations.map(({ field }) => field);
  };

  it('O-PART-01, O-PART-09, O-PART-10: null, nothing and zero are contents like any other', async () => {
    const agent = await echoing();
    const parts = [
      { data: null },
      { data: 0 },
      { data: false },
      { data: '' },
      { data: {} },
      { data: [] },
      { data: { a: null, b: [{}] } },
      { text: '' },
      { raw: '' },
      { text: 'x', ...PART_FIELDS },
    ];
    expect(await roundTrip(agent, parts)).toEqual(parts);
  });

  it('S-13, S-14: bytes are bytes to the agent and standard base64 on the wire, however they came', async () => {
    const seen: any[] = [];
    const agent = await echoing(seen);
    const parts = [{ raw: '-_8' }, { raw: '+/8=' }, { raw: '+/8' }, { url: 'https://x.example/f' }];
    expect(await roundTrip(agent, parts)).toEqual([
      { raw: '+/8=' },
      { raw: '+/8=' },
      { raw: '+/8=' },
      { url: 'https://x.example/f' },
    ]);
    expect(seen[0].parts.slice(0, 3)).toEqual(Array(3).fill({ raw: new Uint8Array([0xfb, 0xff]) }));
  });

  it.each([
    [{ text: 'a', url: 'https://x.example/f' }],
    [{ text: 'a', data: null }],
    [{ text: '', raw: '' }],
    [{ text: 'a', raw: 'QQ==', url: 'u', data: 1 }],
  ])('O-PART-02: a part with two contents is refused by its place: %j', async (part) => {
    expect(await refused(await echoing(), [{ text: 'ok' }, part])).toEqual(['message.parts[1]']);
  });

  it.each([
    [{}],
    [{ metadata: {} }],
    [{ filename: 'a' }],
    [{ unknown: 1 }],
    [null],
    [{ text: null }],
    ['text'],
    [[]],
  ])('O-PART-03: a part without content is refused by its place: %j', async (part) => {
    expect(await refused(await echoing(), [part])).toEqual(['message.parts[0]']);
  });

  it('O-PART-04: the part of 0.3 with its own content is taken without its kind, the nested one refused', async () => {
    const agent = await echoing();
    expect(await refused(agent, [{ kind: 'file', file: { bytes: 'QQ==' } }])).toEqual(['message.parts[0]']);
    expect(await roundTrip(agent, [{ kind: 'text', text: 'x' }])).toEqual([{ text: 'x' }]);
  });

  it('O-PART-05: artifacts are appended to, and replaced in their place', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.addArtifact([{ text: 'p1' }], { artifactId: 'a1', name: 'first', metadata: { k: 1 } });
        await task.addArtifact([{ text: 'q1' }], { artifactId: 'a2' });
        await task.appendArtifact('a1', [{ text: 'p2' }], { description: 'grown' });
        await task.requireInput('go on?');
        // The next turn replaces it.
      },
    });
    const { id, artifacts } = await agent.send('go').task();
    expect(artifacts).toEqual([
      {
        artifactId: 'a1',
        name: 'first',
        description: 'grown',
        metadata: { k: 1 },
        parts: [{ text: 'p1' }, { text: 'p2' }],
      },
      { artifactId: 'a2', parts: [{ text: 'q1' }] },
    ]);
    const updater = await agent.tasks.updater(id);
    await updater.addArtifact([{ text: 'p3' }], { artifactId: 'a1' });
    await updater.appendArtifact('a3', [{ text: 'new' }]);
    await updater.complete();
    expect((await agent.get(id).result()).artifacts).toEqual([
      { artifactId: 'a1', parts: [{ text: 'p3' }] },
      { artifactId: 'a2', parts: [{ text: 'q1' }] },
      { artifactId: 'a3', parts: [{ text: 'new' }] },
    ]);
  });

  it.each([
    ['user', 400],
    ['ROLE_UNSPECIFIED', 400],
    ['ROLE_AGENT', 400],
    ['admin', 400],
    [99, 400],
    [0, 400],
    [2, 400],
    [null, 400],
    [true, 400],
    ['ROLE_USER', 200],
    [1, 200],
  ])('O-PART-06, O-PART-11: a message with the role %j is answered with %i', async (role, status) => {
    const seen: any[] = [];
    const agent = await echoing(seen);
    const message = { messageId: 'm-1', role, parts: [{ text: 'hi' }] };
    const { result, error } = await agent.call<{ task: Task }>('sendMessage', { message });
    expect(error?.httpStatus ?? 200).toBe(status);
    if (error) expect(error.violations.map(({ field }) => field)).toEqual(['message.role']);
    else expect([result?.task.history?.[0]?.role, seen[0].role]).toEqual(['ROLE_USER', 'ROLE_USER']);
    expect(seen).toHaveLength(status === 200 ? 1 : 0);
  });

  it('O-PART-06: an agent that publishes a state of its own making fails its task and hangs nobody', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working();
        const status = { state: 'completed' as 'TASK_STATE_COMPLETED' };
        await task.publish({ statusUpdate: { taskId: task.taskId, contextId: task.contextId, status } });
      },
    });
    const task = await agent.send('go').task();
    expect(statusOf(task)).toMatch(/^FAILED: .*status\.state/);
    expect(agent.log.of('error').join()).toContain('status.state');
  });

  it('O-PART-07, S-U4: a timestamp goes out in UTC to the millisecond, and the server fills it in', async () => {
    const given: [unknown, RegExp][] = [
      [new Date('2026-01-01T00:00:00Z'), /^2026-01-01T00:00:00.000Z$/],
      ['2026-01-01T01:00:00+01:00', /^2026-01-01T00:00:00.000Z$/],
      ['2026-01-01T00:00:00Z', /^2026-01-01T00:00:00.000Z$/],
      ['2026-01-01T00:00:00.123456789Z', /^2026-01-01T00:00:00.123Z$/],
      [undefined, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
    ];
    const agent = await target.start({
      execute: async ({ text, contextId, taskId }, task) => {
        const status = {
          state: 'TASK_STATE_COMPLETED',
          timestamp: given[Number(text)]?.[0],
        } as Task['status'];
        await task.publish({ statusUpdate: { taskId, contextId, status } });
      },
    });
    for (const [index, [, pattern]] of given.entries()) {
      const task = await agent.send(String(index)).task();
      expect(task.status.timestamp).toMatch(pattern);
      expect(await agent.get(task.id).result()).toEqual(task);
    }
  });

  it('O-PART-08: unknown fields are ignored at every level and kept nowhere', async () => {
    const seen: any[] = [];
    const agent = await echoing(seen);
    const x = { x: 1 };
    const parts = [{ text: 'hi', x, mediaType: 'text/plain' }];
    const request = {
      message: { messageId: 'm-1', role: 'ROLE_USER', parts, x, metadata: { x } },
      configuration: { blocking: false, x, acceptedOutputModes: ['text/plain'] },
      metadata: { x },
      x,
    };
    const { task } = await agent.call<{ task: Task }>('sendMessage', request).result();
    expect(statusOf(task)).toBe('COMPLETED');
    expect(task.history).toEqual([
      {
        messageId: 'm-1',
        role: 'ROLE_USER',
        parts: [{ text: 'hi', mediaType: 'text/plain' }],
        metadata: { x },
        taskId: task.id,
        contextId: task.contextId,
      },
    ]);
    expect(seen[0]).toEqual(task.history?.[0]);
  });

  it('O-PART-10: metadata that is null is none, and nothing goes out as null that was none', async () => {
    const agent = await echoing();
    const message = {
      messageId: 'm-1',
      role: 'ROLE_USER',
      parts: [{ text: 'x', metadata: null, filename: null }],
    };
    const { task } = await agent
      .call<{ task: Task }>('sendMessage', {
        message: { ...message, metadata: null, referenceTaskIds: null },
      })
      .result();
    const answer = JSON.stringify(await agent.get(task.id).result());
    expect(answer).not.toContain('null');
    for (const metadata of [{}, undefined]) {
      const request = { message: { ...message, ...(metadata && { metadata }) } };
      const answered = await agent.call<{ task: Task }>('sendMessage', request).result();
      expect(answered.task.history?.[0]?.metadata ?? {}).toEqual({});
    }
  });

  it('keeps __proto__, constructor and prototype as data, and pollutes nothing', async () => {
    const seen: any[] = [];
    const agent = await echoing(seen);
    const data: JsonObject = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":"p","a":{"__proto__":2}}',
    );
    const { task } = await agent
      .call<{ task: Task }>('sendMessage', {
        message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ data, metadata: data }], metadata: data },
        metadata: data,
      })
      .result();
    const text = JSON.stringify(data);
    const stored = await agent.get(task.id).result();
    for (const { history, artifacts } of [task, stored]) {
      expect(JSON.stringify(history?.[0]?.metadata)).toBe(text);
      expect(JSON.stringify(history?.[0]?.parts[0])).toBe(JSON.stringify({ data, metadata: data }));
      expect(JSON.stringify(artifacts?.[0]?.parts[0])).toBe(JSON.stringify({ data, metadata: data }));
    }
    expect(JSON.stringify(seen[0].parts[0].data)).toBe(text);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

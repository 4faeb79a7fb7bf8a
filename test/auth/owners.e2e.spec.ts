import { randomUUID } from 'node:crypto';
import type { OperationName } from '../../lib/protocol/index.js';
import type { CallContext, TaskPushNotificationConfig } from 'nest-a2a';
import { expect, it, vi } from 'vitest';
import {
  describeAgent,
  statusOf,
  untilAborted,
  type AgentOptions,
  type TestAgent,
} from '../support/index.js';
import { callAny, OPERATIONS } from '../support/operations.js';
import { echo } from '../support/task-makers.js';
import { bearer, ISSUER, JWT, tokenOf } from './tokens.js';

const OTHER_ISSUER = 'https://other.example.com';
const AUTH: AgentOptions['auth'] = [{ jwt: JWT }, { jwt: { ...JWT, issuer: OTHER_ISSUER } }];

async function as(agent: TestAgent, user: string, issuer = ISSUER): Promise<TestAgent> {
  return agent.with(bearer(await tokenOf(user, { issuer })));
}

/** Every way to name something of another owner, by operation. */
function requestsFor(ids: { task: string; context: string; config: string }): [OperationName, object][] {
  const { task: id, context: contextId, config } = ids;
  const message = (fields: object) => ({
    message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: '' }], ...fields },
  });
  return [
    ['getTask', { id }],
    ['getTask', { id, historyLength: 0 }],
    ['cancelTask', { id }],
    ['subscribeToTask', { id }],
    ['sendMessage', message({ taskId: id })],
    ['sendMessage', message({ taskId: id, contextId })],
    ['sendStreamingMessage', message({ taskId: id })],
    ['sendStreamingMessage', message({ taskId: id, contextId })],
    ['listTasks', { contextId }],
    ['createTaskPushNotificationConfig', { taskId: id, url: 'https://hook.example.com' }],
    ['getTaskPushNotificationConfig', { taskId: id, id: config }],
    ['listTaskPushNotificationConfigs', { taskId: id }],
    ['deleteTaskPushNotificationConfig', { taskId: id, id: config }],
    // Names nothing, so that all eleven are here.
    ['getExtendedAgentCard', {}],
  ];
}

describeAgent('Owners that authenticate', (target) => {
  it('S-121, O-AUTH-02, O-AUTH-03: what another owner has is told from nothing by the id alone, in every operation', async () => {
    const cancel = vi.fn(async () => undefined);
    const execute = vi.fn<NonNullable<AgentOptions['execute']>>(async ({ signal }, task) => {
      await task.working();
      await untilAborted(signal);
    });
    const agent = await target.start({ execute, cancel, auth: AUTH, extendedCard: null });
    const [alice, bob] = [await as(agent, 'user-a'), await as(agent, 'user-b')];
    const { id, contextId = '' } = await alice.send('go', { returnImmediately: true }).task();
    await expect.poll(async () => statusOf(await alice.get(id).result())).toBe('WORKING');
    const { result: config } = await alice.call<TaskPushNotificationConfig>(
      'createTaskPushNotificationConfig',
      {
        taskId: id,
        url: 'https://hook.example.com',
      },
    );
    const before = JSON.stringify(await alice.get(id).result());
    const put = vi.spyOn(agent.store, 'put');

    const theirs = { task: id, context: contextId, config: config?.id ?? randomUUID() };
    const none = { task: randomUUID(), context: randomUUID(), config: theirs.config };
    const missing = requestsFor(none);
    expect(new Set(missing.map(([operation]) => operation))).toEqual(new Set(OPERATIONS));
    for (const [index, [operation, request]] of requestsFor(theirs).entries()) {
      const found = seen(await callAny(bob, operation, request));
      const expected = seen(await callAny(bob, operation, missing[index]![1]));
      expect([operation, found.replaceAll(id, none.task)]).toEqual([operation, expected]);
    }
    expect(JSON.stringify(await alice.get(id).result())).toBe(before);
    expect(execute).toHaveBeenCalledTimes(1);
    expect([cancel, put].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  it('S-121, O-AUTH-04: a page token of another owner is as good as none, and lists count one’s own', async () => {
    const agent = await target.start({ execute: echo, auth: AUTH });
    const [alice, bob] = [await as(agent, 'user-a'), await as(agent, 'user-b')];
    for (const who of [alice, alice, alice, bob, bob]) await who.send('hi', { contextId: 'shared' }).task();
    const page = await alice.list({ pageSize: 1 }).result();
    expect(page).toMatchObject({ totalSize: 3, tasks: [expect.anything()] });
    const foreign = await bob.list({ pageSize: 1, pageToken: page.nextPageToken }).error();
    const garbage = await bob.list({ pageSize: 1, pageToken: 'garbage' }).error();
    expect(foreign).toMatchObject({ httpStatus: 400, violations: [{ field: 'pageToken' }] });
    expect(JSON.stringify({ ...foreign, headers: {} })).toBe(JSON.stringify({ ...garbage, headers: {} }));
    expect((await bob.list({ contextId: 'shared' }).result()).totalSize).toBe(2);
  });

  it('S-119, S-135: the same name in two authorities is two owners', async () => {
    const agent = await target.start({ execute: echo, auth: AUTH });
    const [here, there] = [await as(agent, 'dave'), await as(agent, 'dave', OTHER_ISSUER)];
    const { id } = await here.send('hi').task();
    expect((await here.get(id).result()).id).toBe(id);
    expect((await there.get(id).error()).reason).toBe('TASK_NOT_FOUND');
    expect((await there.list().result()).totalSize).toBe(0);
  });

  it('S-120, S-124: a resolver decides instead, and may link accounts of two authorities', async () => {
    const calls: CallContext[] = [];
    const agent = await target.start({
      execute: echo,
      auth: AUTH,
      tenants: ['acme'],
      ownerResolver: {
        resolveOwner: (call) => {
          calls.push(call);
          return call.identity;
        },
      },
    });
    const { id } = await (await as(agent, 'dave')).send('hi').task();
    const linked = (await as(agent, 'dave', OTHER_ISSUER)).with({ 'X-Odd-Name': 'kept' });
    expect((await linked.get(id).result()).id).toBe(id);
    expect(calls.at(-1)).toMatchObject({
      identity: 'dave',
      authority: OTHER_ISSUER,
      scopes: [],
      headers: { 'x-odd-name': 'kept' },
    });
    await linked.call('listTasks', { tenant: 'acme' }).result();
    expect(calls.at(-1)?.tenant).toBe('acme');
    expect((await (await as(agent, 'erin')).get(id).error()).reason).toBe('TASK_NOT_FOUND');
  });

  it('S-119, S-123: without auth all share one pool, apart from those that a resolver names', async () => {
    const agent = await target.start({
      execute: echo,
      ownerResolver: { resolveOwner: ({ headers }) => headers['x-user'] },
    });
    const { id } = await agent.send('hi').task();
    expect((await agent.get(id).result()).id).toBe(id);
    expect((await agent.as('user-a').get(id).error()).reason).toBe('TASK_NOT_FOUND');
    const shared = await target.start({ execute: echo });
    const { id: other } = await shared.with({ Authorization: 'Bearer x' }).send('hi').task();
    expect((await shared.get(other).result()).id).toBe(other);
  });

  it('S-122: whoever continues a task, each write keeps the owner it was made under', async () => {
    const owners: (string | undefined)[] = [];
    const agent = await target.start({
      auth: AUTH,
      execute: async ({ text }, task) => {
        await task.working();
        await task.addArtifact([{ text }]);
        if (text === 'done') await task.complete();
        else await task.requireInput('more?');
      },
    });
    const { store } = agent;
    const write = store.put.bind(store);
    vi.spyOn(store, 'put').mockImplementation((record, changes) => {
      owners.push(record.owner);
      return write(record, changes);
    });
    const alice = await as(agent, 'user-a');
    const { id } = await alice.send('go').task();
    await alice.send('done', { taskId: id }).task();
    expect(owners.length).toBeGreaterThan(2);
    expect(new Set(owners)).toEqual(new Set([JSON.stringify([ISSUER, 'user-a'])]));
  });

  it('S-120, S-123: an owner that is null is none, and one that is neither text nor absent is a fault', async () => {
    const owners: Record<string, unknown> = { nobody: null, empty: '', number: 5 };
    const agent = await target.start({
      execute: echo,
      auth: [{ jwt: JWT }],
      ownerResolver: { resolveOwner: ({ identity = '' }) => owners[identity] as string | undefined },
    });
    const users = ['nobody', 'nobody-else', 'empty'];
    const ids = new Map<string, string>();
    for (const user of users) ids.set((await (await as(agent, user)).send('').task()).id, user);
    const seen = async (user: string) => {
      const { tasks } = await (await as(agent, user)).list().result();
      return tasks.map(({ id }) => ids.get(id)).sort();
    };
    expect(await seen('nobody')).toEqual(['nobody', 'nobody-else']);
    expect(await seen('nobody-else')).toEqual(['nobody', 'nobody-else']);
    expect(await seen('empty')).toEqual(['empty']);
    const number = await as(agent, 'number');
    for (const call of [number.send(''), number.list()])
      expect((await call.error()).message).toBe('Internal error');
  });
});

/** An outcome in every detail but the time, and the length, which the id of a JSON-RPC request changes. */
function seen({ result, error }: Awaited<ReturnType<typeof callAny>>): string {
  if (!error) return JSON.stringify(result);
  const { date: _date, 'content-length': _length, ...headers } = error.headers;
  return JSON.stringify({ ...error, headers });
}

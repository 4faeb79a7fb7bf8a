import { afterEach, describe, expect, it } from 'vitest';
import { EchoHandler, MESSAGE } from './echo-handler.js';
import { ADAPTERS, startAgent, stopAgents, type AgentSetup, type Answer } from './start-agent.js';

afterEach(stopAgents);

describe.each(ADAPTERS)('Tenants on %s', (adapter) => {
  const start = async (setup: Partial<AgentSetup> = { tenants: ['acme', 'ac/me', 'tasks'] }) => {
    const handler = new EchoHandler();
    return { handler, agent: await startAgent({ adapter, handler, ...setup }) };
  };

  it('O-TEN-04: an agent without tenants has no such routes and refuses the field', async () => {
    const { agent, handler } = await start({});
    expect((await agent.post('/whatever/message:send', { message: MESSAGE })).status).toBe(404);
    const named = await agent.post('/message:send', { message: MESSAGE, tenant: 'x' });
    expect(named.status).toBe(400);
    expect((await named.json()).error.details[0].fieldViolations[0].field).toBe('tenant');
    expect((await agent.fetch('/tasks?tenant=x')).status).toBe(400);
    expect(handler.calls).toEqual([]);
    expect((await agent.post('/message:send', { message: MESSAGE, tenant: '' })).status).toBe(200);
    expect(handler.last?.context).not.toHaveProperty('tenant');
  });

  it('O-TEN-02: every operation is served below a tenant, and sees it', async () => {
    const { agent, handler } = await start();
    const body = { message: MESSAGE };
    const calls: [string, () => Promise<Answer>][] = [
      ['sendMessage', () => agent.post('/acme/message:send', body)],
      ['sendStreamingMessage', () => agent.post('/acme/message:stream', body)],
      ['getTask', () => agent.fetch('/acme/tasks/t1')],
      ['listTasks', () => agent.fetch('/acme/tasks')],
      ['cancelTask', () => agent.post('/acme/tasks/t1:cancel', '')],
      ['subscribeToTask', () => agent.fetch('/acme/tasks/t1:subscribe')],
      ['subscribeToTask', () => agent.post('/acme/tasks/t1:subscribe', '')],
      [
        'createTaskPushNotificationConfig',
        () => agent.post('/acme/tasks/t1/pushNotificationConfigs', { url: 'https://hook.example.com' }),
      ],
      ['getTaskPushNotificationConfig', () => agent.fetch('/acme/tasks/t1/pushNotificationConfigs/c1')],
      ['listTaskPushNotificationConfigs', () => agent.fetch('/acme/tasks/t1/pushNotificationConfigs')],
      [
        'deleteTaskPushNotificationConfig',
        () => agent.fetch('/acme/tasks/t1/pushNotificationConfigs/c1', { method: 'DELETE' }),
      ],
      ['getExtendedAgentCard', () => agent.fetch('/acme/extendedAgentCard')],
    ];
    for (const [operation, call] of calls) {
      const response = await call();
      await response.text();
      expect([operation, response.status]).toEqual([operation, 200]);
      expect(handler.last).toMatchObject({ operation, context: { tenant: 'acme' } });
    }
  });

  it('an encoded slash and an own name in a route are part of the name', async () => {
    const { agent, handler } = await start();
    expect((await agent.post('/ac%2Fme/message:send', { message: MESSAGE, tenant: 'ac/me' })).status).toBe(
      200,
    );
    expect(handler.last?.context.tenant).toBe('ac/me');
    expect((await agent.post('/tasks/message:send', { message: MESSAGE })).status).toBe(200);
    expect(handler.last?.context.tenant).toBe('tasks');
  });

  it.each([
    ['/tasks/tasks', 'getTask', undefined],
    ['/tasks/extendedAgentCard', 'getTask', undefined],
    ['/tasks/tasks/pushNotificationConfigs', 'listTaskPushNotificationConfigs', undefined],
    [
      '/tasks/tasks/pushNotificationConfigs/pushNotificationConfigs',
      'getTaskPushNotificationConfig',
      undefined,
    ],
    ['/tasks/tasks/x', 'getTask', 'tasks'],
    ['/tasks/tasks/x/pushNotificationConfigs', 'listTaskPushNotificationConfigs', 'tasks'],
    ['/acme/tasks/tasks', 'getTask', 'acme'],
  ])('GET BASE%s is %s of tenant %s', async (path, operation, tenant) => {
    const { agent, handler } = await start();
    expect((await agent.fetch(path)).status).toBe(200);
    expect([handler.last?.operation, handler.last?.context.tenant]).toEqual([operation, tenant]);
  });

  it('an unserved tenant is a 404 in the path and a 400 in the message, after authentication', async () => {
    let allowed = true;
    const { agent, handler } = await start({ tenants: ['acme'], guards: [{ canActivate: () => allowed }] });
    const inPath = await agent.post('/globex/message:send', { message: MESSAGE });
    expect([inPath.status, (await inPath.json()).error.status]).toEqual([404, 'NOT_FOUND']);
    expect((await agent.post('/message:send', { message: MESSAGE, tenant: 'globex' })).status).toBe(400);
    expect((await agent.post('/acme/message:send', { message: MESSAGE, tenant: 'globex' })).status).toBe(400);
    expect((await agent.post('/globex/message:send', { message: {} })).status).toBe(400);
    expect(handler.calls).toEqual([]);
    expect((await agent.post('/message:send', { message: MESSAGE, tenant: 'acme' })).status).toBe(200);
    expect(handler.last?.context.tenant).toBe('acme');
    allowed = false;
    expect((await agent.post('/globex/message:send', { message: MESSAGE })).status).toBe(403);
  });

  it('counts in the query string beside a body as it does in the body', async () => {
    const { agent, handler } = await start();
    const calls: [string, object | string][] = [
      ['/message:send', { message: MESSAGE }],
      ['/message:stream', { message: MESSAGE }],
      ['/tasks/t1:cancel', ''],
      ['/tasks/t1:subscribe', {}],
      ['/tasks/t1/pushNotificationConfigs', { url: 'https://hook.example.com' }],
    ];
    for (const [path, body] of calls) {
      expect((await agent.post(`${path}?tenant=ac%2Fme`, body)).status).toBe(200);
      expect(handler.last?.context.tenant).toBe('ac/me');
      expect(handler.last?.request).toMatchObject({ tenant: 'ac/me' });
      handler.calls.length = 0;
      const refused = [
        `${path}?tenant=globex`,
        `${path}?tenant=acme&tenant=acme`,
        `/tasks${path}?tenant=acme`,
      ];
      for (const other of refused) expect((await agent.post(other, body)).status).toBe(400);
      expect(handler.calls).toEqual([]);
      expect((await agent.post(`${path}?tenant=`, body)).status).toBe(200);
      expect(handler.last?.context).not.toHaveProperty('tenant');
    }
    const inBody = { message: MESSAGE, tenant: 'acme' };
    expect((await agent.post('/message:send?tenant=acme', inBody)).status).toBe(200);
    expect((await agent.post('/message:send?tenant=tasks', inBody)).status).toBe(400);
  });

  it('gives the tenant to guards among the parameters', async () => {
    let params: unknown;
    const guard = {
      canActivate: (context: any) => ((params = { ...context.switchToHttp().getRequest().params }), true),
    };
    const { agent } = await start({ tenants: ['acme'], guards: [guard] });
    await agent.fetch('/acme/tasks/a%2Fb');
    expect(params).toEqual({ tenant: 'acme', id: 'a/b' });
  });

  it.each([
    ['/Tasks/tasks?pageSize=3', 'listTasks', 'Tasks'],
    ['/TASKS/tasks/a%2Fb:c', 'getTask', 'TASKS'],
    ['/Tasks/extendedAgentCard', 'getExtendedAgentCard', 'Tasks'],
    ['/taskS/tasks/t/pushNotificationConfigs', 'listTaskPushNotificationConfigs', 'taskS'],
  ])(
    'GET BASE%s is %s of the tenant %s, for guards too, though Express ignores case',
    async (path, operation, tenant) => {
      let seen: any;
      const guard = {
        canActivate: (context: any) => ((seen = context.switchToHttp().getRequest()), true),
      };
      const { agent, handler } = await start({ tenants: [tenant], guards: [guard] });
      expect((await agent.fetch(path)).status).toBe(200);
      expect([handler.last?.operation, handler.last?.context.tenant]).toEqual([operation, tenant]);
      const { id } = (handler.last?.request ?? {}) as { id?: string };
      expect({ ...seen.params }).toMatchObject({ tenant, ...(id !== undefined && { id }) });
      expect(seen.query.pageSize).toBe(path.includes('?') ? '3' : undefined);
      expect(seen.originalUrl).toContain(path);
    },
  );
});

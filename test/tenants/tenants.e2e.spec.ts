import type { ListTasksResponse, Task } from 'nest-a2a';
import { expect, it, vi } from 'vitest';
import { describeHttp } from '../support/describe-http.js';
import { describeAgent, statusOf, untilAborted } from '../support/index.js';
import { callAny, OPERATIONS, REQUESTS } from '../support/operations.js';
import { echo } from '../support/task-makers.js';

const HEADERS = { 'Content-Type': 'application/json' };

describeAgent('Tenants', (target) => {
  it('O-TEN-03: a task of one tenant does not exist for another one, or for none', async () => {
    const agent = await target.start({
      tenants: ['acme', 'globex'],
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
    });
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
    const configuration = { returnImmediately: true };
    const { task } = await agent
      .call<{ task: Task }>('sendMessage', { tenant: 'acme', message, configuration })
      .result();
    const { id } = task;
    for (const tenant of ['globex', undefined]) {
      const scope = tenant === undefined ? {} : { tenant };
      expect((await agent.call('getTask', { ...scope, id }).error()).reason).toBe('TASK_NOT_FOUND');
      expect((await agent.open('subscribeToTask', { ...scope, id }).error()).reason).toBe('TASK_NOT_FOUND');
      expect((await agent.call('cancelTask', { ...scope, id }).error()).reason).toBe('TASK_NOT_FOUND');
      const follow = { ...scope, message: { ...message, taskId: id } };
      expect((await agent.call('sendMessage', follow).error()).reason).toBe('TASK_NOT_FOUND');
      const listed = await agent.call<ListTasksResponse>('listTasks', scope).result();
      expect([listed.tasks, listed.totalSize]).toEqual([[], 0]);
      const related = await agent
        .call<ListTasksResponse>('listTasks', { ...scope, contextId: task.contextId })
        .result();
      expect(related.totalSize).toBe(0);
    }
    expect((await agent.call<ListTasksResponse>('listTasks', { tenant: 'acme' }).result()).totalSize).toBe(1);
    await expect
      .poll(async () => statusOf(await agent.call<Task>('getTask', { tenant: 'acme', id }).result()))
      .toBe('WORKING');
    expect(statusOf(await agent.call<Task>('cancelTask', { tenant: 'acme', id }).result())).toBe('CANCELED');
  });

  it('O-TEN-02: the agent sees the tenant, and the rule may be a function of the caller', async () => {
    const asked: unknown[] = [];
    const agent = await target.start({
      tenants: (tenant, { headers }) => {
        asked.push(tenant);
        return Promise.resolve(headers['x-user'] === tenant);
      },
      execute: async ({ call, sessionKey, contextId }, task) =>
        task.complete(
          `${call.tenant} ${sessionKey === JSON.stringify([call.tenant ?? null, null, contextId])}`,
        ),
    });
    const request = { ...REQUESTS.sendMessage, tenant: 'acme' };
    const { task } = await agent.as('acme').call<{ task: Task }>('sendMessage', request).result();
    expect(statusOf(task)).toBe('COMPLETED: acme true');
    const error = await agent.as('globex').call('sendMessage', request).error();
    expect(error.violations).toEqual([
      { field: 'tenant', description: expect.stringContaining('not served') },
    ]);
    expect(asked).toEqual(['acme', 'acme']);
  });

  it('O-TEN-04, S-U8: an agent without tenants refuses one in any request, as it does an unserved one', async () => {
    const execute = vi.fn(echo);
    const single = await target.start({ execute });
    const several = await target.start({ execute, tenants: ['acme'], path: 'other' });
    for (const agent of [single, several]) {
      for (const operation of OPERATIONS) {
        const { error } = await callAny(agent, operation, { ...REQUESTS[operation], tenant: 'x' });
        const isRefusedEarlier = error?.reason !== undefined;
        if (isRefusedEarlier)
          expect(error.reason).toMatch(/^(PUSH_NOTIFICATION_NOT_SUPPORTED|UNSUPPORTED_OPERATION)$/);
        else
          expect([operation, error?.httpStatus, error?.violations[0]?.field]).toEqual([
            operation,
            400,
            'tenant',
          ]);
      }
      expect((await agent.list().result()).totalSize).toBe(0);
    }
    expect(execute).not.toHaveBeenCalled();
  });

  it('an empty tenant is none', async () => {
    const agent = await target.start({ execute: echo });
    const { task } = await agent
      .call<{ task: Task }>('sendMessage', { ...REQUESTS.sendMessage, tenant: '' })
      .result();
    expect(statusOf(await agent.get(task.id).result())).toBe('COMPLETED: hi');
  });
});

describeHttp('Tenants in paths', (target) => {
  it('O-TEN-02: every operation is served below a tenant as without one', async () => {
    const agent = await target.start({
      tenants: true,
      execute: async ({ call, text }, task) => {
        if (text === 'ask') return task.requireInput(`who, ${call.tenant}?`);
        return task.complete(call.tenant);
      },
    });
    const at = (method: string, path: string, body?: unknown) =>
      agent.request(method, `/a2a${path}`, { ...(body === undefined ? {} : { body, headers: HEADERS }) });
    const message = (text: string) => ({
      message: { messageId: text, role: 'ROLE_USER', parts: [{ text }] },
    });
    for (const tenant of ['acme', 'ac%2Fme', '%E6%BC%A2', 'message:send']) {
      const name = decodeURIComponent(tenant);
      const { json } = await at('POST', `/${tenant}/message:send`, message('hi'));
      expect(statusOf(json.task)).toBe(`COMPLETED: ${name}`);
      const asked = (await at('POST', `/${tenant}/message:send`, message('ask'))).json.task;
      const { body } = await at('POST', `/${tenant}/message:stream`, message('hi'));
      expect(body).toContain(`"text":"${name}"`);
      expect((await at('GET', `/${tenant}/tasks/${json.task.id}`)).json).toEqual(json.task);
      expect((await at('GET', `/${tenant}/tasks`)).json.totalSize).toBe(3);
      expect((await at('POST', `/${tenant}/tasks/${json.task.id}:subscribe`)).status).toBe(400);
      expect(statusOf((await at('POST', `/${tenant}/tasks/${asked.id}:cancel`, {})).json)).toBe('CANCELED');
      const push = `/${tenant}/tasks/${json.task.id}/pushNotificationConfigs`;
      const config = { id: 'c1', taskId: json.task.id, url: 'https://hook.example.com/', tenant: name };
      expect((await at('POST', push, { id: 'c1', url: config.url })).json).toEqual(config);
      expect((await at('GET', push)).json).toEqual({ configs: [config], nextPageToken: '' });
      expect((await at('GET', `${push}/c1`)).json).toEqual(config);
      expect((await at('GET', push.replace(`/${tenant}`, ''))).status).toBe(404);
      expect((await at('DELETE', `${push}/c1`)).json).toEqual({});
      expect((await at('GET', `${push}/c1`)).status).toBe(404);
      const extended = await at('GET', `/${tenant}/extendedAgentCard`);
      expect(extended.json.error.details[0].reason).toBe('UNSUPPORTED_OPERATION');
      const card = await at('GET', `/${tenant}/.well-known/agent-card.json`);
      expect(card.json.supportedInterfaces[0].tenant).toBe(name);
    }
    expect((await agent.card()).supportedInterfaces[0]).not.toHaveProperty('tenant');
  });

  it('a path that could have a tenant in it or not has none', async () => {
    const agent = await target.start({ tenants: true, execute: echo });
    const { status, json } = await agent.request('GET', '/a2a/tasks/tasks');
    expect([status, json.error.details[0].metadata]).toEqual([404, { taskId: 'tasks' }]);
  });

  it('a tenant in the path and one in the request must agree', async () => {
    const execute = vi.fn(echo);
    const agent = await target.start({ tenants: true, execute });
    const send = (path: string, tenant: string) =>
      agent.request('POST', path, { headers: HEADERS, body: { ...REQUESTS.sendMessage, tenant } });
    const { status, json } = await send('/a2a/acme/message:send', 'globex');
    expect([status, json.error.details[0].fieldViolations[0].field]).toEqual([400, 'tenant']);
    expect((await agent.request('GET', '/a2a/acme/tasks?tenant=globex')).status).toBe(400);
    expect(execute).not.toHaveBeenCalled();
    expect((await send('/a2a/acme/message:send', 'acme')).status).toBe(200);
    expect((await send('/a2a/acme/message:send', '')).status).toBe(200);
    expect((await send('/a2a/message:send', 'acme')).status).toBe(200);
    expect((await agent.request('GET', '/a2a/acme/tasks?tenant=acme')).json.totalSize).toBe(3);
    expect((await agent.request('GET', '/a2a/tasks')).json.totalSize).toBe(0);
  });

  it('O-TEN-04, S-U8: without the option a tenant is no path, and an unserved one is a 404', async () => {
    const execute = vi.fn(echo);
    const single = await target.start({ execute });
    const several = await target.start({ execute, tenants: ['acme'] });
    for (const agent of [single, several]) {
      for (const [method, path] of [
        ['POST', '/a2a/whatever/message:send'],
        ['GET', '/a2a/whatever/tasks'],
        ['GET', '/a2a/whatever/tasks/t1'],
        ['GET', '/a2a/whatever/.well-known/agent-card.json'],
      ] as const) {
        const body = method === 'POST' ? { headers: HEADERS, body: REQUESTS.sendMessage } : {};
        const { status, json, headers } = await agent.request(method, path, body);
        expect([path, status, headers['content-type']]).toEqual([path, 404, 'application/a2a+json']);
        expect([json.error.code, json.error.status]).toEqual([404, 'NOT_FOUND']);
        expect(json.error.details[0].reason).toBe('METHOD_NOT_FOUND');
      }
      expect((await agent.request('GET', '/a2a/tasks')).json.totalSize).toBe(0);
    }
    expect(execute).not.toHaveBeenCalled();
  });

  it('a tenant that cannot be decoded is none of any, its card included', async () => {
    const tenants = vi.fn(() => true);
    const agent = await target.start({ execute: echo, tenants });
    for (const path of ['/tasks', '/tasks/t1', '/.well-known/agent-card.json']) {
      const { status, json } = await agent.request('GET', `/a2a/%zz${path}`);
      expect([path, status, json.error.details[0].fieldViolations[0].field]).toEqual([path, 400, 'tenant']);
    }
    expect(tenants).not.toHaveBeenCalled();
  });

  it('S-U8: an encoded slash belongs to the id of a task, a bare one to no path', async () => {
    const agent = await target.start({ execute: echo });
    const reason = async (path: string) => {
      const { status, json } = await agent.request('GET', path);
      return [status, json.error.details[0].reason, json.error.details[0].metadata.taskId];
    };
    expect(await reason('/a2a/tasks/a%2Fb')).toEqual([404, 'TASK_NOT_FOUND', 'a/b']);
    expect(await reason('/a2a/tasks/a/b')).toEqual([404, 'METHOD_NOT_FOUND', undefined]);
    expect(await reason('/a2a/unknown')).toEqual([404, 'METHOD_NOT_FOUND', undefined]);
  });
});

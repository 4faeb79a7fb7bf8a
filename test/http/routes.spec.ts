import { Controller, Get, VersioningType } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import { EchoHandler, MESSAGE } from './echo-handler.js';
import { rawRequest } from './raw-request.js';
import { ADAPTERS, startAgent, stopAgents, type AgentSetup, type Answer } from './start-agent.js';

afterEach(stopAgents);

@Controller()
class HostController {
  @Get('a2a/of-the-host/:name')
  below() {
    return { host: 'below' };
  }

  @Get('hello')
  hello() {
    return { host: 'hello' };
  }
}

describe.each(ADAPTERS)('Routes on %s', (adapter) => {
  const start = async (setup: Partial<AgentSetup> = {}) => {
    const handler = new EchoHandler();
    return { handler, agent: await startAgent({ adapter, handler, ...setup }) };
  };

  it.each([false, true])(
    'serves every operation with 200 and the media type of A2A (testing module: %s)',
    async (isTestingModule) => {
      const { agent, handler } = await start({ isTestingModule });
      const body = { message: MESSAGE };
      const config = { url: 'https://hook.example.com' };
      const calls: [string, () => Promise<Answer>][] = [
        ['sendMessage', () => agent.post('/message:send', body)],
        ['sendStreamingMessage', () => agent.post('/message:stream', body)],
        ['getTask', () => agent.fetch('/tasks/t1')],
        ['listTasks', () => agent.fetch('/tasks')],
        ['cancelTask', () => agent.fetch('/tasks/t1:cancel', { method: 'POST' })],
        ['subscribeToTask', () => agent.fetch('/tasks/t1:subscribe')],
        ['createTaskPushNotificationConfig', () => agent.post('/tasks/t1/pushNotificationConfigs', config)],
        ['getTaskPushNotificationConfig', () => agent.fetch('/tasks/t1/pushNotificationConfigs/c1')],
        ['listTaskPushNotificationConfigs', () => agent.fetch('/tasks/t1/pushNotificationConfigs')],
        [
          'deleteTaskPushNotificationConfig',
          () => agent.fetch('/tasks/t1/pushNotificationConfigs/c1', { method: 'DELETE' }),
        ],
        ['getExtendedAgentCard', () => agent.fetch('/extendedAgentCard')],
      ];
      for (const [operation, call] of calls) {
        const response = await call();
        const text = await response.text();
        expect([operation, response.status, text.includes('error')]).toEqual([operation, 200, false]);
        const isStream = operation === 'subscribeToTask' || operation === 'sendStreamingMessage';
        expect(response.headers.get('content-type')).toBe(
          isStream ? 'text/event-stream' : 'application/a2a+json',
        );
        expect(handler.last?.operation).toBe(operation);
      }
    },
  );

  it('deletes with a content type and without one, and answers an empty object', async () => {
    const { agent } = await start();
    for (const type of [undefined, 'application/json', 'application/a2a+json']) {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      const response = await agent.fetch('/tasks/t1/pushNotificationConfigs/c1', {
        method: 'DELETE',
        headers,
      });
      expect([response.status, await response.text()]).toEqual([200, '{}']);
    }
  });

  it.each([
    ['POST', '/messageXYZ', 404],
    ['POST', '/message', 404],
    ['POST', '/message:foo', 404],
    ['POST', '/message:send/', 404],
    ['POST', '/Message:Send', 404],
    ['POST', '/message%3Asend', 404],
    ['POST', '/messageXsend', 404],
    ['POST', '//message:send', 404],
    ['POST', '/tasks/t1:foo', 405],
    ['POST', '/whatever/message:send', 404],
    ['GET', '/tasks/', 404],
    ['GET', '/TASKS', 404],
    ['GET', '/tasks/a/b', 404],
    ['GET', '', 404],
    ['GET', '/', 404],
    ['PUT', '/tasks/t1', 405],
    ['DELETE', '/tasks/t1', 405],
    ['GET', '/message:send', 405],
    ['GET', '/tasks/t1:cancel', 405],
    ['HEAD', '/tasks/t1:subscribe', 405],
    ['OPTIONS', '/message:send', 405],
    ['GET', '/tasks/%zz', 400],
    ['GET', '/tasks/%ff', 400],
    ['GET', '/%zz', 404],
    ['GET', '/tasks/%E4%B8/pushNotificationConfigs', 400],
  ])('O-SEC-01: %s BASE%s is a %i in the shape of the protocol', async (method, path, status) => {
    const { agent, handler } = await start();
    const response = await rawRequest(
      `${agent.base}${path}`,
      method,
      method === 'POST' ? '{"a":' : undefined,
    );
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toBe('application/a2a+json');
    expect(response.headers.allow !== undefined).toBe(status === 405);
    if (method !== 'HEAD') {
      const { error } = JSON.parse(response.body);
      expect(error.code).toBe(status);
      const reason = status === 400 ? undefined : 'METHOD_NOT_FOUND';
      expect(error.details[0].reason).toBe(reason);
      if (status === 404) expect(error.status).toBe('NOT_FOUND');
    }
    expect(handler.calls).toEqual([]);
  });

  it('tells the methods that a path has', async () => {
    const { agent } = await start();
    const allow = async (path: string, method = 'PUT') =>
      (await agent.fetch(path, { method })).headers.get('allow');
    expect(await allow('/message:send')).toBe('POST');
    expect(await allow('/tasks/t1')).toBe('GET, HEAD');
    expect(await allow('/tasks/t1:subscribe')).toBe('GET, POST');
    expect(await allow('/tasks/t1/pushNotificationConfigs/c')).toBe('GET, HEAD, DELETE');
    expect(await allow('/tasks/t1/pushNotificationConfigs')).toBe('POST, GET, HEAD');
    expect(await allow('/tasks/t1:cancel', 'GET')).toBe('POST');
  });

  it('answers HEAD like GET without the body', async () => {
    const { agent } = await start();
    const response = await agent.fetch('/tasks/t1', { method: 'HEAD' });
    const length = (await (await agent.fetch('/tasks/t1')).text()).length;
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(length)]);
  });

  it('refuses a path in another case without asking a guard', async () => {
    let asked = 0;
    const { agent } = await start({ guards: [{ canActivate: () => ++asked > 0 }] });
    for (const path of ['/A2A/Message:Send', '/A2a/tasks', '/a2a/TASKS']) {
      expect((await fetch(agent.url + path, { method: path.endsWith('Send') ? 'POST' : 'GET' })).status).toBe(
        404,
      );
    }
    expect(asked).toBe(0);
  });

  it.each([
    ['/tasks/a:b', 'a:b'],
    ['/tasks/a%3Asubscribe', 'a:subscribe'],
    ['/tasks/a%3Acancel', 'a:cancel'],
    ['/tasks/a%2Fb', 'a/b'],
    ['/tasks/%E6%BC%A2%20%F0%9F%98%80', '漢 😀'],
    ['/tasks/a%25b', 'a%b'],
    ['/tasks/__proto__', '__proto__'],
    [`/tasks/${'x'.repeat(300)}`, 'x'.repeat(300)],
    ['/tasks/tasks', 'tasks'],
  ])('gives GET BASE%s to GetTask', async (path, id) => {
    const { agent, handler } = await start();
    const response = await agent.fetch(path);
    expect([response.status, (await response.json()).id]).toEqual([200, id]);
    expect(handler.last).toMatchObject({ operation: 'getTask', request: { id } });
  });

  it.each([
    ['/tasks/a:b:cancel', 'a:b'],
    ['/tasks/a:cancel:cancel', 'a:cancel'],
    ['/tasks/a%2Fb:cancel', 'a/b'],
    ['/tasks/a%0Ab%E2%80%A8:cancel', 'a\nb\u2028'],
    [`/tasks/${'x'.repeat(300)}:cancel`, 'x'.repeat(300)],
  ])('gives POST BASE%s to CancelTask', async (path, id) => {
    const { agent, handler } = await start();
    expect((await agent.post(path, '')).status).toBe(200);
    expect(handler.last).toMatchObject({ operation: 'cancelTask', request: { id } });
  });

  it('O-SUB-02: subscribes by GET, by POST without a body, and by POST with an empty object', async () => {
    const { agent, handler } = await start();
    for (const open of [
      () => agent.fetch('/tasks/t1:subscribe'),
      () => agent.fetch('/tasks/t1:subscribe', { method: 'POST' }),
      () => agent.post('/tasks/t1:subscribe', '{}'),
      () => agent.post('/tasks/t1:subscribe', { id: 't1' }),
    ]) {
      const response = await open();
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      expect(await response.text()).toContain('"id":"t1"');
      expect(handler.last).toMatchObject({ operation: 'subscribeToTask', request: { id: 't1' } });
    }
    expect((await agent.fetch('/tasks/t1')).headers.get('content-type')).toBe('application/a2a+json');
  });

  it('refuses a body that names another task than the path', async () => {
    const { agent, handler } = await start();
    const response = await agent.post('/tasks/t1:cancel', { id: 't2' });
    expect(response.status).toBe(400);
    expect((await response.json()).error.details[0].fieldViolations[0].field).toBe('id');
    const create = { taskId: 't2', url: 'https://hook.example.com' };
    expect((await agent.post('/tasks/t1/pushNotificationConfigs', create)).status).toBe(400);
    expect(handler.calls).toEqual([]);
    expect((await agent.post('/tasks/t1:cancel', { metadata: { why: 'enough' } })).status).toBe(200);
    expect(handler.last?.request).toEqual({ id: 't1', metadata: { why: 'enough' } });
  });

  it('reads the query string itself', async () => {
    const { agent, handler } = await start();
    await agent.fetch('/tasks?context_id=c%201&pageSize=5&includeArtifacts=true&status=&unknown[a]=1');
    expect(handler.last?.request).toEqual({ contextId: 'c 1', pageSize: 5, includeArtifacts: true });
    const twice = await agent.fetch('/tasks?contextId=a&contextId=b&pageSize=x');
    expect(twice.status).toBe(400);
    const { fieldViolations } = (await twice.json()).error.details[0];
    expect(fieldViolations.map(({ field }: { field: string }) => field).sort()).toEqual([
      'contextId',
      'pageSize',
    ]);
    expect((await rawRequest(`${agent.base}/tasks?contextId=%ff`, 'GET')).status).toBe(400);
  });

  it('leaves the routes of the application alone, also below the base path', async () => {
    const { agent } = await start({ host: { controllers: [HostController] } });
    expect(await (await fetch(`${agent.url}/a2a/of-the-host/a%20b`)).json()).toEqual({ host: 'below' });
    expect(await (await fetch(`${agent.url}/hello`)).json()).toEqual({ host: 'hello' });
    const missing = await fetch(`${agent.url}/nothing`);
    expect(await missing.json()).toMatchObject({ statusCode: 404 });
    expect((await fetch(`${agent.url}/a2abc`)).headers.get('content-type')).toContain('application/json');
  });

  it('follows the global prefix and stays out of URI versioning', async () => {
    const { agent } = await start({
      configure: (app) => {
        app.setGlobalPrefix('api');
        app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
      },
    });
    const get = (path: string): Promise<Answer> =>
      fetch(agent.url + path, { headers: { 'A2A-Version': '1.0' } });
    expect((await get('/api/a2a/tasks/t1')).status).toBe(200);
    expect((await (await get('/api/a2a/nope')).json()).error.code).toBe(404);
    expect((await get('/a2a/tasks/t1')).status).toBe(404);
  });

  it('follows an exclusion from the global prefix', async () => {
    const { agent } = await start({
      configure: (app) => app.setGlobalPrefix('api', { exclude: ['a2a/{*path}'] }),
    });
    expect((await agent.fetch('/tasks/t1')).status).toBe(200);
    expect((await agent.post('/message:send', { message: MESSAGE })).status).toBe(200);
    expect((await (await agent.fetch('/nope')).json()).error.code).toBe(404);
  });

  it('O-CARD-09: leaves preflights to the CORS of the application', async () => {
    const { agent } = await start({
      extensions: [{ uri: 'https://e.example/x' }],
      configure: (app) => app.enableCors({ origin: 'https://app.example.com' }),
    });
    const preflight = await fetch(`${agent.base}/message:send`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example.com',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'a2a-version,a2a-extensions,authorization,content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('a2a-version');
    const headers = { Origin: 'https://app.example.com', 'A2A-Extensions': 'https://e.example/x' };
    for (const path of ['/tasks/t1', '/tasks/t1:subscribe']) {
      const response = await agent.fetch(path, { headers });
      expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
      expect(response.headers.get('access-control-expose-headers')).toBe('A2A-Extensions');
      expect(response.headers.get('a2a-extensions')).toBe('https://e.example/x');
    }
    for (const path of ['/nope', '/tasks/nope', '/TASKS']) {
      const response = await agent.fetch(path, { headers });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
        404,
        'https://app.example.com',
      ]);
    }
  });

  it('serves several agents, also one below the path of another', async () => {
    const [handler, other] = [new EchoHandler(), new EchoHandler()];
    const agent = await startAgent({ adapter, handler }, { adapter, handler: other, path: 'a2a/x' });
    expect((await agent.fetch('/tasks/t1')).status).toBe(200);
    expect((await agent.fetch('/x/tasks/t2')).status).toBe(200);
    expect([handler.last?.request.id, other.last?.request.id]).toEqual(['t1', 't2']);
    expect((await (await agent.fetch('/x/nope')).json()).error.code).toBe(404);
  });

  it.each([false, true])(
    'refuses to start where a path means a tenant too (testing module: %s)',
    async (testing) => {
      const handler = new EchoHandler();
      const outer = { adapter, handler, tenants: ['x'], isTestingModule: testing };
      await expect(startAgent(outer, { adapter, handler, path: 'a2a/x' })).rejects.toThrow(
        /"a2a\/x" lies below "a2a"/,
      );
    },
  );
});

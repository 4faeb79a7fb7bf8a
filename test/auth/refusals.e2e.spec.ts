import { expect, it, vi } from 'vitest';
import { describeAgent, statusOf } from '../support/index.js';
import { callAny, OPERATIONS, REQUESTS } from '../support/operations.js';
import { echo } from '../support/task-makers.js';
import { bearer, ISSUER, JWT, tokenOf } from './tokens.js';

const STATUS = {
  message: 'Authentication is required',
  status: 'UNAUTHENTICATED',
  reason: 'UNAUTHENTICATED',
};

describeAgent('Callers without a good credential', (target) => {
  it('O-AUTH-01, S-127, S-129, S-133: are refused by every operation before any other check', async () => {
    const execute = vi.fn(echo);
    const agent = await target.start({
      execute,
      auth: [{ jwt: JWT }],
      tenants: ['acme'],
      extendedCard: null,
    });
    const put = vi.spyOn(agent.store, 'put');
    const get = vi.spyOn(agent.store, 'get');
    for (const operation of OPERATIONS) {
      for (const request of [
        REQUESTS[operation],
        { ...REQUESTS[operation], tenant: 'acme' },
        { ...REQUESTS[operation], tenant: 'globex' },
        { id: 't1', taskId: 't1', message: 7, pageSize: 'x' },
      ]) {
        for (const headers of [{}, { 'A2A-Version': '9.9' }] as Record<string, string>[]) {
          const { error } = await callAny(agent, operation, request, headers);
          expect([operation, error]).toEqual([
            operation,
            expect.objectContaining({ ...STATUS, httpStatus: 401, metadata: {} }),
          ]);
          expect(error?.headers['www-authenticate']).toBe('Bearer realm="default"');
        }
      }
    }
    expect([execute, put, get].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
    expect((await agent.card()).name).toBe('Test Agent');
  });

  it('S-128, S-129: hear of the credential, not of the path, where an operation is called with a broken one', async () => {
    const agent = await target.start({ execute: echo, auth: [{ jwt: JWT }], tenants: ['acme'] });
    for (const [method, path, status] of [
      ['GET', '/tasks/%zz', 401],
      ['POST', '/tasks/%zz:cancel', 401],
      ['GET', '/tasks/%E4%B8/pushNotificationConfigs/%', 401],
      ['GET', '/%zz/tasks', 401],
      ['GET', '/%zz', 404],
      ['PUT', '/tasks/%zz', 405],
    ] as const) {
      const answer = await agent.request(method, `/a2a${path}`);
      expect([path, answer.status, answer.json.error.code]).toEqual([path, status, status]);
    }
  });

  it('S-127, S-129: do not learn from the public card which tenants are served', async () => {
    const tenants = vi.fn((tenant: string) => tenant === 'acme');
    const agent = await target.start({ execute: echo, auth: [{ jwt: JWT }], tenants });
    const cardOf = async (tenant: string) => {
      const { status, body } = await agent.request('GET', `/a2a/${tenant}/.well-known/agent-card.json`);
      return [status, body.replaceAll(tenant, 'TENANT')];
    };
    const card = await cardOf('acme');
    expect(card[0]).toBe(200);
    expect(await cardOf('globex')).toEqual(card);
    expect(tenants).not.toHaveBeenCalled();
  });

  it('O-AUTH-08, S-130, S-137: are told that the token is not valid, and no more', async () => {
    const agent = await target.start({ execute: echo, auth: [{ jwt: JWT }] });
    const tokens = {
      'of another issuer': await tokenOf('user-a', { issuer: 'https://other.example.com' }),
      'for another audience': await tokenOf('user-a', { audience: 'other' }),
      expired: await tokenOf('user-a', { expiresIn: '-1m' }),
      'not valid yet': await tokenOf('user-a', { notBefore: '1m' }),
      'of another key': await tokenOf('user-a', { secret: 'another-secret-with-more-than-32-bytes' }),
      'of no one': await tokenOf(undefined),
      'no JWT': 'opaque',
      unsigned:
        `${btoa('{"alg":"none"}')}.${btoa(`{"sub":"user-a","iss":"${ISSUER}","aud":"agent"}`)}.`.replaceAll(
          '=',
          '',
        ),
    };
    for (const [what, token] of Object.entries(tokens)) {
      const error = await agent.with(bearer(token)).list().error();
      expect([what, error]).toEqual([what, expect.objectContaining({ ...STATUS, httpStatus: 401 })]);
      expect(error.headers['www-authenticate']).toBe('Bearer realm="default", error="invalid_token"');
      expect(JSON.stringify(error.details)).not.toContain(token);
    }
    expect(agent.log.lines.join('\n')).not.toContain(tokens.expired);
    expect(agent.log.of('warn')[0]).toContain('listTasks refused with 401: auth[0].jwt: ');
  });

  it('S-131, S-132, S-U5: who lacks a scope is told which', async () => {
    const execute = vi.fn(echo);
    const agent = await target.start({ execute, auth: [{ jwt: JWT, scopes: ['a2a:invoke', 'b'] }] });
    const less = agent.with(bearer(await tokenOf('user-a', { scope: 'x b' })));
    for (const operation of OPERATIONS) {
      const { error } = await callAny(less, operation);
      expect(error).toMatchObject({
        httpStatus: 403,
        status: 'PERMISSION_DENIED',
        reason: 'PERMISSION_DENIED',
        message: 'Permission denied',
        metadata: { requiredScopes: 'a2a:invoke b', missingScopes: 'a2a:invoke' },
      });
      expect(error?.headers['www-authenticate']).toBe(
        'Bearer realm="default", error="insufficient_scope", scope="a2a:invoke b"',
      );
    }
    expect(execute).not.toHaveBeenCalled();
    const enough = agent.with(bearer(await tokenOf('user-a', { scope: 'b a2a:invoke' })));
    expect(statusOf(await enough.send('hi').task())).toBe('COMPLETED: hi');
  });
});

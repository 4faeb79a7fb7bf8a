import { Controller, Get, Inject, UseGuards } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import {
  A2AAuthGuard,
  A2ACaller,
  A2AModule,
  TaskOwner,
  TaskStore,
  type AuthEvent,
  type Principal,
  type TaskRecord,
} from 'nest-a2a';
import { expect, it } from 'vitest';
import { describeHttp } from '../support/describe-http.js';
import { inlineExecutor } from '../support/index.js';
import { callAny, OPERATIONS } from '../support/operations.js';
import { echo } from '../support/task-makers.js';
import { bearer, JWT, tokenOf } from './tokens.js';

const CARD = { name: 'Billing', description: '', version: '1' };
const OTHER_ISSUER = 'https://other.example.com';

@Controller('reports')
@UseGuards(A2AAuthGuard)
class Reports {
  constructor(@Inject(TaskStore) private readonly tasks: TaskStore) {}

  @Get()
  async mine(@A2ACaller() caller: Principal, @TaskOwner() owner: string | undefined) {
    const scope = { agent: 'default', ...(owner !== undefined && { owner }) };
    const { records } = await this.tasks.list({ limit: 10 }, scope);
    return { caller, tasks: records.map(({ id }: TaskRecord) => id) };
  }
}

@Controller('bills')
class Bills {
  @Get()
  @UseGuards(A2AAuthGuard.of('billing'))
  mine(@A2ACaller() { identity }: Principal) {
    return { identity };
  }

  @Get('open')
  open(@TaskOwner() owner: string | undefined) {
    return { owner };
  }
}

const billing = A2AModule.forRoot({
  name: 'billing',
  path: 'billing',
  card: CARD,
  executor: inlineExecutor(echo),
  auth: [{ jwt: { ...JWT, issuer: OTHER_ISSUER } }],
});

describeHttp('Controllers of the application', (target) => {
  it('may be guarded by an agent, and know its caller and the owner of its tasks', async () => {
    const events: AuthEvent[] = [];
    const agent = await target.start({
      execute: echo,
      auth: [{ jwt: JWT, scopes: ['x'] }],
      onAuth: (event) => {
        events.push(event);
      },
      isGlobal: true,
      root: { controllers: [Reports] },
    });
    const user = agent.with(bearer(await tokenOf('user-a', { scope: 'x' })));
    const { id } = await user.send('hi').task();
    await agent
      .with(bearer(await tokenOf('user-b', { scope: 'x' })))
      .send('hi')
      .task();
    expect((await user.request('GET', '/reports')).json).toEqual({
      caller: { identity: 'user-a', authority: JWT.issuer, scopes: ['x'] },
      tasks: [id],
    });
    expect(events.at(-1)).toMatchObject({
      operation: 'Reports.mine',
      outcome: 'admitted',
      entry: 'auth[0].jwt',
    });

    const without = await agent.request('GET', '/reports');
    expect([without.status, without.headers['www-authenticate']]).toEqual([401, 'Bearer realm="default"']);
    expect(without.json.error).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' });
    const less = await agent.request('GET', '/reports', { headers: bearer(await tokenOf('user-a')) });
    expect(less.json.error).toMatchObject({ code: 403, details: [{ metadata: { missingScopes: 'x' } }] });
  });

  it('may be guarded by one of several agents', async () => {
    const agent = await target.start({
      execute: echo,
      auth: [{ jwt: JWT }],
      root: { imports: [billing], controllers: [Bills] },
    });
    const get = async (path: string, issuer?: string) =>
      agent.request('GET', path, { headers: bearer(await tokenOf('user-a', { ...(issuer && { issuer }) })) });
    expect((await get('/bills', OTHER_ISSUER)).json).toEqual({ identity: 'user-a' });
    expect((await get('/bills')).status).toBe(401);
    expect((await get('/billing/tasks', OTHER_ISSUER)).status).toBe(200);
    expect((await get('/billing/tasks')).headers['www-authenticate']).toBe(
      'Bearer realm="billing", error="invalid_token"',
    );
    expect((await get('/a2a/tasks', OTHER_ISSUER)).status).toBe(401);
    // Nobody guards it, so there is no caller.
    expect((await get('/bills/open')).status).toBe(500);
    expect(agent.log.of('error').join('\n')).toContain('@TaskOwner() needs A2AAuthGuard in front of Bills');
  });

  it('may all be guarded, the agent among them, which asks once', async () => {
    const events: AuthEvent[] = [];
    const agent = await target.start({
      execute: echo,
      auth: [{ jwt: JWT }],
      onAuth: (event) => {
        events.push(event);
      },
      root: { providers: [{ provide: APP_GUARD, useClass: A2AAuthGuard }] },
    });
    await agent
      .with(bearer(await tokenOf('user-a')))
      .send('hi')
      .task();
    expect(events).toHaveLength(1);
    expect((await agent.card()).name).toBe('Test Agent');
  });

  it('cannot be guarded by an agent that is not there, or does not authenticate', async () => {
    await expect(
      target.start({ execute: echo, isGlobal: true, root: { controllers: [Reports] } }),
    ).rejects.toThrow('A2AAuthGuard: there is no A2A agent "default" with the option "auth"');
    await expect(target.start({ execute: echo, root: { controllers: [Bills] } })).rejects.toThrow(
      '"billing"',
    );
  });

  it('audit hears of every operation by its name, without credentials, and may fail', async () => {
    const events: AuthEvent[] = [];
    const agent = await target.start({
      execute: echo,
      auth: [{ jwt: JWT, scopes: ['x'] }],
      onAuth: async (event) => {
        events.push(event);
        throw new Error('the audit is away');
      },
      extendedCard: null,
    });
    const token = await tokenOf('user-a');
    for (const operation of OPERATIONS) await callAny(agent, operation, undefined, bearer(token));
    expect(events.map(({ operation }) => operation)).toEqual(OPERATIONS);
    expect(events[0]).toEqual({
      agent: 'default',
      outcome: 'forbidden',
      operation: 'sendMessage',
      entry: 'auth[0].jwt',
      scheme: 'Bearer',
      identity: 'user-a',
      authority: JWT.issuer,
      reasons: [{ entry: 'auth[0].jwt', reason: 'lacks x' }],
      remoteAddress: '127.0.0.1',
    });
    const rpc = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'x' } };
    await agent.request('POST', '/a2a', { headers: { 'Content-Type': 'application/json' }, body: rpc });
    expect(events.at(-1)).toMatchObject({ operation: 'getTask', outcome: 'unauthenticated', reasons: [] });
    expect(JSON.stringify(events)).not.toContain(token);
    expect(agent.log.of('error').join('\n')).toContain('the audit is away');
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { A2AModule, A2AOptionsError, type A2AModuleOptions } from 'nest-a2a';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeHttp } from '../support/describe-http.js';
import { inlineExecutor } from '../support/index.js';
import { echo } from '../support/task-makers.js';
import { bearer, JWT, tokenOf } from './tokens.js';

const CARD = { name: 'Test Agent', description: '', version: '1' };

@Module({})
class Root {}

async function faultsOf(options: object): Promise<string[]> {
  const imports = [A2AModule.forRoot({ card: CARD, executor: inlineExecutor(echo), ...options })];
  const created = NestFactory.create({ module: Root, imports }, { logger: false, abortOnError: false });
  const app = await created.catch((error: unknown) => error);
  if (!(app instanceof A2AOptionsError)) throw new Error(`Started: ${String(app)}`);
  return app.faults.map(({ field, description }) => `${field} ${description}`);
}

describe('The options of authentication', () => {
  it.each<[object, string]>([
    [{ auth: [] }, 'auth has no entry: leave it out to let everybody in'],
    [{ auth: {} }, 'auth must be a list of entries'],
    [{ auth: false }, 'auth must be a list of entries'],
    [
      { auth: [{ jwt: JWT }], caller: () => undefined },
      'caller is for guards of your own: with "auth" its entries say who calls',
    ],
    [{ onAuth: () => undefined }, 'onAuth does nothing without "auth"'],
    [{ authThrottle: {} }, 'authThrottle does nothing without "auth"'],
    [{ auth: [{ jwt: JWT }], onAuth: 7 }, 'onAuth must be a function'],
    [{ auth: [{ jwt: JWT }], authThrottle: true }, 'authThrottle must be an object, or false'],
    [
      { auth: [{ jwt: JWT }], authThrottle: { delay: -1 } },
      'authThrottle.delay must be a number from 0 to 2147483647',
    ],
    [
      { auth: [{ jwt: JWT }], authThrottle: { delays: 1 } },
      'authThrottle.delays is not an option; did you mean "delay"?',
    ],
  ])('%j is refused', async (options, fault) => {
    expect(await faultsOf(options)).toEqual([fault]);
  });

  it('S-136: faults name the entry and its option', async () => {
    const { issuer: _issuer, ...anonymous } = JWT;
    expect(await faultsOf({ auth: [{ jwt: JWT }, { jwt: anonymous }], card: { ...CARD, name: 7 } })).toEqual([
      'card.name must be a string, not a number',
      expect.stringMatching(/^auth\[1\]\.jwt\.issuer is required with an HMAC secret/),
    ]);
  });

  it('S-141: an entry whose provider is away when it is needed keeps the application from starting', async () => {
    const server = createServer((_request, response) => response.writeHead(500).end()).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.close();
    });
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const jwt = { audience: 'a', jwksUrl: `http://127.0.0.1:${port}/jwks`, preload: true };
    expect(await faultsOf({ auth: [{ jwt: JWT }, { jwt }] })).toEqual([
      expect.stringMatching(/^auth\[1\]\.jwt cannot be set up: /),
    ]);
  });
});

describeHttp('Options that a factory gives', (target) => {
  const startAsync = async (options: Partial<A2AModuleOptions>) => {
    const agent = A2AModule.forRootAsync({
      path: 'late',
      name: 'late',
      useFactory: async () => ({ card: CARD, executor: inlineExecutor(echo), ...options }),
    });
    const { http } = await target.start({ execute: echo, root: { imports: [agent] } });
    return async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      http.request(method, path, { headers: { 'A2A-Version': '1.0', ...headers } });
  };

  it('S-128, S-140: may have auth, for the agent alone and for its paths alone', async () => {
    const get = await startAsync({ auth: [{ jwt: JWT }] });
    expect((await get('/late/tasks')).headers['www-authenticate']).toBe('Bearer realm="late"');
    expect((await get('/late/tasks', bearer(await tokenOf('user-a')))).status).toBe(200);
    expect((await get('/a2a/tasks')).status).toBe(200);
    expect((await get('/late/nothing')).status).toBe(404);
    expect((await get('/late/tasks', {}, 'PUT')).status).toBe(405);
    expect((await get('/late/.well-known/agent-card.json')).status).toBe(200);
  });

  it.each([{}, { auth: null as never }])('may have none (%j)', async (options) => {
    const get = await startAsync(options);
    expect((await get('/late/tasks')).status).toBe(200);
  });
});

describeHttp('Under a prefix', (target) => {
  it('S-140: auth is what it is elsewhere, and is closed with the application', async () => {
    const agent = await target.start({
      execute: echo,
      auth: [{ jwt: JWT }],
      path: 'agents/one',
      host: (app) => {
        app.setGlobalPrefix('api');
      },
    });
    const get = (headers: Record<string, string>) =>
      agent.request('GET', '/api/agents/one/tasks', { headers });
    expect((await get({})).status).toBe(401);
    expect((await get(bearer(await tokenOf('user-a')))).status).toBe(200);
    const { default: passport } = await import('passport');
    const unuse = vi.spyOn(passport, 'unuse');
    onTestFinished(() => unuse.mockRestore());
    await agent.close();
    expect(unuse.mock.calls).toEqual([[expect.stringMatching(/^nest-a2a:default:[\w-]+:auth\[0\]\.jwt$/)]]);
  });
});

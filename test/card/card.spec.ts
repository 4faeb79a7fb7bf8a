import { Controller, Get, VersioningType, type CanActivate, type INestApplication } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import { A2AModule } from '../../lib/module/a2a.module.js';
import type { A2AModuleExtras, A2AModuleOptions } from '../../lib/module/a2a-module-options.js';
import { CARD, EchoAgent, said } from '../module/agents.js';
import { ADAPTERS, startApp, stopApps, type AppSetup } from '../module/start-app.js';
import { TLS } from './tls.js';

const ROOT = '/.well-known/agent-card.json';

class Nobody implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Controller('host')
class HostController {
  @Get()
  hello() {
    return { hello: 'host' };
  }
}

afterEach(stopApps);

describe.each(ADAPTERS)('The card on %s', (adapter) => {
  const start = (options: Partial<A2AModuleOptions & A2AModuleExtras> = {}, setup: AppSetup = {}) =>
    startApp(
      {
        imports: [A2AModule.forRoot({ card: CARD, executor: new EchoAgent(), ...options })],
        controllers: [HostController],
      },
      { adapter, ...setup },
    );

  it('S-51, S-57, S-58, O-CARD-02: is the given one with what is really served', async () => {
    const agent = await start({
      card: {
        ...CARD,
        capabilities: { streaming: false, pushNotifications: false, extensions: [{ uri: 'urn:x' }] },
        supportedInterfaces: [{ url: 'https://elsewhere', protocolBinding: 'GRPC', protocolVersion: '0.3' }],
      },
    });
    expect(await agent.card()).toEqual({
      ...CARD,
      capabilities: {
        streaming: true,
        pushNotifications: true,
        extendedAgentCard: false,
        extensions: [{ uri: 'urn:x' }],
      },
      supportedInterfaces: [
        { url: `${agent.url}/a2a`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url: `${agent.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    });
  });

  it('S-143: lists the bindings that are served, the preferred one first', async () => {
    const bindingsOf = async (bindings: A2AModuleExtras['bindings']) => {
      const { card } = await start({ bindings });
      return (await card()).supportedInterfaces.map(({ protocolBinding }) => protocolBinding);
    };
    expect(await bindingsOf(['json-rpc', 'http-json'])).toEqual(['JSONRPC', 'HTTP+JSON']);
    expect(await bindingsOf(['http-json'])).toEqual(['HTTP+JSON']);
  });

  it('is the same at the root and below the base path, to anybody and without a version', async () => {
    const agent = await start({ guards: [Nobody] });
    const root = await agent.get(ROOT);
    expect(root.status).toBe(200);
    expect(root.headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await agent.get(`/a2a${ROOT}`)).text).toBe(root.text);
    expect((await agent.get(`${ROOT}?x=1`, { 'a2a-version': '0.3' })).text).toBe(root.text);
    expect((await agent.send('hi')).status).toBe(403);
  });

  it('O-CARD-04, S-U6: has cache headers, and is not sent again to who has it', async () => {
    const agent = await start({ cardMaxAge: 60 });
    const first = await agent.get(ROOT);
    expect(first.headers['cache-control']).toBe('private, max-age=60');
    const etag = String(first.headers.etag);
    for (const path of [ROOT, `/a2a${ROOT}`]) {
      for (const asked of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
        const again = await agent.get(path, { 'if-none-match': asked });
        expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
        expect(again.headers['content-length']).toBeUndefined();
      }
      expect((await agent.get(path, { 'if-none-match': '"x"' })).status).toBe(200);
      const head = await agent.get(path, {}, 'HEAD');
      expect([head.status, head.text, head.headers.etag]).toEqual([200, '', etag]);
      expect(head.headers['content-length']).toBe(first.headers['content-length']);
    }
  });

  it('S-95, S-97, O-CARD-01: takes the Host header and never a forwarded one', async () => {
    const agent = await start();
    const { json } = await agent.get(ROOT, {
      host: '10.1.1.1:3000',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'agents.example.com',
      forwarded: 'proto=https;host=agents.example.com',
    });
    expect(json.supportedInterfaces[0].url).toBe('http://10.1.1.1:3000/a2a');
  });

  it('S-94, S-95: says https where the server has TLS', async () => {
    const agent = await start({}, { tls: TLS });
    expect(agent.url).toMatch(/^https:/);
    expect((await agent.card()).supportedInterfaces[0]?.url).toBe(`${agent.url}/a2a`);
    expect(said(await agent.send('hi'))).toBe('echo: hi');
  });

  it('S-96, O-CARD-01: takes publicUrl before the Host header', async () => {
    const agent = await start({ publicUrl: 'https://agents.example.com/weather/' });
    const { json, headers } = await agent.get(ROOT, { host: 'x:1' });
    expect(json.supportedInterfaces[0].url).toBe('https://agents.example.com/weather/a2a');
    expect(headers['cache-control']).toBe('public, max-age=300');
  });

  it.each(['a/b', 'user@x', 'x y', 'x?y', '"><script>'])('refuses the host %s', async (host) => {
    const agent = await start();
    const answer = await agent.get(ROOT, { host });
    expect(answer.status).toBe(400);
    expect(answer.json.error.details[0].fieldViolations).toEqual([
      { field: 'Host', description: 'the header is not a host' },
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['a global prefix', (app: INestApplication) => app.setGlobalPrefix('api'), '/api'],
    [
      'URI versioning',
      (app: INestApplication) => app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
      '',
    ],
    [
      'both',
      (app: INestApplication) =>
        app
          .setGlobalPrefix('/api/')
          .enableVersioning({ type: VersioningType.URI, defaultVersion: ['1', '2'] }),
      '/api',
    ],
    [
      'a prefix that excludes the agent',
      (app: INestApplication) => app.setGlobalPrefix('api', { exclude: ['agents/{*rest}'] }),
      '',
    ],
  ])('O-CARD-03: is at the root and names a URL that works with %s', async (_what, configure, prefix) => {
    const agent = await start({ path: '/agents/x/' }, { configure });
    const card = await agent.card();
    const url = card.supportedInterfaces[0]?.url;
    expect(url).toBe(`${agent.url}${prefix}/agents/x`);
    expect(said(await agent.send('hi', new URL(url ?? '').pathname))).toBe('echo: hi');
    expect(await agent.card(`${prefix}/agents/x${ROOT}`)).toEqual(card);
    for (const other of [`/api${ROOT}`, `/v1${ROOT}`, `/api/v1${ROOT}`]) {
      expect((await agent.get(other)).status).toBe(404);
    }
  });

  it('O-CARD-08: asks a function at each fetch, also after it failed', async () => {
    let calls = 0;
    const agent = await start({
      card: async () => {
        calls++;
        if (calls === 2) throw new Error('secret reason');
        return { ...CARD, version: String(calls) };
      },
    });
    expect(calls).toBe(0);
    const first = await agent.get(ROOT);
    expect(first.json.version).toBe('1');
    expect(first.json.supportedInterfaces[0].url).toBe(`${agent.url}/a2a`);
    const failed = await agent.get(ROOT);
    expect([failed.status, failed.headers['cache-control']]).toEqual([500, 'no-store']);
    expect(failed.json.error).toMatchObject({ code: 500, status: 'INTERNAL', message: 'Internal error' });
    expect(failed.text).not.toContain('secret');
    // Operations go by the last good card.
    expect((await agent.send('hi')).status).toBe(200);
    expect(calls).toBe(2);
    expect((await agent.get(ROOT)).json.version).toBe('3');
  });

  it('answers a card of a function that is not valid as a fault of the server', async () => {
    const agent = await start({ card: () => ({ ...CARD, name: '' }) });
    expect((await agent.get(ROOT)).status).toBe(500);
  });

  it('answers other methods and spellings of its path below the base in the shape of errors', async () => {
    const agent = await start();
    const post = await agent.get(`/a2a${ROOT}`, {}, 'POST');
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
    for (const path of [`/a2a${ROOT}/`, `/a2a${ROOT.toUpperCase()}`, `/A2A${ROOT}`]) {
      expect((await agent.get(path)).status).toBe(404);
    }
    expect((await agent.get(`${ROOT}/`)).status).toBe(404);
    expect((await agent.get(ROOT.toUpperCase())).status).toBe(404);
    expect((await agent.get('/host')).json).toEqual({ hello: 'host' });
  });

  it('names the tenant whose card was asked for', async () => {
    const agent = await start({ tenants: ['acme', 'a/b'] });
    const card = await agent.card(`/a2a/acme${ROOT}`);
    expect(card.supportedInterfaces).toEqual([
      { url: `${agent.url}/a2a`, protocolBinding: 'HTTP+JSON', tenant: 'acme', protocolVersion: '1.0' },
      { url: `${agent.url}/a2a`, protocolBinding: 'JSONRPC', tenant: 'acme', protocolVersion: '1.0' },
    ]);
    expect((await agent.card(`/a2a/a%2Fb${ROOT}`)).supportedInterfaces[0]?.tenant).toBe('a/b');
    const other = await agent.get(`/a2a/other${ROOT}`);
    expect([other.status, other.json.error.status]).toEqual([404, 'NOT_FOUND']);
    expect((await agent.card()).supportedInterfaces[0]?.tenant).toBeUndefined();
  });
});

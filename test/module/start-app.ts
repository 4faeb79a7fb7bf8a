import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { Module, type INestApplication, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import type { AgentCard } from '../../lib/protocol/index.js';

export const ADAPTERS = ['express', 'fastify'] as const;
export type AdapterName = (typeof ADAPTERS)[number];

/** A running application and what tests ask of it. */
export interface RunningApp {
  readonly app: INestApplication;
  readonly url: string;
  get(path: string, headers?: Record<string, string>, method?: string, body?: string): Promise<Answer>;
  card(path?: string): Promise<AgentCard>;
  /** Sends a text with `message:send` below a base path. */
  send(text: string, base?: string, message?: object, configuration?: object): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  readonly json: any;
}

export interface AppSetup {
  adapter?: AdapterName;
  /** Serves with TLS. */
  tls?: { key: string; cert: string };
  /** Before the application starts. */
  configure?: (app: INestApplication) => void;
  /** Starts it by `@nestjs/testing`, with what this overrides. */
  override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
}

const running: INestApplication[] = [];

export async function startApp(metadata: ModuleMetadata, setup: AppSetup = {}): Promise<RunningApp> {
  const adapter =
    setup.adapter === 'fastify'
      ? new FastifyAdapter(setup.tls ? ({ https: setup.tls } as object) : {})
      : new ExpressAdapter();
  const options = { logger: false as const, abortOnError: false, httpsOptions: setup.tls };
  @Module(metadata)
  class HostModule {}
  let app: INestApplication;
  if (setup.override) {
    const builder = setup.override(Test.createTestingModule({ imports: [HostModule] }));
    app = (await builder.compile()).createNestApplication(adapter, options);
  } else {
    app = await NestFactory.create(HostModule, adapter, options);
  }
  running.push(app);
  setup.configure?.(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address();
  const url = `${setup.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const get = (path: string, headers?: Record<string, string>, method = 'GET', body?: string) =>
    call(url + path, method, { ...headers }, body);
  return {
    app,
    url,
    get,
    card: async (path = '/.well-known/agent-card.json') => (await get(path)).json,
    send: (text, base = '/a2a', message = {}, configuration = {}) =>
      get(
        `${base}/message:send`,
        { 'a2a-version': '1.0', 'content-type': 'application/json' },
        'POST',
        JSON.stringify({
          message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }], ...message },
          configuration,
        }),
      ),
  };
}

/** For `afterEach`. */
export async function stopApps(): Promise<void> {
  await Promise.all(running.splice(0).map((app) => app.close()));
}

// Not fetch: it does not let a test choose the Host header.
function call(url: string, method: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? secureRequest : request;
    send(url, { method, headers, agent: false, rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = (response.headers['content-type'] ?? '').includes('json') && text !== '';
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson ? JSON.parse(text) : undefined,
        });
      });
    })
      .on('error', reject)
      .end(body);
  });
}

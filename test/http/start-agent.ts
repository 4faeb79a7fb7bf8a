import type { Type } from '@nestjs/common';
import { Module, type CanActivate, type INestApplication, type ModuleMetadata } from '@nestjs/common';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { bindingProviders } from '../../lib/bindings/binding.providers.js';
import { createBinding } from '../../lib/bindings/create-binding.js';
import { HTTP_JSON } from '../../lib/bindings/http-json/index.js';
import { HTTP_OPTIONS, resolveHttpOptions, type HttpOptions } from '../../lib/http/index.js';
import type { AgentExtension } from '../../lib/protocol/index.js';
import type { A2ARequestHandler } from '../../lib/server/a2a-request-handler.js';
import type { ServedCapabilities } from '../../lib/server/operations.js';
import { ServedAgent } from '../../lib/server/served-agent.js';

export const ADAPTERS = ['express', 'fastify'] as const;
export type AdapterName = (typeof ADAPTERS)[number];

/** What a test agent is made of. */
export interface AgentSetup {
  adapter: AdapterName;
  handler: A2ARequestHandler;
  path?: string;
  options?: HttpOptions;
  capabilities?: Partial<ServedCapabilities>;
  extensions?: AgentExtension[];
  tenants?: readonly string[];
  guards?: (Type<CanActivate> | CanActivate)[];
  decorators?: ClassDecorator[];
  /** The rest of the application. */
  host?: ModuleMetadata;
  hostOptions?: NestApplicationOptions;
  /** Made by `@nestjs/testing`, which knows the adapter only after the providers were made. */
  isTestingModule?: boolean;
  /** What its `main.ts` does between creating and starting it. */
  configure?: (app: INestApplication) => void;
}

/** A response whose JSON the test knows. */
export type Answer = Omit<Response, 'json'> & { json(): Promise<any> };

export class TestAgent {
  constructor(
    readonly app: INestApplication,
    readonly url: string,
    readonly base: string,
  ) {}

  /** A request below the base path, of version 1.0 unless told otherwise. */
  fetch(path: string, { headers, ...init }: RequestInit = {}): Promise<Answer> {
    return fetch(this.base + path, { ...init, headers: { 'A2A-Version': '1.0', ...(headers as object) } });
  }

  post(path: string, body: unknown, init: RequestInit = {}): Promise<Answer> {
    return this.fetch(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
      headers: { 'Content-Type': 'application/a2a+json', ...(init.headers as object) },
    });
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

class HandMadeAgent extends ServedAgent {
  readonly name = 'default';
  readonly versions = ['1.0'];

  constructor(private readonly setup: AgentSetup) {
    super();
  }

  get handler() {
    return this.setup.handler;
  }

  get capabilities() {
    return { streaming: true, pushNotifications: true, extendedAgentCard: true, ...this.setup.capabilities };
  }

  get hasTenants() {
    return this.setup.tenants !== undefined;
  }

  servesTenant(tenant: string) {
    return this.setup.tenants?.includes(tenant) ?? false;
  }

  extensions() {
    return this.setup.extensions ?? [];
  }
}

/** The binding in an application of its own, with an agent whose handler is all there is to it. */
export function agentModule(setup: AgentSetup): Type {
  const { path = 'a2a', guards, decorators } = setup;
  const binding = createBinding(HTTP_JSON, { path, guards, decorators });
  @Module({
    controllers: [binding.controller],
    providers: [
      ...bindingProviders,
      binding.provider,
      { provide: ServedAgent, useValue: new HandMadeAgent(setup) },
      { provide: HTTP_OPTIONS, useValue: resolveHttpOptions(setup.options) },
    ],
  })
  class AgentModule {}
  return AgentModule;
}

const started: TestAgent[] = [];

/** Starts it on a free port. `stopAgents` ends it. */
export async function startAgent(setup: AgentSetup, ...others: AgentSetup[]): Promise<TestAgent> {
  @Module({
    ...setup.host,
    imports: [...(setup.host?.imports ?? []), ...[setup, ...others].map(agentModule)],
  })
  class AppModule {}
  const adapter = setup.adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter();
  const options = Object.assign({ logger: false as const, abortOnError: false }, setup.hostOptions);
  const app = setup.isTestingModule
    ? (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication(
        adapter,
        options,
      )
    : await NestFactory.create(AppModule, adapter, options);
  setup.configure?.(app);
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const agent = new TestAgent(app, url, `${url}/${setup.path ?? 'a2a'}`);
  started.push(agent);
  return agent;
}

export async function stopAgents(): Promise<void> {
  await Promise.all(started.splice(0).map((agent) => agent.close()));
}

import { Module, type DynamicModule, type INestApplication, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { A2AModule, AgentExecutor, type A2AModuleExtras, type A2AModuleOptions } from 'nest-a2a';
import { onTestFinished } from 'vitest';
import type { MakeDriver } from './binding.driver.js';
import { CollectedLog } from './collected-log.js';
import { HttpJson03Driver, JsonRpc03Driver } from './compat.driver.js';
import { HttpClient } from './http-client.js';
import { HttpJsonDriver } from './http-json.driver.js';
import { JsonRpcDriver } from './json-rpc.driver.js';
import { TestAgent } from './test-agent.js';

/** What serves the application. */
export const ADAPTERS = {
  express: () => new ExpressAdapter(),
  fastify: () => new FastifyAdapter(),
};
export type AdapterName = keyof typeof ADAPTERS;

/** How the tests speak to it. */
export const DRIVERS = {
  'http-json': (http, base) => new HttpJsonDriver(http, base),
  'json-rpc': (http, base) => new JsonRpcDriver(http, base),
} satisfies Record<string, MakeDriver>;

export type DriverName = keyof typeof DRIVERS;

/** And how they speak to it in 0.3. */
export const DRIVERS_03 = {
  'http-json 0.3': (http, base) => new HttpJson03Driver(http, base),
  'json-rpc 0.3': (http, base) => new JsonRpc03Driver(http, base),
} satisfies Record<string, MakeDriver>;

const ALL_DRIVERS = { ...DRIVERS, ...DRIVERS_03 };

/** One cell of the matrix. */
export interface Target {
  readonly adapter: AdapterName;
  readonly binding: DriverName;
}

/** One cell of the matrix of both versions. */
export type AnyTarget = Omit<Target, 'binding'> & {
  readonly binding: DriverName | keyof typeof DRIVERS_03;
};

/** How a test agent behaves: options of the module, and an executor in short. */
export interface AgentOptions extends Omit<A2AModuleOptions, 'card'>, A2AModuleExtras {
  card?: A2AModuleOptions['card'];
  execute?: AgentExecutor['execute'];
  cancel?: AgentExecutor['cancel'];
  /** More of the application around the agent. */
  root?: Pick<ModuleMetadata, 'imports' | 'controllers' | 'providers'>;
  /** Sets the application up before it listens. */
  host?: (app: INestApplication) => void | Promise<void>;
}

const CARD = { name: 'Test Agent', description: 'For tests', version: '1.0.0' };

@Module({})
class TestRoot {}

/** Starts an application with an agent on a free port; it is closed when the test is over. */
export async function startAgent({
  adapter,
  binding,
  ...options
}: AgentOptions & AnyTarget): Promise<TestAgent> {
  const { execute, cancel, root = {}, host, pushNotifications, ...given } = options;
  const is03 = binding in DRIVERS_03;
  const executor = execute && inlineExecutor(execute, cancel);
  const module: DynamicModule = {
    module: TestRoot,
    ...root,
    imports: [
      ...(root.imports ?? []),
      // Turns that a test leaves behind must not hold it up.
      A2AModule.forRoot({
        card: CARD,
        shutdownTimeout: 0,
        pushNotifications: { drainTimeout: 0, ...pushNotifications },
        ...(executor && { executor }),
        ...(is03 && { compat: { v0_3: true } }),
        ...given,
      }),
    ],
  };
  const log = new CollectedLog();
  const app = await NestFactory.create(module, ADAPTERS[adapter](), { logger: log, abortOnError: false });
  await host?.(app);
  await app.listen(0, '127.0.0.1');
  const http = new HttpClient(await app.getUrl());
  const base = `/${given.path ?? 'a2a'}`;
  const headers = { 'A2A-Version': is03 ? '0.3' : '1.0' };
  const agent = new TestAgent({ app, http, log, base, driver: ALL_DRIVERS[binding](http, base) }, headers);
  onTestFinished(() => agent.close());
  return agent;
}

/** An executor from functions. */
export function inlineExecutor(
  execute: AgentExecutor['execute'],
  cancel?: AgentExecutor['cancel'],
): AgentExecutor {
  return cancel ? { execute, cancel } : { execute };
}

/** Takes the owner from the header that {@link TestAgent.as} sends. */
export const ownerByHeader = {
  resolveOwner: ({ headers }: { headers: Readonly<Record<string, string>> }): string | undefined =>
    headers['x-user'],
};
